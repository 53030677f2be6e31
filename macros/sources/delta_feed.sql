{#-
  The change data feed of a Delta table (feed_changes). It begins with the last commit that turned
  it on, or else with the first that the table's history still has. Of a reader with a position only
  the history since then is read, and some more: others may commit meanwhile.
-#}
{% macro delta_feed(where, relation, last, properties) -%}
{%- if properties.get('delta.enableChangeDataFeed') | lower != 'true' -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', 'the Delta table ' ~ relation
    ~ ' keeps no changes', 'alter table ' ~ relation ~ " set tblproperties ("
    ~ "'delta.enableChangeDataFeed' = 'true'); or select from it without changes(): it is a table,"
    ~ ' and its changes are found') -%}
{%- endif -%}
{%- set place = {'column': 'version', 'type': 'bigint',
    'born': run_query('describe detail ' ~ relation).rows[0]['id'] | string} -%}
{%- set describe = 'describe history ' ~ relation -%}
{%- set newest = run_query(describe ~ ' limit 1').rows[0]['version'] | int -%}
{%- set next = dict(place, value=newest | string) -%}
{%- do dbt_changelog.check_same_changelog(where, relation, last, next) -%}
{%- set seen, history = namespace(on=none, off=none), run_query(describe
    ~ (' limit ' ~ (newest - last.value | int + 10) if last else '')).rows -%}
{%- for row in history if row['version'] | int <= newest -%}
{%- set version, said = row['version'] | int, row['operationParameters'] | string -%}
{%- if modules.re.search('enableChangeDataFeed\\W+(?i:true)', said) -%}
{%- set seen.on = version if seen.on is none else seen.on -%}
{%- elif 'enableChangeDataFeed' in said
    or modules.re.match('(CREATE|REPLACE)', row['operation']) -%}
{%- set seen.off = version if seen.off is none else seen.off -%}
{%- endif -%}
{%- endfor -%}
{%- set oldest = history[-1]['version'] | int -%}
{%- set first = oldest if seen.on is none else seen.on -%}
{%- do dbt_changelog.check_feed_is_whole(where, relation, last,
    last is none or (oldest <= last.value | int + 1 and (seen.off or 0) <= last.value | int)) -%}
{{ return({'relation': relation, 'first': dict(place, value=first | string), 'next': next,
           'changes': dbt_changelog._delta_changes_sql}) }}
{%- endmacro %}

{#- The change data feed of a Delta table above one version up to another. -#}
{% macro _delta_changes_sql(feed, columns, start) -%}
select
  case _change_type
    when 'insert' then 'INSERT'
    when 'update_preimage' then 'UPDATE_BEFORE'
    when 'update_postimage' then 'UPDATE_AFTER'
    when 'delete' then 'DELETE'
  end as _row_kind,
  _commit_version as _sequence,
  {{ dbt_changelog.csv(columns | map(attribute='name'), separator=',\n  ') }}
from table_changes({{ dbt_changelog.literal(feed.relation) }}, {{ start.value | int + 1 }}, {{
  feed.next.value }})
{%- endmacro %}
