{#-
  The positions that a compiled query says it reads up to: {relation: position}. Of two ranges of
  one relation the first counts: the second may reach further, but not for both.
-#}
{% macro read_ranges(query) -%}
{%- set positions = {} -%}
{%- for range in dbt_changelog.find_ranges(query) -%}
{%- do positions.setdefault(range.relation, range.to) -%}
{%- endfor -%}
{{ return(positions) }}
{%- endmacro %}
