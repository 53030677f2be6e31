{#- Whether rows of known columns can be compared as they are: maps and variants can't. -#}
{% macro has_equality(plan) -%}
{%- set types = plan.state_columns | map(attribute='type') | join(', ') -%}
{{ return(modules.re.search('map<|variant', types) is none) }}
{%- endmacro %}
