{#-
  The condition for an event of a batch to have come since the last one, of the query's columns;
  none where nothing tells, and NULL for an event of which nothing tells. What is read again is no
  event that came late or twice.
-#}
{% macro arrived_sql(plan, batch) -%}
{%- set starts = [] -%}
{%- for range in dbt_changelog.find_ranges(plan.query) -%}
{%- do starts.append(range.from) if range.from not in starts -%}
{%- endfor -%}
{%- if plan.read.strict or batch.last.id == 0 -%}
{{ return('true') }}
{%- elif starts | length == 1 and starts[0] is not none -%}
{%- for column in plan.columns.input if column.type == starts[0].type
    and column.name | lower == starts[0].column | lower -%}
{{ return(dbt_changelog.quote(column.name) ~ ' > ' ~ dbt_changelog.position_sql(starts[0])) }}
{%- endfor -%}
{%- endif -%}
{{ return(none) }}
{%- endmacro %}
