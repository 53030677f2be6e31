{#- What a state forgets of rows that are gone, and when. -#}

{#-
  Deletes the tombstones that need not be remembered. None of this batch goes: they say that it was
  written. A statement of its own: as a branch of the MERGE (not matched by source) it doubles its
  time.
-#}
{% macro purge_tombstones_sql(plan, batch) -%}
delete from {{ plan.relations.state }}
where {{ dbt_changelog.is_forgotten_sql(plan) }}
  and _batch_id < {{ batch.id }}
{%- endmacro %}

{#- How many of them there are. -#}
{% macro count_forgotten_sql(plan, batch) -%}
select count(*) as tombstones_forgotten
from {{ plan.relations.state }}
where {{ dbt_changelog.is_forgotten_sql(plan) }}
  and _batch_id < {{ batch.id }}
{%- endmacro %}

{#- The same where there is no MERGE, as a CTE: `merged_rows` -> `remembered_rows`. -#}
{% macro remembered_rows_cte(plan) -%}
remembered_rows as (
  select *
  from merged_rows
  where not ({{ dbt_changelog.is_forgotten_sql(plan) | indent(4) }})
)
{%- endmacro %}

{#-
  Whether a row of the state is such a tombstone: any one where each event counts; else by
  tombstone_retention: its age is that of its greatest sequence. A key that was erased is remembered
  for ever.
-#}
{% macro is_forgotten_sql(plan) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{{ return(kernel.is_tombstone if kernel.counts_events
          else kernel.is_tombstone ~ '\n  and not (' ~ kernel.is_erased ~ ')\n  and _changed_at <= '
          ~ plan.now ~ " - interval '" ~ plan.tombstone_retention ~ "'") }}
{%- endmacro %}
