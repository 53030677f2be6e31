{#- The rows of a query at the last batch: those of the state, with NULL in new columns. -#}
{% macro rows_before_sql(plan, batch) -%}
{%- set added, columns = plan.added | map(attribute='name') | list, [] -%}
{%- for column in plan.state_columns -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do columns.append('cast(null as ' ~ column.type ~ ') as ' ~ name if column.name in added
                      else name) -%}
{%- endfor -%}
select
  {{ columns | join(',\n  ') }}
{%- if batch.creates %}
from new_rows
where false
{%- else %}
from (
  {{ dbt_changelog.kernel_macros(plan).contents(
      dict(plan, payload=plan.payload | reject('in', added) | list,
           passthrough=plan.passthrough | reject('in', added) | list)) | indent(2) }}
) as contents
{%- endif -%}
{%- endmacro %}
