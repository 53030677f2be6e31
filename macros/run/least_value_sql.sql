{#-
  A value below all those that a column can sensibly have, as a sequence before any other; second:
  one that is above that alone. column: {type, parts}.
-#}
{% macro least_value_sql(column, second) -%}
{%- set type, fields = column.type, [] -%}
{%- set kind = modules.re.match('\\w+', type).group() -%}
{%- for part in column.parts or [] if kind == 'struct' -%}
{%- do fields.append(dbt_changelog.literal(part.name) ~ ', '
    ~ dbt_changelog.least_value_sql(part, second and loop.last)) -%}
{%- endfor -%}
{%- set digits = (modules.re.findall('\\d+', type) + [0, 0]) | map('int') | list -%}
{%- set nines = '9' * (digits[0] - digits[1]) ~ ('.' ~ '9' * digits[1] if digits[1] else '') -%}
{%- set values = {
  'tinyint': ['-128', '-127'],
  'smallint': ['-32768', '-32767'],
  'int': ['-2147483648', '-2147483647'],
  'bigint': ['-9223372036854775808', '-9223372036854775807'],
  'float': ['-Infinity', '-3.4e38'],
  'double': ['-Infinity', '-1.7e308'],
  'decimal': ['-' ~ nines, '-' ~ nines[:-1] ~ '8'],
  'date': ['0001-01-01', '0001-01-02'],
  'timestamp': ['0001-01-02 00:00:00+00:00', '0001-01-02 00:00:01+00:00'],
  'timestamp_ntz': ['0001-01-02 00:00:00', '0001-01-02 00:00:01'],
  'boolean': ['false', 'true'],
}.get(kind, ['', ' ']) -%}
{{ return('named_struct(' ~ fields | join(', ') ~ ')' if kind == 'struct'
    else 'cast(array(' ~ ('null' if second) ~ ') as ' ~ type ~ ')' if kind == 'array'
    else "X'00'" if kind == 'binary' and second
    else 'cast(' ~ dbt_changelog.literal(values[second | int]) ~ ' as ' ~ type ~ ')') }}
{%- endmacro %}
