{#-
  What stands behind the row of a change event: its place. In the table of a model that is its
  batch, and the number of the change among those of its key; without a key, among all of the batch.

  row: what tells two changes of one sequence apart.
-#}
{% macro event_place_sql(plan, ordinal, row) -%}
{%- if plan.batch_id is none -%}
_sequence,
{{ ordinal ~ (' as _ordinal' if ordinal != '_ordinal') }}
{%- else -%}
cast({{ plan.batch_id }} as bigint) as _batch_id,
row_number() over (
{%- if plan.unique_key %}
  partition by {{ dbt_changelog.csv(plan.unique_key) }}
  order by _sequence, {{ ordinal }}
{%- else %}
  order by
    _sequence,
    {{ ordinal }},
    array_position(array({{ dbt_changelog.literals(dbt_changelog.row_kinds()) }}), _row_kind),
    {{ dbt_changelog.row_text_sql(row) }}
{%- endif %}
) as _position
{%- endif -%}
{%- endmacro %}
