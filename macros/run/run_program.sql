{#-
  Runs the steps of a program in order: the one interpreter. Gives {counters, ended}; ended: the
  batch turned out not to be one. All that ran so far is in target/run.

  A step: {name, sql}, and where it needs it: guards: what must hold just before (guards.sql);
  counts: its one row has counters by name; warns: {if, text}: a warning, if a column of its row is
  not empty, or if `if` is none; ends: {without, sql}: if that column of its row is 0, the batch
  ends here, after a last statement; always: it runs also after that; may_fail: the warning, if it
  fails, after which all goes on; finds: {name: column} of its one row, whose number stands in later
  steps in place of the name in braces; runs: the column of its rows that has statements to run.

  var dbt_changelog_fail_after: the name of a step after which to fail, to see a recovery.
-#}
{% macro run_program(program) -%}
{%- set counters, found, ran = {}, {}, [] -%}
{%- set batch = namespace(ended=false) -%}
{%- for step in program if not batch.ended or step.always -%}
{%- for guard in step.guards or [] -%}
{%- do dbt_changelog._check_guard(guard) -%}
{%- endfor -%}
{%- set sql = dbt_changelog._with_found(
    dbt_changelog.with_counters(step.sql, counters), found) -%}
{%- do ran.append(dict(step, sql=sql)) -%}
{%- do write(dbt_changelog.program_text(ran)) -%}
{%- set result = dbt_changelog._run(step, sql) -%}
{%- set row = result.rows[0].dict() if result is not none and result.rows else {} -%}
{%- do counters.update(dbt_changelog._counted(row)) if step.counts -%}
{%- for name, column in (step.finds or {}).items() -%}
{%- do found.update({name: row[column] | int}) -%}
{%- endfor -%}
{%- for statement in (result.rows if step.runs and result is not none else []) -%}
{%- do dbt_changelog._run(step, statement[step.runs]) -%}
{%- endfor -%}
{%- if step.warns and (step.warns.if is none or row.get(step.warns.if)) -%}
{%- do exceptions.warn(
    step.warns.text | replace('{' ~ step.warns.if ~ '}', row.get(step.warns.if) | string)) -%}
{%- endif -%}
{%- if step.ends and row[step.ends.without] | int == 0 -%}
{%- set batch.ended = true -%}
{%- do run_query(step.ends.sql) if step.ends.sql -%}
{%- endif -%}
{%- do dbt_changelog.fail_on_purpose(step.name) -%}
{%- endfor -%}
{{ return({'counters': counters, 'ended': batch.ended}) }}
{%- endmacro %}

{#- The result of a statement of a step; none, and a warning, where it fails and may. -#}
{% macro _run(step, sql) -%}
{%- do return(run_query(sql)) if not step.may_fail -%}
{%- set outcome = dbt_changelog.attempt(sql) -%}
{%- do exceptions.warn(step.may_fail | replace('{error}', outcome.error)) if outcome.error -%}
{{ return(outcome.table) }}
{%- endmacro %}

{% macro fail_on_purpose(name) -%}
{%- if var('dbt_changelog_fail_after', none) == name -%}
{%- do exceptions.raise_compiler_error("Failed on purpose after '" ~ name
    ~ "' (var dbt_changelog_fail_after). Run again to recover.") -%}
{%- endif -%}
{%- endmacro %}

{#- A program as one readable text. -#}
{% macro program_text(program) -%}
{%- set parts = [] -%}
{%- for step in program -%}
{%- do parts.append('-- ' ~ step.name ~ '\n' ~ step.sql ~ ';\n') -%}
{%- endfor -%}
{{ return(parts | join('\n')) }}
{%- endmacro %}

{% macro _check_guard(guard) -%}
{%- set found = namespace(rows=[]) -%}
{%- for sql in (guard.sql if guard.sql is not string else [guard.sql]) -%}
{%- set result = run_query(sql) -%}
{%- set found.rows = result.rows if result is not none else [] -%}
{%- endfor -%}
{%- set values = [] -%}
{%- for row in found.rows -%}
{%- do values.append(row[-1] | string) -%}
{%- endfor -%}
{%- if values != guard.expects -%}
{%- do run_query(guard.undo) if guard.undo -%}
{%- do dbt_changelog.raise_problem(
    guard.problem | replace('{found}', values | join(', ')),
    'run the model again; let one run of it end before the next begins') -%}
{%- endif -%}
{%- endmacro %}

{#- A counter in braces is its number, or NULL where nothing was counted. -#}
{% macro with_counters(sql, counters) -%}
{%- set text = namespace(sql=sql) -%}
{%- for name in dbt_changelog.counter_names() if '{' ~ name ~ '}' in sql -%}
{%- set text.sql = text.sql | replace('{' ~ name ~ '}', counters.get(name, 'null')) -%}
{%- endfor -%}
{{ return(text.sql) }}
{%- endmacro %}

{#- What steps before have found, in place of its names in braces. -#}
{% macro _with_found(sql, found) -%}
{%- set text = namespace(sql=sql) -%}
{%- for name, value in found.items() -%}
{%- set text.sql = text.sql | replace('{' ~ name ~ '}', value) -%}
{%- endfor -%}
{{ return(text.sql) }}
{%- endmacro %}

{% macro _counted(row) -%}
{%- set counted = {} -%}
{%- for name in dbt_changelog.counter_names() if row.get(name) is not none -%}
{%- do counted.update({name: row[name] | int}) -%}
{%- endfor -%}
{{ return(counted) }}
{%- endmacro %}

{#- The program of a batch, by what the model is. -#}
{% macro program_of(plan, batch) -%}
{{ return({
  'from_changelog': dbt_changelog.from_changelog_program,
  'to_changelog': dbt_changelog.to_changelog_program,
}[plan.function](plan, batch)) }}
{%- endmacro %}
