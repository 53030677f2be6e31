{#- A state without the rows that are outdated, where batches are appended. -#}

{#-
  The statement that deletes the rows of whose key there is a greater one. It reads the keys that
  were appended since the last compaction, and writes files that have such rows. Two different rows
  at the greatest sequence are a tie, and an error (checks).

  It makes no new table in place of this one: that would lose what another run appends meanwhile.
-#}
{% macro compact_sql(plan, checks) -%}
{%- set key, state = dbt_changelog.csv(plan.unique_key), plan.relations.state -%}
{%- set age = [] -%}
{%- for item in dbt_changelog.age_of_row(plan) -%}
{%- do age.append(item.sql if item.sql == item.name else item.sql ~ ' as ' ~ item.name) -%}
{%- endfor -%}
{%- set checks = checks and plan.tie_handling != 'LAST' -%}
merge into {{ state }} as state
using (
  with rows_of_keys as (
    select stored.*
    from {{ state }} as stored
    left semi join {{ state }} as appended
      on {{ dbt_changelog.same_key_sql(plan, 'appended.', 'stored.') }}
      and appended._batch_id > {{ plan.compacted }}
  ),

  last_rows as (
    select
      {{ key }},
      max(struct(
        {{ (age + ([key] if checks else [])) | join(',\n') | indent(8) }}
      )) as _dbtc_last
{%- if checks %},
      max(struct(
        {{ age[:-3] | join(',\n') | indent(8) }},
        ~{{ dbt_changelog.stored_hash_sql(plan, as_read=true) | indent(8) }} as _hash
      )) as _dbtc_rival
{%- endif %}
    from rows_of_keys
    group by {{ key }}
    having count(*) > 1
  )

  select
    {{ key }},
    _dbtc_last._sequence,
    -_dbtc_last._dbtc_before as _batch_id,
    _dbtc_last._changed_at
  from last_rows
{{- dbt_changelog.tie_condition_sql(plan) if checks }}
) as last
on {{ dbt_changelog.same_key_sql(plan, 'last.') }}
when matched
  and struct(state._sequence, state._batch_id, state._changed_at)
    <> struct(last._sequence, last._batch_id, last._changed_at)
then delete
{%- endmacro %}

{#-
  How many rows were appended to a state since its last compaction, and how many it has: formats
  answer both from what they know of their files.
-#}
{% macro count_appended_sql(plan, compacted) -%}
select
  (select count(*) from {{ plan.relations.state }} where _batch_id > {{ compacted }}) as appended,
  (select count(*) from {{ plan.relations.state }}) as state_rows
{%- endmacro %}
