{#-
  The snapshots of an Iceberg table (feed_changes), from the current one back to the last position,
  or to the first that is still there. A position is a snapshot and its place in this order.
-#}
{% macro iceberg_feed(where, relation, last, properties) -%}
{%- set parents, way = {}, [] -%}
{%- set at = namespace(id=properties['current-snapshot-id']) -%}
{%- for row in run_query("select\n  cast(snapshot_id as string),\n  cast(parent_id as string),\n"
    ~ "  summary['total-delete-files']\nfrom " ~ relation ~ '.snapshots').rows -%}
{%- do parents.update({row[0] | string: row}) -%}
{%- endfor -%}
{%- for _ in parents -%}
{%- if at.id in parents and (last is none or at.id != last.get('snapshot')) -%}
{%- do way.append(parents[at.id]) -%}
{%- set at.id = parents[at.id][1] | string -%}
{%- endif -%}
{%- endfor -%}
{%- do dbt_changelog.check_feed_is_whole(where, relation, last,
    last is none or at.id == last.get('snapshot')) -%}
{%- set place = {'column': 'snapshot', 'type': 'bigint'} -%}
{%- set first = dict(place, value='1', snapshot=way[-1][0] | string)
    if way and last is none else none -%}
{%- set next = dict(place, snapshot=way[0][0] | string,
    value=((last.value | int if last else 0) + way | length) | string) if way else last -%}
{{ return({'where': where, 'relation': relation, 'first': first, 'next': next, 'way': way,
           'changes': dbt_changelog._iceberg_changes_sql}) }}
{%- endmacro %}

{#- The changes of an Iceberg table above one snapshot up to another. -#}
{% macro _iceberg_changes_sql(feed, columns, start) -%}
{%- for snapshot in feed.way
    if snapshot[0] | string != start.snapshot and snapshot[2] | int > 0 -%}
{%- do dbt_changelog.raise_invalid(feed.where, 'changes', 'snapshot ' ~ snapshot[0] ~ ' of '
    ~ feed.relation ~ ' has delete files, and Iceberg gives no changes of such tables',
    "select from the table without changes(): its changes are found; or set its write modes to"
    ~ ' copy-on-write, rewrite its files and run with --full-refresh') -%}
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
