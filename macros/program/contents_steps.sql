{#-
  The view of the contents, which is the commit where each run writes a new state, and what it makes
  superfluous. A table of the model's name goes aside first. changes: {steps, warns} of evolve_plan.
  A view that is there as it should be stays: so it is for micro-batches, and for most batches. One
  that is there at all stays in an --empty run, whose plan has not followed the tables.
-#}
{% macro contents_steps(plan, batch, changes) -%}
{%- set steps, contents = [], plan.relations.contents -%}
{%- do steps.append({'name': 'rename table aside',
    'sql': dbt_changelog.rename_table_sql(contents, batch.rename_to)}) if batch.rename_to -%}
{%- set merges = dbt_changelog.format_of(plan.storage.file_format).merges -%}
{%- do steps.extend(dbt_changelog.version_steps(plan, batch)) -%}
{%- set query = dbt_changelog.contents_query(plan, batch,
    batch.state if batch.writes or batch.creates else plan.relations.state) -%}
{%- set has_columns = not batch.creates and not changes.steps -%}
{#- in a group other models' runs make the view, too -#}
{%- set is_fixed = has_columns
    and (batch.scenario == 'empty' or (merges and not plan.get('group'))) -%}
{%- do steps.append({
  'name': 'contents view',
  'always': true,
  'warns': changes.get('warns'),
  'guards': dbt_changelog.guards(plan, batch, 'commit') if batch.writes and not merges else [],
  'sql': dbt_changelog.create_view_sql(plan, query),
}) if not (is_fixed and not changes.get('warns')
           and dbt_changelog._is_there(plan, batch, contents, query)) -%}
{%- set view, current = plan.relations.current,
    dbt_changelog.current_sql(plan) if plan.get('versions') else none -%}
{%- do steps.append({
  'name': 'current view',
  'always': true,
  'sql': dbt_changelog.create_view_sql(dict(plan, versions=none), current, view),
}) if current and not (has_columns and dbt_changelog._is_there(plan, batch, view, current)) -%}
{%- for table in batch.old_states -%}
{%- do steps.append({'name': 'drop old state', 'sql': 'drop table ' ~ table}) -%}
{%- endfor -%}
{{ return(steps + dbt_changelog.moment_steps(plan, batch)) }}
{%- endmacro %}

{#-
  Before the first batch that is appended to a state, not merged: the view learns to read it, and
  the batch log says so, lest one row a key be expected from then on. In a group the view reads the
  state as it was before the batch.
-#}
{% macro first_append_steps(plan, batch) -%}
{%- set log = batch.stored.log -%}
{%- if not batch.writes or batch.creates or not dbt_changelog.kernel_of(plan.kernel).appends
    or log.plan.kernel == plan.kernel -%}
{{ return([]) }}
{%- endif -%}
{%- set noted = dbt_changelog.batch_log(plan, log.batch) -%}
{{ return(([] if plan.get('group') else [{
  'name': 'contents view',
  'sql': dbt_changelog.create_view_sql(
    plan, dbt_changelog.contents_query(plan, batch, plan.relations.state)),
}]) + [{
  'name': 'note kernel',
  'sql': dbt_changelog.set_properties_sql(plan.relations.state, noted.properties, noted.comment),
}]) }}
{%- endmacro %}

{#- Whether a view is as it should be. What persist_docs asks for stands beside its query. -#}
{% macro _is_there(plan, batch, view, query) -%}
{%- set found = batch.stored.views.get(view.identifier | lower) -%}
{{ return(batch.has_view or (batch.scenario == 'empty' and found is not none)
          or (found == query | trim and not plan.docs.relation and not plan.docs.columns)) }}
{%- endmacro %}

{#- A view, with the descriptions that persist_docs asks for. view: if not that of the contents. -#}
{% macro create_view_sql(plan, query, view=none) -%}
{%- set items, names = [], plan.payload + plan.passthrough + dbt_changelog.version_names(plan) -%}
{%- for name in (names if plan.docs.columns else []) -%}
{%- set text = plan.docs.columns.get(name | lower) -%}
{%- do items.append(dbt_changelog.quote(name)
    ~ (' comment ' ~ dbt_changelog.literal(text) if text)) -%}
{%- endfor -%}
create or replace view {{ view or plan.relations.contents }}
{%- if items %} (
  {{ items | join(',\n  ') }}
)
{%- endif %}
{%- if plan.docs.relation %}
comment {{ dbt_changelog.literal(plan.docs.relation) }}
{%- endif %}
as
{{ query }}
{%- endmacro %}
