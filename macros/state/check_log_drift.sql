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
{%- set now, then = dict(plan, op_mapping=mapping, file_format=plan.table.file_format),
    dict(log.plan, file_format=log.file_format) -%}
{%- for name in ['after', 'before', 'file_format', 'input', 'op', 'op_mapping', 'passthrough',
                 'unique_key'] if now[name] != then[name] -%}
{%- do refuse(plan.where, name, 'it is ' ~ now[name] ~ ', but ' ~ table ~ ' was made with '
    ~ then[name], 'set it back' ~ anew) -%}
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
