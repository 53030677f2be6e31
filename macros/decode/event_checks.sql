{#-
  What no event may have: [{problem, condition, error}], all SQL. problem: in words, for diagnose;
  error: what the run does with such an event. The first two are of its code: of an event that has
  one of them nothing else can be said.
-#}
{% macro event_checks(plan) -%}
{%- set op, text = dbt_changelog.op_sql(plan), dbt_changelog.literal -%}
{%- set checks = [
  {'problem': text('the op code is NULL'),
   'condition': op ~ ' is null',
   'error': dbt_changelog._null_error_sql(plan, 'op', 'the op code', 'correct format if the'
     ~ ' events are of another one; leave out in the query what is no change event' if plan.wire
     else 'leave null records out in the query (where ' ~ plan.op ~ ' is not null); any other event'
     ~ ' needs its code')},
  {'problem': 'concat(' ~ text("unknown op code '") ~ ', ' ~ op ~ ', ' ~ text("'") ~ ')',
   'condition': op ~ ' not in ('
     ~ dbt_changelog.literals(plan.op_mapping | map(attribute='code')) ~ ')',
   'error': dbt_changelog._unknown_code_error_sql(plan)
     if plan.invalid_op_handling == 'FAIL' else 'false'},
] -%}
{%- for item in plan.sequence_by -%}
{%- do checks.append({
  'problem': text('sequence_by ' ~ item ~ ' is NULL'),
  'condition': item ~ ' is null',
  'error': dbt_changelog._null_error_sql(plan, 'sequence_by', item, 'set sequence_by: the event'
    ~ ' has no position that its format knows' if plan.wire and item.startswith('`_order_')
    else 'write an expression that is never NULL, such as a coalesce that puts such events in'
    ~ ' place'),
}) -%}
{%- endfor -%}
{%- set truncates = dbt_changelog.codes_with(plan.op_mapping, ['TRUNCATE']) -%}
{%- for name in plan.unique_key if not plan.images -%}
{%- do checks.append({
  'problem': text('key column ' ~ name ~ ' is NULL'),
  'condition': dbt_changelog.quote(name) ~ ' is null' ~ (' and ' ~ op ~ ' not in ('
    ~ dbt_changelog.literals(truncates) ~ ')' if truncates else ''),
  'error': dbt_changelog._null_error_sql(plan, 'unique_key', 'key column ' ~ name, 'name columns'
    ~ ' that are never NULL, or fix the query that lost the key'),
}) -%}
{%- endfor -%}
{{ return(checks + (dbt_changelog._image_checks(plan) if plan.images else [])) }}
{%- endmacro %}

{#-
  Whether an event is right, or an error. It stands in the where of the first step, below every
  aggregation: there nothing can prune it. Events of an unknown code are kept out here, too.
-#}
{% macro event_checks_sql(plan) -%}
case
{%- for check in dbt_changelog.event_checks(plan) %}
  when {{ check.condition }} then
    {{ check.error }}
{%- endfor %}
  else true
end
{%- endmacro %}

{#- The problems of an event as an array of texts, empty where nothing is wrong. -#}
{% macro event_problems_sql(plan) -%}
{%- set checks = dbt_changelog.event_checks(plan) -%}
case
{%- for check in checks[:2] %}
  when {{ check.condition }} then
    array({{ check.problem }})
{%- endfor %}
  else array_compact(array(
{%- for check in checks[2:] %}
    if({{ check.condition }}, {{ check.problem }}, null){{ ',' if not loop.last }}
{%- endfor %}
  ))
end
{%- endmacro %}

{#- Whether no key column of a change is NULL, or else an error. -#}
{% macro image_key_checks_sql(plan, raises) -%}
{%- set known = [] -%}
{%- for name in plan.unique_key -%}
{%- do known.append(dbt_changelog.image_key_sql(plan, name) ~ ' is not null') -%}
{%- endfor -%}
{%- set truncates = dbt_changelog.codes_with(plan.op_mapping, ['TRUNCATE']) != [] -%}
{%- if not raises -%}
{{ return(("_row_kind = 'TRUNCATE' or " if truncates) ~ known | join(' and ')) }}
{%- endif -%}
case
{%- if truncates %}
  when _row_kind = 'TRUNCATE' then true
{%- endif %}
{%- for name in plan.unique_key %}
  when {{ dbt_changelog.image_key_sql(plan, name) }} is null then
    {{ dbt_changelog._null_error_sql(plan, 'unique_key', 'key column ' ~ name,
       'name columns that are never NULL'
       ~ (', as the messages write them: names in JSON are case-sensitive'
          if plan.wire and plan.wire.schema)
       ~ ("; if it is a delete whose images lack the key, select '" ~ name ~ "' beside them"
          if plan.columns is not none)) }}
{%- endfor %}
  else true
end
{%- endmacro %}

{#-
  An event as text, for messages: its op code and images, or its op code and key, or without a key
  its row. Of a message that is not of its format these are NULL: the read column says which it is.
-#}
{% macro event_text_sql(plan) -%}
{%- set names = [plan.op] + ([plan.before, plan.after] | select('string') | list
    if plan.images else plan.unique_key or plan.payload or []) -%}
{%- set read = dbt_changelog.find_name(plan.read.get('column') or '',
    plan.columns.input | map(attribute='name')) if plan.wire else none -%}
{%- set shown = (names + ([read] if read else [])) | unique | list -%}
{{ return('to_json(struct(' ~ dbt_changelog.csv(shown) ~ '))') }}
{%- endmacro %}

{#- The images that the row kinds of a code need, each with its own way out. -#}
{% macro _image_checks(plan) -%}
{%- set checks, needs = [], [
  {'side': 'after', 'kind': 'INSERT', 'codes': []},
  {'side': 'before', 'kind': 'DELETE', 'codes': []},
  {'side': 'before', 'kind': 'UPDATE_BEFORE', 'codes': []},
  {'side': 'before', 'kind': 'UPDATE_AFTER', 'codes': []},
] -%}
{%- for entry in plan.op_mapping -%}
{%- set kinds = entry.kinds -%}
{%- do needs[0].codes.append(entry.code) if 'INSERT' in kinds or 'UPDATE_AFTER' in kinds -%}
{%- do needs[1].codes.append(entry.code)
    if 'DELETE' in kinds and (plan.consume_full_deletes or not plan.unique_key) -%}
{%- do needs[2].codes.append(entry.code) if kinds == ['UPDATE_BEFORE'] -%}
{%- do needs[3].codes.append(entry.code)
    if 'UPDATE_BEFORE' in kinds and kinds | length > 1 and not plan.state_backed -%}
{%- endfor -%}
{%- for need in needs if need.codes and plan[need.side] -%}
{%- do checks.append({
  'problem': dbt_changelog.literal('the ' ~ need.side ~ ' image is NULL'),
  'condition': dbt_changelog.op_sql(plan) ~ ' in (' ~ dbt_changelog.literals(need.codes)
    ~ ') and ' ~ dbt_changelog.quote(plan[need.side]) ~ ' is null',
  'error': dbt_changelog._null_image_error_sql(plan, need.side, need.kind),
}) -%}
{%- endfor -%}
{{ return(checks) }}
{%- endmacro %}

{#- The error for a NULL where there must be a value; it shows the event. -#}
{% macro _null_error_sql(plan, argument, what, fix) -%}
{{ return(dbt_changelog.raise_error_sql(
  "Invalid '" ~ argument ~ "' in " ~ plan.where ~ ': ' ~ what ~ ' is NULL in the event ',
  dbt_changelog.event_text_sql(plan), '.\nTo fix: ' ~ fix ~ '.')) }}
{%- endmacro %}

{#- The error for an image that is NULL although a row kind needs it, and the way out for it. -#}
{% macro _null_image_error_sql(plan, side, kind) -%}
{%- set replaces = plan.unique_key and not plan.on_conflict -%}
{%- set source = 'let the source write the row before (Postgres: replica identity full)' -%}
{%- set fixes = {
  'INSERT': 'correct the query if it did not parse the image (from_json then gives NULL), or'
    ~ ' op_mapping if events of this code have no row after',
  'UPDATE_AFTER': "map the code to UPDATE_AFTER alone; or set state_ttl='0', and the previous row"
    ~ ' comes from the state; or ' ~ source if replaces
    else source if plan.unique_key
    else 'set unique_key and map the code to UPDATE_AFTER alone; or ' ~ source,
  'DELETE': 'leave consume_full_deletes out: then the key is enough; or ' ~ source
    if replaces else source if plan.unique_key
    else 'set unique_key: then the key of a delete is enough; or ' ~ source,
  'UPDATE_BEFORE': 'leave these events out in the query if each has an UPDATE_AFTER, which says'
    ~ ' what became of the row; or ' ~ source if replaces else source,
} -%}
{{ return(dbt_changelog.raise_error_sql(
  "Invalid '" ~ side ~ "' in " ~ plan.where ~ ': the ' ~ side ~ ' image is NULL in the event ',
  dbt_changelog.event_text_sql(plan), '.\nTo fix: ' ~ fixes[kind] ~ '.')) }}
{%- endmacro %}

{#-
  The error for a code that op_mapping does not know; of a format it says by the code what to do.
-#}
{% macro _unknown_code_error_sql(plan) -%}
{%- set op, text = dbt_changelog.op_sql(plan), dbt_changelog.literal -%}
{%- set fix = "add it to op_mapping, or set invalid_op_handling='SKIP' if such events change no"
  ~ ' row; a truncate does: ' ~ ('map it to TRUNCATE.' if plan.unique_key
    else 'select what came after it, and run with --full-refresh.') -%}
{%- set skip = ", or set invalid_op_handling='SKIP' to leave such events out." -%}
{%- set by_code = 'case\n  when ' ~ op ~ " like '%(set meta.unit)' then "
  ~ text('in the yml of the model say what this column is written in, with meta: {unit: ..}'
    ~ skip)
  ~ '\n  when ' ~ op ~ " like 'unreadable%' then "
  ~ text('correct the data_type of the column that is named; a whole message is unreadable if it is'
    ~ ' no JSON or a value does not fit its data_type' ~ skip)
  ~ ('' if plan.unique_key else '\n  when ' ~ op ~ " like 'not sent%' then "
    ~ text('set unique_key, or let the source send the column (Postgres: replica identity full)'
      ~ skip))
  ~ '\n  else ' ~ text(fix) ~ '\nend' -%}
{{ return(dbt_changelog.raise_error_sql(
  "Unknown op code '", op, "' in column " ~ plan.op ~ ' of ' ~ plan.where ~ '. Known codes: '
  ~ plan.op_mapping | map(attribute='code') | join(', ') ~ '.\nTo fix: '
  ~ (fix if not plan.wire else ''), by_code if plan.wire else '')) }}
{%- endmacro %}
