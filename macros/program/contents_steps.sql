{#-
  The view of the contents, which is the commit where each run writes a new state, and what it makes
  superfluous. A table of the model's name goes aside first. warns: of what the contents leave out.
  The next micro-batch of a stream has the view of the one before.
-#}
{% macro contents_steps(plan, batch, warns=none) -%}
{%- set steps, contents = [], plan.relations.contents -%}
{%- do steps.append({'name': 'rename table aside',
    'sql': dbt_changelog.rename_table_sql(contents, batch.rename_to)}) if batch.rename_to -%}
{%- set merges = dbt_changelog.format_of(plan.storage.file_format).merges -%}
{%- do steps.extend(dbt_changelog.version_steps(plan, batch)) -%}
{%- do steps.append({
  'name': 'contents view',
  'always': true,
  'warns': warns,
  'guards': dbt_changelog.guards(plan, batch, 'commit') if batch.writes and not merges else [],
  'sql': dbt_changelog.create_view_sql(plan, dbt_changelog.contents_query(plan, batch,
    batch.state if batch.writes or batch.creates else plan.relations.state)),
}) if not (batch.has_view and merges) -%}
{%- do steps.append({
  'name': 'current view',
  'sql': dbt_changelog.create_view_sql(dict(plan, versions=none), dbt_changelog.current_sql(plan),
    plan.relations.current),
}) if plan.get('versions') and not (batch.has_view and merges) -%}
{%- for table in batch.old_states -%}
{%- do steps.append({'name': 'drop old state', 'sql': 'drop table ' ~ table}) -%}
{%- endfor -%}
{{ return(steps + dbt_changelog.moment_steps(plan, batch)) }}
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
