{#-
  The error for two different changes of one key and sequence. In which columns they differ is not
  known here, where a row is one number; a column that each delivery writes anew is.
  is_whole: whether rows are whole, so that the kernel has an order of them, tie_handling='LAST',
  and its steps are short.
-#}
{% macro tie_error_sql(plan, side, sequence, is_whole=true) -%}
{%- set fix = 'add a column to sequence_by that orders them'
    ~ (", or set tie_handling='LAST'" if is_whole) -%}
{%- if plan.get('function') == 'from_changelog' and plan.get('read')
    and not plan.on_conflict -%}
{%- set suspect = dbt_changelog.find_name(
    plan.read.get('column') or '', plan.compared | map(attribute='name')) -%}
{%- set fix = fix ~ '. If it is one event that came twice, dbt run-operation diagnose shows in'
    ~ ' which columns it differs: '
    ~ ('leave them out of the images' if plan.images else 'name them in passthrough')
    ~ (' (' ~ suspect ~ ', by which the model reads, may be one)' if suspect else '') -%}
{%- endif -%}
{%- set fix = fix ~ '. If they are the halves of one update that came in different batches, leave'
    ~ ' the before halves out of the query' if not is_whole and plan.has_update_before else fix -%}
{%- set shown = 'to_json(struct(' ~ dbt_changelog.csv(
    plan.unique_key | reject('equalto', '_sequence') | list, prefix=side) ~ ', ' ~ sequence
    ~ ' as _sequence))' -%}
{{ return(dbt_changelog.raise_error_sql(
  "Invalid 'sequence_by' in " ~ plan.where
  ~ ': two different changes of one key have one sequence, ',
  shown if is_whole else dbt_changelog._apart_sql(shown), '.\nTo fix: ' ~ fix ~ '.')) }}
{%- endmacro %}

{#-
  A text for an error, as a function of an array, which Spark interprets: a check that has one is no
  part of one Java method with the steps around it, which can be longer than Java compiles
  (docs/decisions/0040).
-#}
{% macro _apart_sql(text) -%}
{{ return('array_join(array_compact(array(' ~ text ~ ")), '')") }}
{%- endmacro %}
