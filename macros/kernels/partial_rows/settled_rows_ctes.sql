{#-
  The changes of a batch as the state keeps them, as CTEs: `sent_changes` -> `state_rows`: per key
  the last value of each column, what the last delete or truncate leaves of them, and the truncates
  themselves. Where they are to be merged they have _dbtc_truncated, too: the last truncate that
  there was. With one in the batch all keys of the state that it reaches are among them.
-#}
{% macro settled_rows_ctes(plan, batch) -%}
{%- set merges = not batch.creates -%}
{%- set names = plan.payload + plan.passthrough + dbt_changelog.state_columns_of(plan) -%}
{{ dbt_changelog.last_values_cte(plan) }},
{% if plan.truncates %}
{{ dbt_changelog.truncates_ctes(plan, merges) }},
{% endif %}
ended_values as (
  select *, _dbtc_last._sequence as _upserted
  from last_values
{{- '\n  cross join last_truncate' if plan.truncates }}
),

batch_rows as (
  select
    {{ dbt_changelog._batch_columns(plan) | join(',\n    ') }}
  from ended_values as change
  where {{ dbt_changelog.batch_ties_sql(plan) | indent(4) }}
),
{% if plan.truncates and merges %}
{{ dbt_changelog.truncated_rows_ctes(plan) }},
{% endif %}
{{ 'settled_rows' if plan.truncates else 'state_rows' }} as (
  select
{%- for name, sql in dbt_changelog.settled_columns(plan, false).items() %}
    {{ sql | indent(4) }} as {{ dbt_changelog.quote(name) }},
{%- endfor %}
    cast({{ batch.id }} as bigint) as _batch_id,
    false as _was_live,
    {{ plan.now }} as _changed_at
{{- ',\n    _dbtc_truncated' if plan.truncates and merges }}
  from {{ 'all_rows' if plan.truncates and merges else 'batch_rows' }} as change
  where {{ dbt_changelog.settled_ties_sql(plan, false) | indent(4) }}
)
{%- if plan.truncates %},

state_rows as (
  select *
  from settled_rows
  union all
  select
{%- for name in names %}
{%- set value = {'_sequence': '_sequence', '_row_kind': "'TRUNCATE'"}.get(name, 'null') %}
    {{ value }} as {{ dbt_changelog.quote(name) }},
{%- endfor %}
    cast({{ batch.id }} as bigint) as _batch_id,
    false as _was_live,
    {{ plan.now }} as _changed_at
{{- ',\n    null as _dbtc_truncated' if merges }}
  from new_truncates
)
{%- endif -%}
{%- endmacro %}

{#- The state's columns beside the user's that hold what its events said. -#}
{% macro state_columns_of(plan) -%}
{{ return(['_sequence', '_row_kind', '_image_hash', '_upserted', '_removed']
          + (['_sequences'] if plan.partial else [])) }}
{%- endmacro %}

{#- The columns of a key in a batch, as they are in the state. -#}
{% macro _batch_columns(plan) -%}
{%- set columns, sequences, places = [], [], {} -%}
{%- for column in plan.partial -%}
{%- do places.update({column.name: loop.index}) -%}
{%- do sequences.append('_dbtc_last_' ~ loop.index ~ '._sequence as '
    ~ dbt_changelog.quote(column.name)) -%}
{%- endfor -%}
{%- for name in plan.payload + plan.passthrough -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- do columns.append(column if name in plan.unique_key
    else 'false as ' ~ column if name == plan.soft_delete
    else '_dbtc_last_' ~ places[name] ~ '._value as ' ~ column if name in places
    else '_dbtc_last.' ~ column) -%}
{%- endfor -%}
{%- do columns.extend(['_dbtc_last._image_hash', '_upserted', '_removed']) -%}
{%- do columns.append('struct(' ~ sequences | join(', ') ~ ') as _sequences') if sequences -%}
{%- do columns.append('_dbtc_truncated') if plan.truncates -%}
{{ return(columns) }}
{%- endmacro %}
