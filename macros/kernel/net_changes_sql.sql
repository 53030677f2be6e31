{#-
  A changelog with a key -> what each change did to its row: _row_kind (never UPDATE_BEFORE), _old
  and _new. The row before is that of the change before it, or its own UPDATE_BEFORE.

  What was before the first change of a key is not known, and its kind is taken at its word; with a
  state_ttl nothing was.
-#}
{% macro net_changes_sql(plan, changes) -%}
{%- set has_state, repeats = plan.state_ttl is not none, plan.state_ttl not in [none, '0'] -%}
{%- set live = '_row_kind in (' ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ ')' -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set lone_update = plan.pairs and 'UPDATE_BEFORE' in kinds and 'INSERT' in kinds -%}
select *
from (
  select
    * except (_row_kind, _image, _previous, _is_last),
    case
      when _row_kind = 'UPDATE_BEFORE' and not _is_last then null
      when _old is null and _new is not null then
        {{- " 'INSERT'" if has_state or lone_update
            else " if(_previous is null, _row_kind, 'INSERT')" }}
      when _old is not null and _new is null then 'DELETE'
      when {{ '_new is not null' if repeats else dbt_changelog.rows_differ_sql('_old', '_new') }}
        then 'UPDATE_AFTER'
    end as _row_kind
  from (
    select
      *,
      {{ "if(_previous._row_kind <> 'DELETE', _previous._image, null)" if has_state
         else "if(_previous is null, if(" ~ live ~ ", null, _image),\n        "
              ~ "if(_previous._row_kind <> 'DELETE', _previous._image, null))" }} as _old,
      if({{ live }}, _image, null) as _new
    from (
      select
        *,
        lag(struct(_row_kind, _image)) over by_key as _previous,
        lead(true) over by_key is null as _is_last
      from (
        {{ dbt_changelog.sole_changes_sql(plan, changes) | indent(8) }}
      ) as sole_changes
      window by_key as (
        partition by {{ dbt_changelog.csv(plan.unique_key) }}
        order by _sequence, _row_kind <> 'UPDATE_BEFORE'
      )
    ) as neighbours
  ) as rows_before_and_after
) as net_changes
where _row_kind is not null
{%- endmacro %}
