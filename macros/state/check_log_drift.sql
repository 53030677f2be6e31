{#-
  What a log can't follow, also in a full refresh: what its consumers have read stays as it is, and
  must be readable with what comes. Columns of the rows are follow_log's.
-#}
{% macro check_log_drift(plan, log) -%}
{%- set table, refuse = plan.relations.log, dbt_changelog.raise_invalid -%}
{%- set anew = '; or rename or drop ' ~ table ~ (' and ' ~ plan.relations.state
    if plan.input == 'table' else '') ~ ', start its consumers anew, and run again' -%}
{%- set mapping = {} -%}
{%- for entry in plan.op_mapping -%}
{%- do mapping.update({entry.kinds | join(', '): entry.code}) -%}
{%- endfor -%}
{%- for name, value in dict(plan, op_mapping=mapping) | dictsort
    if name in ['input', 'unique_key', 'op', 'op_mapping', 'before', 'after', 'passthrough']
    and value != log.plan[name] -%}
{%- do refuse(plan.where, name, 'it is ' ~ value ~ ', but ' ~ table ~ ' was made with '
    ~ log.plan[name], 'set it back' ~ anew) -%}
{%- endfor -%}
{%- if should_full_refresh() and plan.input == 'changes' and plan.reader is none
    and log.batch.id > 0 -%}
{%- do refuse(plan.where, 'full_refresh', 'the events of ' ~ table ~ ' do not say which rows there'
    ~ ' are, so how they differ can not be found', 'run without --full-refresh' ~ anew) -%}
{%- elif plan.has_staging and log.batch.id > 0
    and not dbt_changelog.table_exists(plan.relations.state) -%}
{%- do refuse(plan.where, 'state', 'the table ' ~ plan.relations.state
    ~ ', which remembers what ' ~ table ~ ' says, is gone', 'restore it' ~ anew) -%}
{%- endif -%}
{%- endmacro %}
