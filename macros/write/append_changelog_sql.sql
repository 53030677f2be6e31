{#- One commit of the changelog of a batch: the table with it, or an append to the table. -#}
{% macro append_changelog_sql(plan, batch, rows) -%}
{%- set names = ['_row_kind', '_sequence', '_ordinal'] + plan.payload + plan.passthrough -%}
{%- if batch.has_changelog -%}
insert into {{ plan.relations.changelog }} ({{ dbt_changelog.csv(names + ['_batch_id']) }})
{{ rows }}
{%- else -%}
create or replace table {{ plan.relations.changelog }}
using {{ plan.state.file_format }}
{{- dbt_changelog.storage_sql(
      plan, dbt_changelog.sibling_storage(plan), plan.relations.changelog,
      {'dbt_changelog.uid': plan.uid, 'dbt_changelog.born': invocation_id}) }}
as
{{ rows }}
{%- endif -%}
{%- endmacro %}
