{#-
  The plan, once the rows of a table that has the model's name are its state (adopt), and that table
  has another name. The events come after that, all of them, whatever the table has of them.

  The rows are a batch of their own, in which each is an insert. So it is written, emitted and
  counted as any other, and after a crash the table is still there, or the state has its rows.
-#}
{% macro adopt_table(plan) -%}
{%- set adoption = dbt_changelog.next_adoption(plan) if not dbt_changelog.reads_nothing()
    else none -%}
{%- if adoption is none -%}
{{ return(plan) }}
{%- endif -%}
{%- set batch, relations = adoption.batch, plan.relations -%}
{%- set outcome = dbt_changelog.run_before(adoption.plan, batch) -%}
{%- do log('Adopted ' ~ outcome.counters.rows_inserted ~ ' rows of ' ~ adoption.table ~ ' as batch '
    ~ batch.id ~ ' of ' ~ plan.where ~ ', ' ~ adoption.order
    ~ ('. The table is now ' ~ batch.rename_to if batch.rename_to) ~ '.', info=true) -%}
{#- where the view reads now -#}
{{ return(dict(plan, relations=dbt_changelog.model_relations(
    relations.contents, relations.home.schema, false,
    dbt_changelog.listed_tables(relations.home, relations.contents)))) }}
{%- endmacro %}

{#-
  The batch that takes over a table, {plan, batch, table, order}, checked; none where there is no
  table to take, or events have been read up to a position. order: which sequences the rows get, in
  words.

  plan.since: an event that has the sequence of such a row, and says other than it, is no tie: the
  event counts.
-#}
{% macro next_adoption(plan) -%}
{%- set contents = load_relation(plan.relations.contents) if plan.get('adopt') else none -%}
{%- if not plan.get('adopt') or dbt_changelog.is_full_refresh()
    or (contents is not none and contents.is_view) -%}
{{ return(none) }}
{%- endif -%}
{#- a run that was killed may have done all but give the table its new name -#}
{%- set found = dbt_changelog.recovered_tables(plan) -%}
{%- if found.log and found.log.batch.position -%}
{{ return(none) }}
{%- endif -%}
{%- set batch = dbt_changelog.new_batch(plan, found, true, {}, none, adopts=true) -%}
{%- set table = dbt_changelog._table_to_adopt(plan, found, batch) -%}
{%- if table is none -%}
{{ return(none) }}
{%- endif -%}
{%- set rows = dbt_changelog.adopted_rows(plan, table) -%}
{%- do dbt_changelog._check_keys(plan, table) -%}
{{ return({
  'plan': dict(plan, since=batch.id + 1, adopted=batch.id, partial=rows.partial),
  'batch': dict(batch, arrived=none, events=rows.events, reader=rows.reader),
  'table': table,
  'order': 'ordered by ' ~ rows.order | join(', ') if rows.order else 'below all events',
}) }}
{%- endmacro %}

{#-
  The table whose rows are to be taken over; none, if there is none. Where the view commits a state,
  a run that was killed may have renamed the table and left a state that no view reads.
-#}
{% macro _table_to_adopt(plan, found, batch) -%}
{%- set contents = load_relation(plan.relations.contents) -%}
{%- if contents is not none -%}
{{ return(none if contents.is_view else plan.relations.contents) }}
{%- endif -%}
{%- set aside = dbt_changelog.sibling_relation(plan.relations.contents, 'before_changelog') -%}
{{ return(aside if not found.log and batch.old_states and load_relation(aside) is not none
          else none) }}
{%- endmacro %}

{#- A key names one row. -#}
{% macro _check_keys(plan, table) -%}
{%- set found = run_query(dbt_changelog._count_keys_sql(plan, table)).rows[0].dict() -%}
{%- if found.without_key | int > 0 -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'adopt', 'the table ' ~ table ~ ' has '
    ~ found.without_key ~ ' rows whose key (' ~ plan.unique_key | join(', ') ~ ') is NULL',
    'delete them or give them a key, or name other columns in unique_key') -%}
{%- elif found.doubled | int > 0 -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'adopt', 'the table ' ~ table ~ ' has '
    ~ found.doubled ~ ' keys with more than one row, such as ' ~ found.example,
    'keep one row of each, or name more columns in unique_key') -%}
{%- endif -%}
{%- endmacro %}

{% macro _count_keys_sql(plan, table) -%}
{%- set key = dbt_changelog.csv(plan.unique_key) -%}
with keys as (
  select {{ key }}, count(*) as copies
  from {{ table }}
  group by {{ key }}
)

select
  coalesce(sum(copies) filter (
    where {{ dbt_changelog.csv(plan.unique_key, suffix=' is null', separator=' or ') }}
  ), 0) as without_key,
  count(*) filter (where copies > 1) as doubled,
  min(to_json(struct({{ key }}))) filter (where copies > 1) as example
from keys
{%- endmacro %}
