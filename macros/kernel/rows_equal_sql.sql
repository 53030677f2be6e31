{#- Whether two rows as known_row_sql gives them are equal; NULL equals NULL, NaN equals NaN. -#}
{% macro rows_equal_sql(plan, ours, theirs) -%}
{%- set sides = [] -%}
{%- for side in [ours, theirs] -%}
{%- do sides.append(side ~ ('.row' if plan.orderable else '.equal') if plan.knows_rows
    else 'identifier(if(typeof(' ~ ours ~ ".row) rlike 'map<|variant', '"
      ~ side ~ ".equal', '" ~ side ~ ".row'))") -%}
{%- endfor -%}
{{ return(sides | join(' <=> ')) }}
{%- endmacro %}
