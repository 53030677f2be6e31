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
  view commits a new one, where each run writes it anew and where its format changes. If the view is
  gone, the one that has the last batch.
-#}
{% macro current_state(contents, home, listed) -%}
{%- set state = dbt_changelog.sibling_relation(home, 'state') -%}
{%- set text = listed.views.get(contents.identifier | lower) -%}
{%- set found = modules.re.findall(
    modules.re.escape(state.identifier) ~ '(?:_\\d+_\\w{8})?\\b', text or '') -%}
{{ return(state.incorporate(path={'identifier': found[-1]}) if found
          else dbt_changelog._last_state(contents, state, listed.names)) }}
{%- endmacro %}

{#- Of the states of a model without a view the one that has the last batch. -#}
{% macro _last_state(contents, state, names) -%}
{%- set usual, found = state.identifier | lower, namespace(state=state, batch=-1) -%}
{%- set others = [] -%}
{%- for name in names
    if modules.re.fullmatch(modules.re.escape(usual) ~ '_\\d+_\\w{8}', name) -%}
{%- do others.append(name) -%}
{%- endfor -%}
{%- if not others or load_relation(contents) is not none -%}
{{ return(state) }}
{%- endif -%}
{%- for name in others + ([usual] if usual in names else []) -%}
{%- set table = state.incorporate(path={'identifier': name}) -%}
{%- set log = dbt_changelog.read_batch_log(table) -%}
{%- if log and log.batch.id > found.batch -%}
{%- set found.state, found.batch = table, log.batch.id -%}
{%- endif -%}
{%- endfor -%}
{{ return(found.state) }}
{%- endmacro %}
