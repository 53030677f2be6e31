{#-
  The truncates of a batch that the state does not have (`new_truncates`), and the last one of all
  (`last_truncate`). They have no key: of most files the state's statistics say that none is there.
  A join, since Delta can not always read the table of a MERGE in a subquery. Their kind is not
  compared by `=`: from a constant, Spark 4.1 takes parts of the sequence for superfluous, and a
  MERGE then fails (INTERNAL_ERROR_ATTRIBUTE_NOT_FOUND).
-#}
{% macro truncates_ctes(plan, merges) -%}
{%- set all = 'collect_set(_sequence)' if plan.keeps_deletes else 'max(_sequence)' -%}
{%- if merges -%}
stored_truncates as (
  select _sequence
  from {{ plan.relations.state }}
  where {{ dbt_changelog.quote(plan.unique_key[0]) }} is null
),

{% endif -%}
new_truncates as (
  select distinct _sequence
  from sent_changes
{%- if merges %}
  left anti join stored_truncates using (_sequence)
{%- endif %}
  where startswith(_row_kind, 'TRUNCATE')
),

{% if merges -%}
all_truncates as (
  select _sequence from stored_truncates
  union all
  select _sequence from new_truncates
),

{% endif -%}
last_truncate as (
  select {{ all }} as _dbtc_truncated
  from {{ 'all_truncates' if merges else 'new_truncates' }}
)
{%- endmacro %}

{#- The rows of the state that a new truncate reaches, beside those of the batch: -> `all_rows`. -#}
{% macro truncated_rows_ctes(plan) -%}
{%- set key, columns = dbt_changelog.csv(plan.unique_key), [] -%}
{%- set names = plan.payload + plan.passthrough + ['_image_hash', '_upserted', '_removed']
    + (['_sequences'] if plan.partial else []) -%}
{%- for name in names -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- do columns.append('state.' ~ column if name in plan.unique_key
    else ('array()' if name == '_removed' and plan.keeps_deletes else 'null') ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- set reached = ['state._upserted <= last_new._dbtc_last'] -%}
{%- for column in plan.partial -%}
{%- do reached.append('state._sequences.' ~ dbt_changelog.quote(column.name)
    ~ ' <= last_new._dbtc_last') -%}
{%- endfor -%}
last_new as (
  select max(_sequence) as _dbtc_last
  from new_truncates
  having max(_sequence) is not null
),

all_rows as (
  select *
  from batch_rows
  union all
  select
    {{ columns | join(',\n    ') }},
    _dbtc_truncated
  from {{ plan.relations.state }} as state
  cross join last_new
  cross join last_truncate
  left anti join batch_rows as change
    on {{ dbt_changelog.same_key_sql(plan) }}
  where {{ dbt_changelog.is_live_sql('state.') }}
    and ({{ reached | join('\n      or ') }})
)
{%- endmacro %}
