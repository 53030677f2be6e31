{#- SQL that stands on one line if it is short, and on several if it is not. -#}

{#- A call of a function: call_sql('if', ['a', 'b', 'c']) gives "if(a, b, c)". -#}
{% macro call_sql(name, arguments) -%}
{%- set flat = name ~ '(' ~ arguments | join(', ') ~ ')' -%}
{{ return(flat if dbt_changelog._is_short(flat)
          else name ~ '(\n  ' ~ arguments | join(',\n') | indent(2) ~ '\n)') }}
{%- endmacro %}

{#- Two terms and what is between them: terms_sql('a', '<', 'b') gives "a < b". -#}
{% macro terms_sql(left, operator, right) -%}
{%- set flat = left ~ ' ' ~ operator ~ ' ' ~ right -%}
{{ return(flat if dbt_changelog._is_short(flat)
          else left ~ '\n  ' ~ operator ~ ' ' ~ right | indent(2)) }}
{%- endmacro %}

{#- Conditions that all hold, a line each. -#}
{% macro all_of_sql(terms) -%}
{{ return(terms | map('indent', 2) | join('\n  and ')) }}
{%- endmacro %}

{% macro _is_short(sql) -%}
{{ return(sql | length < 90 and '\n' not in sql) }}
{%- endmacro %}
