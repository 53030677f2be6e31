{#-
  A value that came as text in its type; NULL if it is none of this type, or would lose a digit.

  how: {decimals, dates, binary, micros}: whether a decimal may be its bytes in base64 ('digits' or
  'digits or bytes') and a date a number of days ('text' or 'text or days'), what bytes are written
  in (base64, hex, latin1), and the microseconds of a number {0} that is a time (NULL: none is).
-#}
{% macro read_text_sql(type, value, how) -%}
{%- if type.startswith('decimal') -%}
{{ return((dbt_changelog._bytes_or_digits_sql if how.decimals == 'digits or bytes'
           else dbt_changelog._digits_sql)(type, value)) }}
{%- elif type == 'date' and how.dates == 'text or days' -%}
{{ return('if(' ~ dbt_changelog._is_number_sql(value) ~ ", date_add(date '1970-01-01', try_cast("
          ~ value ~ ' as int)), try_cast(' ~ value ~ ' as date))') }}
{%- elif type == 'date' -%}
{{ return('if(' ~ dbt_changelog._is_number_sql(value) ~ ', null, try_cast(' ~ value ~ ' as date))')
}}
{%- elif type == 'binary' -%}
{{ return({
  'base64': 'try_to_binary({0}, \'base64\')',
  'hex': "try_to_binary(trim(leading '\\\\x' from {0}), 'hex')",
  'latin1': "if({0} rlike '^[\\\\x00-\\\\xff]*$', encode({0}, 'ISO-8859-1'), null)",
}[how.binary] | replace('{0}', value)) }}
{%- elif type in ['timestamp', 'timestamp_ntz'] -%}
{{ return(dbt_changelog._time_sql(type, value, how.micros)) }}
{%- elif type == 'string' or type.startswith('varchar') or type.startswith('char') -%}
{{ return(value) }}
{%- endif -%}
{{ return('try_cast(' ~ value ~ ' as ' ~ type ~ ')') }}
{%- endmacro %}

{#- Whole numbers are told by a pattern: a cast that fails costs ten times as much. -#}
{% macro _is_number_sql(value) -%}
{{ return(value ~ " rlike '^[-+]?[0-9]+$'") }}
{%- endmacro %}

{#- A decimal of digits, none of which is lost; those of the type need no second look. -#}
{% macro _digits_sql(type, value) -%}
{%- set precision, scale = type[8:-1].split(',') | map('int') -%}
{%- set widest = 'decimal(38, ' ~ (38 - precision + scale) ~ ')' -%}
if({{ value }} rlike '^-?[0-9]{1,{{ [precision - scale, 1] | max }}}([.][0-9]{0,{{ scale }}})?$'
  or try_cast({{ value }} as {{ widest }}) = try_cast({{ value }} as {{ type }}),
  try_cast({{ value }} as {{ type }}), null)
{%- endmacro %}

{#-
  A decimal: digits, or the bytes of the number without its point, in base64. A number of the type
  that has a point is never mistaken, since base64 has none; digits alone are digits.
-#}
{% macro _bytes_or_digits_sql(type, value) -%}
{%- set scale = type[8:-1].split(',')[1] -%}
{%- set hex = 'hex(unbase64(' ~ value ~ '))' -%}
{%- set sign = "if(" ~ hex ~ " >= '8', 'F', '0')" -%}
{%- set digits = 'cast(conv(lpad(left({0}, length({0}) - 16), 16, {1}), 16, -10) as decimal(20, 0))'
  ~ ' * 18446744073709551616 + cast(conv(right({0}, 16), 16, 10) as decimal(20, 0))' -%}
{%- set whole = 'cast(conv(lpad({0}, 16, {1}), 16, -10) as decimal(38, 0))' -%}
case
  when {{ value }} rlike '^[-+]?[0-9]*[.]?[0-9]+([eE][-+]?[0-9]+)?$' then
    {{ dbt_changelog._digits_sql(type, value) | indent(4) }}
  when {{ value }} rlike '^[A-Za-z0-9+/]+=*$' then
    try_cast(concat(if(length({{ hex }}) > 16,
      {{ digits | replace('{0}', hex) | replace('{1}', sign) }},
      {{ whole | replace('{0}', hex) | replace('{1}', sign) }}
    ), 'E-{{ scale }}') as {{ type }})
end
{%- endmacro %}

{#- A time: as text, or as a number since 1970 where a unit says what it counts. -#}
{% macro _time_sql(type, value, micros) -%}
{%- set micros = micros | replace('{0}', 'try_cast(' ~ value ~ ' as bigint)') -%}
{%- set time = 'null' if micros == 'null' else 'timestamp_micros(' ~ micros ~ ')'
  if type == 'timestamp' else "timestamp_ntz '1970-01-01' + make_dt_interval(0, 0, 0, cast(("
    ~ micros ~ ") / 1000000 as decimal(18, 6)))" -%}
{{ return('if(' ~ dbt_changelog._is_number_sql(value) ~ ', ' ~ time ~ ', try_cast(' ~ value ~ ' as '
          ~ type ~ '))') }}
{%- endmacro %}
