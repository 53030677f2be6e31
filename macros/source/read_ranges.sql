{#- The positions that a compiled query says it reads up to: {relation: position}. -#}
{% macro read_ranges(query) -%}
{%- set positions = {} -%}
{%- for text in modules.re.findall('/\\* dbt_changelog range (.*) \\*/', query) -%}
{%- set range = fromjson(text) -%}
{%- do positions.update({range.relation: range.to}) -%}
{%- endfor -%}
{{ return(positions) }}
{%- endmacro %}
