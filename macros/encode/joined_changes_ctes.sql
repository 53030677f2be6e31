{#-
  A changelog, its pairs joined, as CTEs: `checked_changes` -> `joined_changes`: an update has its
  row before (_dbtc_old) and after (_dbtc_new). Without a key a pair is what is alone at its
  sequence: where several rows changed at once, nothing says which half belongs to which. A half
  that is left over is a DELETE or an INSERT, where these have codes.
-#}
{% macro joined_changes_ctes(plan) -%}
{%- set kinds, live = dbt_changelog.mapped_kinds(plan.op_mapping), dbt_changelog.is_live_sql() -%}
{%- set grouped, whole = 'UPDATE_BEFORE' in kinds, [] -%}
{%- for half, kind in [['UPDATE_BEFORE', 'DELETE'], ['UPDATE_AFTER', 'INSERT']]
    if grouped and kind in kinds -%}
{%- do whole.append("when _row_kind = '" ~ half ~ "' and not _dbtc_is_pair then '" ~ kind ~ "'") -%}
{%- endfor -%}
{#- UPDATE_AFTER is last, and UPDATE_BEFORE before it -#}
{%- set at_once = '(partition by ' ~ (dbt_changelog.csv(plan.unique_key) or '_sequence')
    ~ " order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE')" -%}
{%- if plan.get('input') == 'table' -%}
{#- a diff: of a key at most the two halves of one update; without a key there is none -#}
{%- if plan.unique_key -%}
neighbours as (
  select
    *,
    lag(_dbtc_image) over (
      partition by {{ dbt_changelog.csv(plan.unique_key) }}
      order by _ordinal
    ) as _dbtc_before
  from checked_changes
),

{% endif -%}
joined_changes as (
  select
    * except (_dbtc_image{{ ', _dbtc_before' if plan.unique_key }}),
    if({{ live }}, {{ '_dbtc_before' if plan.unique_key else 'null' }}, _dbtc_image) as _dbtc_old,
    if({{ live }}, _dbtc_image, null) as _dbtc_new
  from {{ 'neighbours' if plan.unique_key else 'checked_changes' }}
  where _row_kind <> 'UPDATE_BEFORE'
)
{%- else -%}
neighbours as (
  select
    *,
    lag(_row_kind, 2) over {{ at_once }} as _dbtc_kind_before_last,
    lag(struct(_row_kind, _dbtc_image)) over {{ at_once }} as _dbtc_last,
    lead(_row_kind) over {{ at_once }} as _dbtc_next_kind,
    lead(_row_kind, 2) over {{ at_once }} as _dbtc_kind_after_next
  from checked_changes
),

halves as (
  select
    * except (_dbtc_kind_before_last, _dbtc_last, _dbtc_next_kind, _dbtc_kind_after_next),
    {{ dbt_changelog._is_pair_sql() | indent(4) }} as _dbtc_is_pair,
    _dbtc_last._dbtc_image as _dbtc_before
  from neighbours
),

joined_changes as (
  select
    * except (_row_kind, _dbtc_image, _dbtc_is_pair, _dbtc_before),
    {{ 'case\n      ' ~ whole | join('\n      ') ~ '\n      else _row_kind\n    end as _row_kind'
       if whole else '_row_kind' }},
    case
      when not {{ live }} then _dbtc_image
      when _row_kind = 'UPDATE_AFTER' and _dbtc_is_pair then _dbtc_before
    end as _dbtc_old,
    if({{ live }}, _dbtc_image, null) as _dbtc_new
  from halves
  where _row_kind <> 'UPDATE_BEFORE'{{ ' or not _dbtc_is_pair' if grouped }}
)
{%- endif -%}
{%- endmacro %}

{#- Whether a change is half of the only update at its sequence, by its neighbours. -#}
{% macro _is_pair_sql() -%}
case _row_kind
  when 'UPDATE_BEFORE' then
    not _dbtc_last._row_kind <=> 'UPDATE_BEFORE'
    and _dbtc_next_kind <=> 'UPDATE_AFTER'
    and _dbtc_kind_after_next is null
  when 'UPDATE_AFTER' then
    not _dbtc_kind_before_last <=> 'UPDATE_BEFORE'
    and _dbtc_last._row_kind <=> 'UPDATE_BEFORE'
    and _dbtc_next_kind is null
  else false
end
{%- endmacro %}
