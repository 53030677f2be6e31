{#-
  Each change with what it is to the change before it (_own_kind), and what its row is to the next
  (_next_kind, _next_sequence): NULL where that is nothing. changes: a select with _image_hash;
  has_state: with _is_stored, too. A stored row is no change of its own, but what the first change
  of its key retracts.

  With a state_ttl above zero equal rows are changes too: they refresh what is remembered.
-#}
{% macro neighbours_sql(plan, changes, has_state=false) -%}
{%- set by_key = '(partition by ' ~ dbt_changelog.csv(plan.unique_key) ~ ' order by _sequence'
    ~ (', not _is_stored' if has_state else '') ~ ')' -%}
{%- set live = '_row_kind in (' ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ ')' -%}
{%- set repeats = plan.state_ttl not in [none, '0'] -%}
{%- set retracts = 'UPDATE_BEFORE' in dbt_changelog.mapped_kinds(plan.op_mapping) -%}
select
  * except (_is_live),
  case
    when {{ '_is_stored or ' if has_state }}not _is_live then null
    when not coalesce(lag(_is_live) over {{ by_key }}, false) then 'INSERT'
    {{ "else 'UPDATE_AFTER'" if repeats
       else "when lag(_image_hash) over " ~ by_key ~ " <> _image_hash then 'UPDATE_AFTER'" }}
  end as _own_kind,
  case
    when not _is_live then null
    when not lead(_is_live) over {{ by_key }} then 'DELETE'
{%- if retracts %}
    when {{ 'lead(_is_live) over ' ~ by_key if repeats
            else 'lead(_image_hash) over ' ~ by_key ~ ' <> _image_hash' }} then 'UPDATE_BEFORE'
{%- endif %}
  end as _next_kind,
  lead(_sequence) over {{ by_key }} as _next_sequence
from (
  select *, {{ live }} as _is_live
  from (
    {{ changes | indent(4) }}
  ) as winning_changes
) as live_changes
{%- endmacro %}
