{#- What of a batch is newer than the state's row of its key. -#}

{#-
  Whether a sequence of the batch is greater than that of the state. Of a row from before a change
  of columns, or of one that was adopted (plan.since), another value at the same sequence is newer.
-#}
{% macro is_newer_sql(plan, name) -%}
{%- set newer = 'change.' ~ name ~ ' > state.' ~ name -%}
{%- set differs = dbt_changelog._differs_sql(plan, name) if plan.since else none -%}
{%- set newer = '(' ~ newer ~ ' or change.' ~ name ~ ' = state.' ~ name ~ ' and state._batch_id < '
    ~ plan.since ~ ' and ' ~ differs ~ ')' if differs else newer -%}
{{ return('coalesce(' ~ newer ~ ', change.' ~ name ~ ' is not null)') }}
{%- endmacro %}

{#- Whether the two differ in what has that sequence: the row, or a column; none of a delete. -#}
{% macro _differs_sql(plan, sequence) -%}
{%- for column in plan.partial if sequence == '_sequences.' ~ dbt_changelog.quote(column.name) -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{{ return('not (' ~ dbt_changelog.comparable_sql('change.' ~ name, column) ~ ' <=> '
          ~ dbt_changelog.comparable_sql('state.' ~ name, column) ~ ')') }}
{%- endfor -%}
{#- a column that the query no longer has is no difference -#}
{%- set stored = dbt_changelog.stored_hash_sql(dbt_changelog.whole_plan(plan), 'state.',
    as_read=true) if plan.absent else 'state._image_hash' -%}
{{ return('coalesce(change._image_hash <> ' ~ stored ~ ', false)' if sequence == '_upserted'
          else none) }}
{%- endmacro %}

{#- The sequence of the state's row, if its values were erased, or NULL. -#}
{% macro erased_sequence_sql() -%}
{{ return('if(state._image_hash is null, state._upserted, null)') }}
{%- endmacro %}
