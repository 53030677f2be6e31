{#-
  The changelog of versions that a batch emits, as CTEs: -> `emitted`: how the versions of its keys
  differ from those before it. Its key is that of the model with valid_from. An emitted change has
  the greatest sequence of its key.
-#}
{% macro emitted_versions_ctes(plan, batch) -%}
{%- set points, has_state = dbt_changelog.points_plan(plan), batch.has_state and not batch.creates
-%}
{{ dbt_changelog.point_rows_ctes(plan, batch) }},

{% if has_state -%}
{{ dbt_changelog._known_points_ctes(plan) }},

{{ dbt_changelog.kernel_of(points.kernel).merged(
     dict(points, relations={'state': 'known_points'})) }},

{{ dbt_changelog.versions_ctes(plan, 'known_points', 'old_') }},

{% endif -%}
{{ dbt_changelog.versions_ctes(plan, 'merged_rows' if has_state else 'state_rows', 'new_') }},

{{ dbt_changelog._changed_versions_ctes(plan, batch, has_state) }}
{%- endmacro %}

{#-
  The changelog that a full refresh emits: how the new versions differ from those that the changelog
  has. The state may be of another kernel, or have other columns; what was emitted stays.
-#}
{% macro refreshed_versions_ctes(plan, batch) -%}
{%- set key = dbt_changelog.csv(plan.unique_key + [plan.versions.valid_from]) -%}
{{ dbt_changelog.point_rows_ctes(plan, batch) }},

{{ dbt_changelog.versions_ctes(plan, 'state_rows', 'new_') }},

emitted_before as (
  select max_by(struct(*), struct(_batch_id, _ordinal)) as _dbtc_row
  from {{ plan.relations.changelog }}
  group by {{ key }}
),

old_versions as (
  select _dbtc_row.*, _dbtc_row._sequence as _dbtc_last
  from emitted_before
  where {{ dbt_changelog.is_live_sql('_dbtc_row.') }}
),

{{ dbt_changelog._changed_versions_ctes(plan, batch, true) }}
{%- endmacro %}

{#-
  The points that the state has of the keys of a batch, as CTEs: -> `known_points`. A truncate that
  it does not have reaches all keys.
-#}
{% macro _known_points_ctes(plan) -%}
{%- set key = dbt_changelog.csv(plan.unique_key) -%}
{%- set first = dbt_changelog.quote(plan.unique_key[0]) -%}
{%- set null_safe = dict(plan, truncates_are_rows=plan.truncates) -%}
{%- if plan.truncates -%}
fresh_truncates as (
  select change._sequence
  from state_rows as change
  left anti join {{ plan.relations.state }} as state
    on {{ dbt_changelog.same_key_sql(dbt_changelog.points_plan(plan)) }}
  where change.{{ first }} is null
),

{% endif -%}
reached_keys as (
  select {{ key }}
  from state_rows
{%- if plan.truncates %}
  union
  select {{ key }}
  from {{ plan.relations.state }}
  where {{ first }} is null
    or (select count(*) from fresh_truncates) > 0
{%- endif %}
),

known_points as (
  select *
  from {{ plan.relations.state }} as state
  left semi join reached_keys as change
    on {{ dbt_changelog.same_key_sql(null_safe) }}
)
{%- endmacro %}

{#- `old_versions`, if there are any, and `new_versions` -> `emitted`, as CTEs. -#}
{% macro _changed_versions_ctes(plan, batch, has_old) -%}
{%- set names = plan.versions -%}
{%- set key = dbt_changelog.csv(plan.unique_key + [names.valid_from]) -%}
{%- set shown = plan.payload + plan.passthrough + dbt_changelog.version_names(plan) -%}
{%- set row = 'struct(\n      ' ~ dbt_changelog.csv(shown, separator=',\n      ') ~ '\n    )' -%}
{%- set end = dict(plan.state_columns | selectattr('name', 'equalto', '_sequence') | first,
                   name=names.valid_to) -%}
{%- set whole = dict(plan, payload=plan.payload + dbt_changelog.version_names(plan),
                     compared=plan.compared + [end]) -%}
new_rows as (
  select
    {{ key }},
    _dbtc_last as _dbtc_new_last,
    {{ row }} as _dbtc_new
  from new_versions
),

{% if has_old -%}
old_rows as (
  select
    {{ key }},
    _dbtc_last as _dbtc_old_last,
    {{ row }} as _dbtc_old
  from old_versions
),

{% endif -%}
new_and_old as (
  select
    {{ 'coalesce(_dbtc_new_last, _dbtc_old_last)' if has_old else '_dbtc_new_last' }} as _sequence,
    {{ '_dbtc_old' if has_old else 'if(false, _dbtc_new, null) as _dbtc_old' }},
    _dbtc_new
  from {{ 'old_rows\n  full outer join new_rows using (' ~ key ~ ')' if has_old else 'new_rows' }}
),

{{ dbt_changelog.differences_ctes(whole, batch, 'new_and_old',
                                 dbt_changelog.same_values_sql(whole)) }}
{%- endmacro %}

{#- The columns that the contents have beside the payload. -#}
{% macro version_names(plan) -%}
{%- set names = plan.get('versions') -%}
{{ return([names.valid_from, names.valid_to, names.is_current] if names else []) }}
{%- endmacro %}
