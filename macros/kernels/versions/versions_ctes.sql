{#-
  Points -> versions, as CTEs: the last is `<prefix>versions`, with the columns of the contents and
  _dbtc_last, the greatest sequence of the key. input: the state, or rows as it has them.

  A point is live if the key has a row from there on. It starts a version if that changes, or a
  tracked column of the row. A version ends where the next point starts something; it has the values
  of its last point, which are the last ones of the columns that are not tracked.

  All windows have one order, so that Spark sorts once.
-#}
{% macro versions_ctes(plan, input, prefix='') -%}
{%- set by_key = dbt_changelog.points_of_key_sql(plan) -%}
{%- set ctes, last = [dbt_changelog._points_cte(plan, input, prefix)], prefix ~ 'points' -%}
{%- if plan.truncates -%}
{%- do ctes.append(dbt_changelog.ended_points_ctes(plan, input, prefix)) -%}
{%- set last = prefix ~ 'ended_points' -%}
{%- endif -%}
{%- if plan.partial -%}
{%- do ctes.append(dbt_changelog.filled_points_ctes(plan, last, prefix)) -%}
{%- set last = prefix ~ 'filled_points' -%}
{%- endif -%}
{%- if plan.soft_delete -%}
{%- do ctes.append(dbt_changelog.kept_points_ctes(plan, last, prefix)) -%}
{%- set last = prefix ~ 'kept_points' -%}
{%- endif -%}
{%- set live = '_dbtc_is_live' if plan.truncates or plan.soft_delete else '_dbtc_sets' -%}
{%- set tracked = dbt_changelog._tracked_sql(plan) -%}
{{ ctes | join(',\n\n') }},

{{ prefix }}steps as (
  select
    *,
    {{ live }} as _dbtc_shows,
    coalesce(lag({{ live }}) over ({{ by_key }}
    ), false) <> {{ live }}
    or {{ live }} and not lag({{ tracked }}) over ({{ by_key }}
    ) <=> {{ tracked }} as _dbtc_starts
  from {{ last }}
),

{{ prefix }}spans as (
  select
    *,
    max(if(_dbtc_starts, _sequence, null)) over ({{ by_key }}
    ) as _dbtc_from,
    lead(_sequence) over ({{ by_key }}
    ) as _dbtc_to,
    lead(_dbtc_starts) over ({{ by_key }}
    ) as _dbtc_ends,
    {{ 'greatest(_dbtc_last_truncate, ' if plan.truncates }}max(_sequence) over ({{ by_key }}
      rows between unbounded preceding and unbounded following
    ){{ ')' if plan.truncates }} as _dbtc_last
  from {{ prefix }}steps
),

{{ prefix }}versions as (
  select
    {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n    ') }},
    _dbtc_from as {{ dbt_changelog.quote(plan.versions.valid_from) }},
    _dbtc_to as {{ dbt_changelog.quote(plan.versions.valid_to) }},
    _dbtc_to is null as {{ dbt_changelog.quote(plan.versions.is_current) }},
    _dbtc_last
  from {{ prefix }}spans
  where _dbtc_shows and coalesce(_dbtc_ends, true)
)
{%- endmacro %}

{#-
  The points of the keys, and whether each sets values (_dbtc_sets). One at or below an erased point
  of its key does not: what came late after an erasure stays away.
-#}
{% macro _points_cte(plan, input, prefix) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{{ prefix }}points as (
  select
    *,
    {{ kernel.is_live }}
      and coalesce(_sequence > max(if(
        {{ kernel.is_erased }},
        _sequence,
        null
      )) over (
        {{- dbt_changelog.points_of_key_sql(plan) }}
      rows between unbounded preceding and unbounded following
    ), true) as _dbtc_sets
  from {{ input }}
{{- '\n  where ' ~ dbt_changelog.quote(plan.unique_key[0]) ~ ' is not null' if plan.truncates }}
)
{%- endmacro %}

{#- The contents: all versions. -#}
{% macro versions_sql(plan, state) -%}
with {{ dbt_changelog.versions_ctes(plan, state) }}

select * except (_dbtc_last)
from versions
{%- endmacro %}

{#- The rows of the open versions, in the columns of the payload, of the contents. -#}
{% macro current_sql(plan) -%}
select
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }}
from {{ plan.relations.contents }}
where {{ dbt_changelog.quote(plan.versions.valid_to) }} is null
{%- endmacro %}

{#- The inside of a window over the points of a key. -#}
{% macro points_of_key_sql(plan) -%}
{{ return('\n      partition by ' ~ dbt_changelog.csv(plan.unique_key)
          ~ '\n      order by _sequence') }}
{%- endmacro %}

{#- What makes a version, as one value: of the compared columns those that are tracked. -#}
{% macro _tracked_sql(plan) -%}
{%- set fields = [] -%}
{%- for column in plan.compared if column.name == plan.soft_delete
    or dbt_changelog.is_tracked(plan.versions, column.name) -%}
{%- do fields.append(dbt_changelog.comparable_sql(dbt_changelog.quote(column.name), column)) -%}
{%- endfor -%}
{{ return('struct(' ~ (fields or ['1']) | join(', ') ~ ')') }}
{%- endmacro %}

{#- Whether another value of a column makes a version. -#}
{% macro is_tracked(versions, name) -%}
{%- set listed, others = versions.track_history_columns, versions.track_history_columns_except -%}
{{ return((listed is none or dbt_changelog.find_name(name, listed) is not none)
          and dbt_changelog.find_name(name, others or []) is none) }}
{%- endmacro %}
