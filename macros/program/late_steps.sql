{#-
  With late_handling='KEEP': the late events of a batch go into a table, with the batch and the
  watermark that they were below. What a killed run appended for this batch goes first.
-#}
{% macro late_steps(plan, batch) -%}
{%- set mark, late = batch.arrivals.mark, plan.relations.late -%}
{%- if not plan.watermark.keeps_late or not mark -%}
{{ return([]) }}
{%- endif -%}
{%- set stored = batch.arrivals.late -%}
{%- set columns = dbt_changelog.stored_columns(plan) -%}
{%- set names = columns | map(attribute='name') | list -%}
{%- set added = [] -%}
{%- for column in columns if stored
    and dbt_changelog.find_name(column.name, stored | map(attribute='name')) is none -%}
{%- do added.append(dbt_changelog.quote(column.name) ~ ' ' ~ column.type) -%}
{%- endfor -%}
{%- set rows -%}
select
  {{ dbt_changelog.csv(names, separator=',\n  ') }},
  cast({{ batch.id }} as bigint) as _dbtc_batch_id,
  {{ dbt_changelog.mark_sql(mark) }} as _dbtc_watermark
from {{ batch.arrivals.buffer }}
where {{ plan.watermark.time }} < {{ dbt_changelog.mark_sql(mark) }}
{%- endset -%}
{%- set steps = [] -%}
{%- do steps.append({'name': 'alter late events',
    'sql': 'alter table ' ~ late ~ ' add columns (' ~ added | join(', ') ~ ')'}) if added -%}
{%- do steps.append({'name': 'forget late events of a killed run',
    'sql': 'delete from ' ~ late ~ '\nwhere _dbtc_batch_id = ' ~ batch.id})
    if batch.arrivals.kept -%}
{{ return(steps + [{
  'name': 'keep late events',
  'sql': dbt_changelog.append_sql(late, names + ['_dbtc_batch_id', '_dbtc_watermark'], rows)
    if stored else dbt_changelog.create_table_sql(late,
      dict(dbt_changelog.sibling_storage(plan.storage), location_root=none), columns,
      {'dbt_changelog.uid': plan.uid}, rows, is_new=true),
}]) }}
{%- endmacro %}
