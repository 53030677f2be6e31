{#- The ranges that a compiled query says it reads: [{relation, from, to}]. -#}
{% macro find_ranges(query) -%}
{%- set ranges = [] -%}
{%- for text in modules.re.findall('/\\* dbt_changelog range (.*) \\*/', query) -%}
{%- do ranges.append(fromjson(text)) -%}
{%- endfor -%}
{{ return(ranges) }}
{%- endmacro %}
