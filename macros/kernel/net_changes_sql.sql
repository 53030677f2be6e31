{#-
  A changelog with a key -> what each change did to its row: _row_kind (never UPDATE_BEFORE), _old
  and _new. The row before is what the last change left (_known), whatever an UPDATE_BEFORE says of
  it; if none is known, that UPDATE_BEFORE's. A change to an equal row that is known is none. The
  kind of the first change of a key is taken at its word; with a state_ttl nothing was before it.

  explode drops what is none; for a `where` Spark would compare the rows again and again.
-#}
{% macro net_changes_sql(plan, changes) -%}
{%- set has_state, repeats = plan.state_ttl is not none, plan.state_ttl not in [none, '0'] -%}
{%- set by_key = '(partition by ' ~ dbt_changelog.csv(plan.unique_key)
    ~ " order by _sequence, _row_kind <> 'UPDATE_BEFORE')" -%}
{%- set live = dbt_changelog.live_kind_sql() -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set whole = has_state or (plan.pairs and 'UPDATE_BEFORE' in kinds and 'INSERT' in kinds) -%}
select
  * except (_row_kind, _image, _known, _is_equal, _is_last
    {{- '' if has_state else ', _retracted' }}),
  explode(case
{%- if plan.tie_handling == 'FAIL' %}
    when _known._sequence = _sequence then {{ dbt_changelog.repeat_check_sql(plan) | indent(4) }}
{%- endif %}
    when _old is null and _new is not null then array(
      {{- "'INSERT'" if whole else "if(_known is null, _row_kind, 'INSERT')" }})
    when _old is not null and _new is null then array('DELETE')
    when _new is not null
      {{- ' and not (_known is not null and _is_equal)' if not repeats }} then array('UPDATE_AFTER')
  end) as _row_kind
from (
  select
    *,
    {{ dbt_changelog.rows_equal_sql(plan, '_known._image', '_image') }} as _is_equal,
    case
      when _known is not null then if(_known._row_kind = 'DELETE', null, _known._image)
{%- if not has_state %}
      when _retracted is not null then _retracted
      when not {{ live }} then _image
{%- endif %}
    end as _old,
    if({{ live }}, _image, null) as _new
  from (
    select
      *,
      lag(if(_row_kind = 'UPDATE_BEFORE', null, struct(_sequence, _row_kind, _image)))
        ignore nulls over {{ by_key }} as _known,
{%- if not has_state %}
      lag(if(_row_kind = 'UPDATE_BEFORE', _image, null)) over {{ by_key }} as _retracted,
{%- endif %}
      lead(true) over {{ by_key }} is null as _is_last
    from (
      {{ changes | indent(6) }}
    ) as change_images
  ) as neighbours
  where _row_kind <> 'UPDATE_BEFORE' or _is_last
) as rows_before_and_after
{%- endmacro %}
