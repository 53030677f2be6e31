{#-
  A changelog, its pairs joined: an update has its row before (_old) and after (_new). Without a key
  a pair is what is alone at its sequence: where several rows changed at once, nothing says which
  half belongs to which. A half that is left over is a DELETE or an INSERT, where these have codes.
-#}
{% macro joined_changes_sql(plan, changes) -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set is_live = dbt_changelog.live_kind_sql() -%}
{%- set grouped, whole = 'UPDATE_BEFORE' in kinds, [] -%}
{%- for half, kind in [['UPDATE_BEFORE', 'DELETE'], ['UPDATE_AFTER', 'INSERT']]
    if grouped and kind in kinds -%}
{%- do whole.append("when _row_kind = '" ~ half ~ "' and not _is_pair then '" ~ kind ~ "'") -%}
{%- endfor -%}
{%- set at_once = '(partition by ' ~ (dbt_changelog.csv(plan.unique_key) or '_sequence')
    ~ " order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE')" -%}
select
  * except (_row_kind, _image, _is_pair, _before),
  {{ 'case ' ~ whole | join(' ') ~ ' else _row_kind end as _row_kind' if whole
     else '_row_kind' }},
  case
    when not {{ is_live }} then _image
    when _row_kind = 'UPDATE_AFTER' and _is_pair then _before
  end as _old,
  if({{ is_live }}, _image, null) as _new
from (
  select
    *,
    {{ dbt_changelog.is_pair_sql(at_once) | indent(4) }} as _is_pair,
    lag(_image) over {{ at_once }} as _before
  from (
    {{ changes | indent(4) }}
  ) as change_images
) as halves
where _row_kind <> 'UPDATE_BEFORE'{{ ' or not _is_pair' if grouped }}
{%- endmacro %}
