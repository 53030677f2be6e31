{#- Whether a key has one winner: two different changes at its greatest sequence are an error. -#}
{% macro tie_check_sql(plan) -%}
{%- if plan.tie_handling == 'LAST' -%}
{{ return('true') }}
{%- endif -%}
{{ return('if(_last._image_hash <> ~_rival._hash, '
          ~ dbt_changelog.tie_error_sql(plan, '_last.', '_last._sequence') ~ ', true)') }}
{%- endmacro %}
