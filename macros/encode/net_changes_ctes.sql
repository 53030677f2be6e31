{#-
  A changelog with a key -> what each change did to its row, as CTEs: `checked_changes` ->
  `net_changes`: _row_kind (never UPDATE_BEFORE), _dbtc_old and _dbtc_new; where events are a row a
  kind, -> `split_changes` after it.

  The row before is what the last change left (_dbtc_known), whatever an UPDATE_BEFORE says of it;
  if none is known, that UPDATE_BEFORE's. A change to an equal row that is known is left out. The
  kind of the first change of a key is taken at its word; with a state_ttl nothing was before it,
  and only an UPDATE_AFTER has an UPDATE_BEFORE.

  A kind without a code is not given to a change whose own kind may have one: it would be lost.

  explode drops what has no kind; for a `where` Spark would compare the rows again and again.
-#}
{% macro net_changes_ctes(plan) -%}
{%- set has_state, repeats = plan.state_ttl is not none, plan.state_ttl not in [none, '0'] -%}
{%- set by_key = '(\n      partition by ' ~ dbt_changelog.csv(plan.unique_key)
    ~ "\n      order by _sequence, _row_kind <> 'UPDATE_BEFORE'\n    )" -%}
{%- set live, kinds = dbt_changelog.is_live_sql(), dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set updated = "'UPDATE_AFTER'" if 'UPDATE_AFTER' in kinds else '_row_kind' -%}
{%- set whole = has_state or (plan.pairs and 'UPDATE_BEFORE' in kinds and 'INSERT' in kinds) -%}
{%- set is_last = plan.tie_handling == 'LAST' -%}
{#- what stands beside the images of a model is of its rows, too -#}
{%- set passed = plan.compared | selectattr('name', 'in', plan.passthrough)
    | rejectattr('name', 'in', plan.unique_key) | list if plan.knows_rows else [] -%}
{%- set known = ['_sequence', '_row_kind', '_dbtc_image'] -%}
{%- for column in passed -%}
{%- do known.append(dbt_changelog.quote(column.name)) -%}
{%- endfor -%}
{%- if is_last -%}
{#- one that a text tells apart, and no text of a map's keys -#}
{{ dbt_changelog.winners_ctes(plan, 'checked_changes', true, [dbt_changelog.kind_rank_sql(),
     dbt_changelog.row_text_sql('_dbtc_image.equal' if plan.knows_rows and not plan.orderable
                                else '_dbtc_image.row')]) }},

{% endif -%}
neighbours as (
  select
    *,
    lag(if(_row_kind = 'UPDATE_BEFORE', null, struct({{ known | join(', ') }})))
      ignore nulls over {{ by_key }} as _dbtc_known,
    lag(if(_row_kind = 'UPDATE_BEFORE', _dbtc_image, null)) over {{ by_key }} as _dbtc_retracted,
    lead(true) over {{ by_key }} is null as _dbtc_is_last
  from {{ 'winners' if is_last else 'checked_changes' }}
),

before_and_after as (
  select
    *,
    {{ ([dbt_changelog.rows_equal_sql(plan, '_dbtc_known._dbtc_image', '_dbtc_image')]
        + dbt_changelog.equal_columns(passed, '_dbtc_known.', '')) | join('\n      and ') }}
      as _dbtc_is_equal,
    case
      when _dbtc_known is not null
        then if(_dbtc_known._row_kind = 'DELETE', null, _dbtc_known._dbtc_image)
      when _dbtc_retracted is not null
        {{- " and _row_kind = 'UPDATE_AFTER'" if has_state }} then _dbtc_retracted
{%- if not has_state %}
      when not {{ live }} then _dbtc_image
{%- endif %}
    end as _dbtc_old,
    if({{ live }}, _dbtc_image, null) as _dbtc_new
  from neighbours
  where _row_kind <> 'UPDATE_BEFORE' or _dbtc_is_last
),

net_changes as (
  select
    * except (_row_kind, _dbtc_image, _dbtc_known, _dbtc_is_equal, _dbtc_is_last, _dbtc_retracted),
    explode(case
{%- if not is_last %}
      when _dbtc_known._sequence = _sequence then
        {{ dbt_changelog._repeat_check_sql(plan) | indent(8) }}
{%- endif %}
      when _dbtc_old is null and _dbtc_new is not null then array(
        {{- '_row_kind' if 'INSERT' not in kinds else "'INSERT'" if whole
            else "if(_dbtc_known is null, _row_kind, 'INSERT')" }})
      when _dbtc_old is not null and _dbtc_new is null then array('DELETE')
      when _dbtc_new is not null
        {{- ' and not (_dbtc_known is not null and _dbtc_is_equal)' if not repeats }}
        then {{ dbt_changelog.append_error_sql(plan, "'UPDATE_AFTER' as _row_kind, "
                  ~ dbt_changelog.csv(plan.unique_key))
                if plan.encoding == 'append' else 'array(' ~ updated ~ ')' }}
    end) as _row_kind
  from before_and_after
)
{%- if not plan.pairs %},

{{ dbt_changelog._split_changes_ctes('UPDATE_BEFORE' in kinds) }}
{%- endif -%}
{%- endmacro %}

{#- Net changes as a changelog again: a row a kind, with the image that belongs to it. -#}
{% macro _split_changes_ctes(retracts) -%}
kinds_of_changes as (
  select
    * except (_row_kind, _ordinal),
{%- if retracts %}
    explode(if(
      _row_kind = 'UPDATE_AFTER' and _dbtc_old is not null,
      array('UPDATE_BEFORE', 'UPDATE_AFTER'),
      array(_row_kind)
    )) as _row_kind
{%- else %}
    _row_kind
{%- endif %}
  from net_changes
),

split_changes as (
  select
    *,
    {{ dbt_changelog.ordinal_sql() }} as _ordinal,
    if({{ dbt_changelog.is_live_sql() }}, _dbtc_new, _dbtc_old) as _dbtc_image
  from kinds_of_changes
)
{%- endmacro %}

{#- A change of a key and sequence that were there before does nothing, or is a tie. -#}
{% macro _repeat_check_sql(plan) -%}
{%- set ours = dbt_changelog.is_live_sql() -%}
if(
  ({{ ours }}) <> ({{ dbt_changelog.is_live_sql('_dbtc_known.') }})
    or ({{ ours }} and not _dbtc_is_equal),
  {{ dbt_changelog.tie_error_sql(plan, '', '_sequence') }},
  null
)
{%- endmacro %}
