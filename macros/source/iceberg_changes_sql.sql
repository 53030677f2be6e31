{#- The changes of an Iceberg table above one snapshot up to another. -#}
{% macro iceberg_changes_sql(feed, columns, start) -%}
{%- for snapshot in feed.way
    if snapshot[0] | string != start.snapshot and snapshot[2] | int > 0 -%}
{%- do dbt_changelog.raise_invalid(feed.where, 'changes', 'snapshot ' ~ snapshot[0] ~ ' of '
    ~ feed.relation ~ ' has delete files, and Iceberg gives no changes of such',
    "select from the table without changes(): its changes are found; or set its write modes to"
    ~ ' copy-on-write, write its files anew and run with --full-refresh') -%}
{%- endfor -%}
select
  _change_type as _row_kind,
  cast({{ start.value | int + 1 }} as bigint) + _change_ordinal as _sequence,
  {{ dbt_changelog.csv(columns | map(attribute='name'), separator=',\n  ') }}
from {{ feed.relation }}.changes with (
  'start-snapshot-id' = '{{ start.snapshot }}',
  'end-snapshot-id' = '{{ feed.next.snapshot }}'
)
{%- endmacro %}
