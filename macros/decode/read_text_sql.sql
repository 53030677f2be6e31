{#-
  A value that came as text in its type; NULL if it is none of this type, or would lose a digit.

  how: {decimals, dates, binary, micros}: what a decimal is written in ('digits', 'base64', 'digits
  or base64'), whether a date may be a number of days ('text' or 'text or days'), what bytes are
  written in (base64, hex, latin1), and the microseconds of a number {0} that is a time (NULL: none
  is; a case: not all are, since the unit was not said).
-#}
{% macro read_text_sql(type, value, how) -%}
{%- if type.startswith('decimal') -%}
{{ return(dbt_changelog._digits_sql(type, value) if how.get('decimals', 'digits') == 'digits'
          else dbt_changelog._digits_or_base64_sql(type, value, how.decimals)) }}
{%- elif type == 'date' and how.dates == 'text or days' -%}
{{ return('if(' ~ dbt_changelog._is_number_sql(value) ~ ", date_add(date '1970-01-01', try_cast("
          ~ value ~ ' as int)), try_cast(' ~ value ~ ' as date))') }}
{%- elif type == 'date' -%}
{{ return('if(' ~ dbt_changelog._is_number_sql(value) ~ ', null, try_cast(' ~ value ~ ' as date))')
}}
{%- elif type == 'binary' -%}
{{ return({
  'base64': "if({0} rlike '^[A-Za-z0-9+/]*={0,2}$' and length({0}) % 4 = 0, unbase64({0}), null)",
  'hex': "try_to_binary(regexp_replace({0}, '^(0x|\\\\\\\\x)', ''), 'hex')",
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

{#- A decimal of digits, none of which is lost; a cast alone would round. -#}
{% macro _digits_sql(type, value) -%}
{%- set precision, scale = type[8:-1].split(',') | map('int') -%}
{%- set wider = 'decimal(38, ' ~ (38 - precision + scale) ~ ')' if precision < 38 else 'double' -%}
{%- set cast = 'try_cast(' ~ value ~ ' as ' ~ type ~ ')' -%}
if(
  {{ value }} rlike '^ *[-+]?0*[0-9]{0,{{ precision - scale }}}([.][0-9]{0,{{ scale }}}0*)? *$'
    or {{ value }} rlike '[eE]'
      and try_cast({{ value }} as {{ wider }}) = {{ cast }},
  {{ cast }},
  null
)
{%- endmacro %}

{#-
  A decimal that is digits, or the bytes of the number without its point in base64. What may be
  both has its quotes (decimal_text_sql) and is NULL, unless the user says that it is base64.
-#}
{% macro _digits_or_base64_sql(type, value, decimals) -%}
{%- set quoted = dbt_changelog._base64_sql(type, "trim('\"' from " ~ value ~ ')') -%}
case
  when {{ value }} like '"%' then {{ quoted if decimals == 'base64' else 'null' }}
  when {{ value }} rlike '^[-+]?[0-9]*[.]?[0-9]+([eE][-+]?[0-9]+)?$' then
    {{ dbt_changelog._digits_sql(type, value) | indent(4) }}
  when {{ value }} rlike '^[A-Za-z0-9+/]+={0,2}$' and length({{ value }}) % 4 = 0 then
    {{ dbt_changelog._base64_sql(type, value) | indent(4) }}
end
{%- endmacro %}

{#-
  A decimal as text, of what JSON has (a variant); with its quotes if it may be digits or base64: a
  number without quotes is digits, one with a point is no base64, and the bytes of a negative number
  may be written by digits alone. A cast makes text of a number, too, but plans anew for each.
-#}
{% macro decimal_text_sql(type, variant, how) -%}
{%- set text = 'string(' ~ variant ~ ')' -%}
{%- set quoted = "concat('\"', " ~ text ~ ", '\"')" -%}
{%- set may_be_both = how.decimals == 'base64' or dbt_changelog._may_be_both(type, how) -%}
case schema_of_variant({{ variant }})
  when 'STRING' then
    {{ 'if(' ~ quoted ~ " rlike '^\"([0-9eE+]{4})+\"$',\n      " ~ quoted ~ ', ' ~ text ~ ')'
       if may_be_both else text }}
  when 'VOID' then null
  else to_json({{ variant }})
end
{%- endmacro %}

{#- Whether digits may be base64. Of a type without decimals they are digits unless it is said. -#}
{% macro _may_be_both(type, how) -%}
{{ return(how.decimals == 'digits or base64' and not type.endswith(',0)')) }}
{%- endmacro %}

{#- Whether a value was not read because it may mean two things; none if it never does. -#}
{% macro lacks_unit_sql(type, value, how) -%}
{{ return(value ~ " like '\"%'" if dbt_changelog._may_be_both(type, how)
          else dbt_changelog._is_number_sql(value)
          if type.startswith('timestamp') and how.micros.startswith('case') else none) }}
{%- endmacro %}

{#- A decimal of the bytes of a whole number, most significant first, in two's complement. -#}
{% macro _base64_sql(type, text) -%}
{%- set hex = 'hex(unbase64(' ~ text ~ '))' -%}
{%- set sign = "if(" ~ hex ~ " >= '8', 'F', '0')" -%}
{%- set digits = 'cast(conv(lpad(left({0}, length({0}) - 16), 16, {1}), 16, -10) as decimal(20, 0))'
  ~ '\n      * 18446744073709551616\n    + cast(conv(right({0}, 16), 16, 10) as decimal(20, 0))' -%}
{%- set whole = 'cast(conv(lpad({0}, 16, {1}), 16, -10) as decimal(38, 0))' -%}
try_cast(concat(string(if(
  length({{ hex }}) > 16,
  {{ digits | replace('{0}', hex) | replace('{1}', sign) }},
  {{ whole | replace('{0}', hex) | replace('{1}', sign) }}
)), 'E-{{ type[8:-1].split(',')[1] }}') as {{ type }})
{%- endmacro %}

{#- A time: as text, or as a number since 1970 where a unit says what it counts. -#}
{% macro _time_sql(type, value, micros) -%}
{%- set micros = micros | replace('{0}', 'try_cast(' ~ value ~ ' as bigint)') -%}
{%- set time = 'null' if micros == 'null'
  else dbt_changelog.call_sql('timestamp_micros', [micros]) if type == 'timestamp'
  else "timestamp_ntz '1970-01-01' + make_dt_interval(0, 0, 0, try_cast("
    ~ 'cast(' ~ micros ~ ' as decimal(20, 0)) * 0.000001 as decimal(18, 6)))' -%}
{{ return(dbt_changelog.call_sql('if', [
    dbt_changelog._is_number_sql(value), time, 'try_cast(' ~ value ~ ' as ' ~ type ~ ')'])) }}
{%- endmacro %}
