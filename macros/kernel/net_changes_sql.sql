{#-
  A changelog with a key -> what each change did to its row: _row_kind (never UPDATE_BEFORE), _old
  and _new. The row before is that of the change before it, or its own UPDATE_BEFORE. A change to an
  equal row is none, if that row is known to be there.

  What was before the first change of a key is not known, and its kind is taken at its word; with a
  state_ttl nothing was.
-#}
{% macro net_changes_sql(plan, changes) -%}
{%- set has_state, repeats = plan.state_ttl is not none, plan.state_ttl not in [none, '0'] -%}
{%- set live = dbt_changelog.live_kind_sql() -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set whole = has_state or (plan.pairs and 'UPDATE_BEFORE' in kinds and 'INSERT' in kinds) -%}
select *
from (
  select
    * except (_row_kind, _image, _previous, _was_there, _is_last),
    case
      when _row_kind = 'UPDATE_BEFORE' and not _is_last then null
{%- if plan.tie_handling == 'FAIL' %}
      when _previous._sequence = _sequence and _previous._row_kind <> 'UPDATE_BEFORE' then
        {{- ' ' ~ dbt_changelog.repeat_check_sql(plan) | indent(8) }}
{%- endif %}
      when _old is null and _new is not null then
        {{- " 'INSERT'" if whole else " if(_previous is null, _row_kind, 'INSERT')" }}
      when _old is not null and _new is null then 'DELETE'
      when _new is not null then
        {{- " 'UPDATE_AFTER'" if repeats else " if(_was_there and "
            ~ dbt_changelog.rows_equal_sql('_old', '_new') ~ ", null, 'UPDATE_AFTER')" }}
    end as _row_kind
  from (
    select
      *,
      case
        when _previous._row_kind <> 'DELETE' then _previous._image
{%- if not has_state %}
        when _previous is null and not {{ live }} then _image
{%- endif %}
      end as _old,
      if({{ live }}, _image, null) as _new
    from (
      select
        *,
        lag(struct(_sequence, _row_kind, _image)) over by_key as _previous,
        lag(nullif(_row_kind, 'UPDATE_BEFORE')) ignore nulls over by_key
          in ({{ dbt_changelog.literals(dbt_changelog.live_kinds()) }}) as _was_there,
        lead(true) over by_key is null as _is_last
      from (
        {{ changes | indent(8) }}
      ) as change_images
      window by_key as (
        partition by {{ dbt_changelog.csv(plan.unique_key) }}
        order by _sequence, _row_kind <> 'UPDATE_BEFORE'
      )
    ) as neighbours
  ) as rows_before_and_after
) as net_changes
where _row_kind is not null
{%- endmacro %}
