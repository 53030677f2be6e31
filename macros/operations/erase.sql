{#-
  dbt run-operation erase --args '{model: customers, keys: [{id: 7}]}': removes the values of these
  keys from all tables of a model. A key of a from_changelog model stays in its state as a deleted
  one, so that late events do not bring it back. All is checked before anything is written.
-#}
{% macro erase(model, keys) -%}
{%- set node = dbt_changelog.find_model(model, ['from_changelog', 'to_changelog']) -%}
{%- set plan = dbt_changelog.stored_plan(node) -%}
{%- set merges = dbt_changelog.format_of(plan.storage.file_format).merges -%}
{%- if plan.get('versions') and not merges -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'model', 'it has versions, whose view depends on the'
    ~ ' query, and on Parquet an erasure makes the view anew', 'remove the events of these keys'
    ~ ' from the source, and run with --full-refresh') -%}
{%- endif -%}
{%- if dbt_changelog.group_name(node) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'model', "its view shows the moment of the group '"
    ~ dbt_changelog.group_name(node) ~ "', in which the values of these keys would stay",
    'take consistent_group out of the model and run it, erase the keys, and put it back') -%}
{%- endif -%}
{%- set buffer = (plan.log.batch.get('watermark') or {}).get('buffer') -%}
{%- if buffer -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'model', 'events of these keys may wait for its'
    ~ ' watermark in the table ' ~ buffer, "run it once with --vars '{dbt_changelog_flush: true}',"
    ~ ' erase the keys, and remove them from ' ~ plan.relations.late ~ ' if late events are kept')
-%}
{%- endif -%}
{%- set found = dbt_changelog.parse_keys(plan, keys) -%}
{%- if dbt_changelog.model_function(node) == 'from_changelog'
    and dbt_changelog.kernel_of(plan.kernel).erased is none
    and dbt_changelog.model_read(node).mode == 'full' -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'model', 'with on_conflict no row stays that says'
    ~ " that a key was erased, and with read='full' the next run would bring its values back",
    'remove the events of these keys from the source, and run the model') -%}
{%- endif -%}
{%- set steps, known = [], [] -%}
{%- for step in dbt_changelog.erase_steps(plan, found.rows) -%}
{%- set rows = run_query(step.finds).rows -%}
{%- do known.extend(rows | map(attribute=0)) -%}
{%- do steps.append(dict(step, rows=rows | map(attribute=1) | map('int') | sum)) -%}
{%- endfor -%}
{%- for step in steps if step.rows -%}
{%- for statement in step.statements -%}
{%- do run_query(statement.sql) -%}
{%- do dbt_changelog.fail_on_purpose(statement.name) -%}
{%- endfor -%}
{%- endfor -%}
{%- set missing = found.texts | reject('in', known) | list -%}
{%- do print('Erased ' ~ (found.texts | length - missing | length) ~ ' of ' ~ found.texts | length
    ~ ' keys of ' ~ plan.where ~ ('; no table of it has ' ~ missing | join(', ') if missing)) -%}
{%- for step in steps -%}
{%- do print(step.table ~ ': ' ~ step.rows ~ ' rows ' ~ step.does) -%}
{%- endfor -%}
{%- do dbt_changelog._print_what_is_left(node, plan, steps) -%}
{%- endmacro %}

{#- Where values may still be: older files of the tables, and what is not of this model. -#}
{% macro _print_what_is_left(node, plan, steps) -%}
{%- do print('Older files still have the values. To remove them:') -%}
{%- for step in steps -%}
{%- set properties = dbt_changelog.table_properties(step.table) -%}
{%- set format = dbt_changelog.format_of(dbt_changelog.format_of_table(properties)) -%}
{%- set table = {'name': step.table | string, 'properties': properties,
                 'now': dbt_changelog.utc_now()} -%}
{%- for sql in ([] if format.old_files is none else format.old_files(table)) -%}
{%- do print('  ' ~ sql ~ ';') -%}
{%- endfor -%}
{%- endfor -%}
{%- set listed = dbt_changelog.listed_tables(plan.relations.home, plan.relations.contents) -%}
{%- for table in dbt_changelog.old_states(plan, listed.names, [dbt_changelog.current_state(
    plan.relations.contents, plan.relations.home, listed)]) -%}
{%- do print('  drop table ' ~ table ~ ';') -%}
{%- endfor -%}
{%- set readers = dbt_changelog._readers(node.unique_id) -%}
{%- do print('Models that read it may have copies: ' ~ readers | unique | sort | join(', '))
    if readers -%}
{%- for table in [plan.relations.late,
                  dbt_changelog.sibling_relation(plan.relations.contents, 'before_changelog')]
    if dbt_changelog.table_exists(table) -%}
{%- do print('Not looked at: ' ~ table) -%}
{%- endfor -%}
{%- endmacro %}

{#- The models and snapshots that keep what they read of a model, also through views. -#}
{% macro _readers(unique_id) -%}
{%- set found = [] -%}
{%- for other in graph.nodes.values()
    if other.resource_type in ['model', 'snapshot'] and unique_id in other.depends_on.nodes -%}
{%- if other.config.materialized in ['view', 'ephemeral'] -%}
{%- do found.extend(dbt_changelog._readers(other.unique_id)) -%}
{%- else -%}
{%- do found.append(dbt_changelog.model_name(other)) -%}
{%- endif -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}
