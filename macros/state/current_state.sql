{#-
  The state that a model has now. Where each run writes a new one, the view of the contents says
  which: it is the commit.
-#}
{% macro current_state(file_format, contents, home) -%}
{%- set state = dbt_changelog.sibling_relation(home, 'state') -%}
{%- if dbt_changelog.format_features(file_format).merges
    or not dbt_changelog.table_exists(contents) -%}
{{ return(state) }}
{%- endif -%}
{%- set text = run_query('show create table ' ~ contents).rows[0][0] -%}
{%- set found = modules.re.findall(
    modules.re.escape(state.identifier) ~ '_\\d+_\\w{8}\\b', text) -%}
{{ return(state.incorporate(path={'identifier': found[-1]}) if found else state) }}
{%- endmacro %}
