{#-
  The state that a model has now: the table that the view of its contents reads. So replacing the
  view commits a new one, where each run writes it anew and where its format changes.
-#}
{% macro current_state(contents, home) -%}
{%- set state = dbt_changelog.sibling_relation(home, 'state') -%}
{%- for row in run_query('show views in ' ~ contents.include(identifier=false) ~ ' like '
    ~ dbt_changelog.literal(contents.identifier)).rows -%}
{%- set view = contents.incorporate(path={'identifier': row[1]}) -%}
{%- set found = modules.re.findall(modules.re.escape(state.identifier) ~ '(?:_\\d+_\\w{8})?\\b',
    run_query('show create table ' ~ view).rows[0][0]) -%}
{%- do return(state.incorporate(path={'identifier': found[-1]})) if found -%}
{%- endfor -%}
{{ return(state) }}
{%- endmacro %}
