{#-
  Where the tables of a model lie. home: the schema of its tables, which need not be that of its
  contents; batch_log: the table whose properties have it. listed: what is there (listed_tables).
-#}
{% macro model_relations(relation, schema, is_event_table, listed) -%}
{%- set home = relation.incorporate(path={'schema': schema}) -%}
{%- set table, beside = relation.incorporate(type='table'), dbt_changelog.sibling_relation -%}
{%- set state = beside(home, 'state') if is_event_table
    else dbt_changelog.current_state(relation, home, listed) -%}
{{ return({
  'contents': relation,
  'home': home,
  'state': state,
  'current': beside(relation, 'current').incorporate(type='view'),
  'staged': beside(home, 'changes'),
  'late': beside(home, 'late'),
  'changelog': table if is_event_table else beside(home, 'changelog'),
  'batch_log': table if is_event_table else state,
}) }}
{%- endmacro %}

{#- A table of ours beside a model: `customers` has `customers__state`. -#}
{% macro sibling_relation(relation, name) -%}
{%- set identifier = relation.identifier ~ '__' ~ name -%}
{{ return(relation.incorporate(path={'identifier': identifier}, type='table')) }}
{%- endmacro %}

{#-
  The state that a model has now: the table that the view of its contents reads. So replacing the
  view commits a new one, where each run writes it anew and where its format changes.
-#}
{% macro current_state(contents, home, listed) -%}
{%- set state = dbt_changelog.sibling_relation(home, 'state') -%}
{%- set text = dbt_changelog.view_query(contents, home, listed) -%}
{%- set found = modules.re.findall(
    modules.re.escape(state.identifier) ~ '(?:_\\d+_\\w{8})?\\b', text or '') -%}
{{ return(state.incorporate(path={'identifier': found[-1]}) if found else state) }}
{%- endmacro %}

{#-
  The query of a view, as far as what is there tells; else the statement that made it; none where
  there is no view.
-#}
{% macro view_query(view, home, listed) -%}
{%- set name, is_told = view.identifier | lower, view.schema == home.schema -%}
{{ return(listed.views[name] if is_told and name in listed.views
    else none if is_told and name in listed.formats else dbt_changelog.view_text(view)) }}
{%- endmacro %}

{#- The statement that made a view; none where there is no view. -#}
{% macro view_text(relation) -%}
{%- for row in run_query('show views in ' ~ relation.include(identifier=false) ~ ' like '
    ~ dbt_changelog.literal(relation.identifier)).rows -%}
{%- set view = relation.incorporate(path={'identifier': row[1]}) -%}
{{ return(run_query('show create table ' ~ view).rows[0][0]) }}
{%- endfor -%}
{{ return(none) }}
{%- endmacro %}
