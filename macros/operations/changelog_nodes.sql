{#- The models of ours in the project, as dbt has them; none while it parses. -#}
{% macro changelog_nodes() -%}
{%- set nodes = [] -%}
{%- for id, node in (graph.nodes if execute else {}) | dictsort
    if node.config.materialized in ['from_changelog', 'to_changelog'] -%}
{%- do nodes.append(node) -%}
{%- endfor -%}
{{ return(nodes) }}
{%- endmacro %}
