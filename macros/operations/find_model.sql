{#- A model of the project by its name. -#}
{% macro find_model(name) -%}
{%- set names = [] -%}
{%- for node in dbt_changelog.changelog_nodes() -%}
{%- if node.name == name -%}
{{ return(node) }}
{%- endif -%}
{%- do names.append(node.name) -%}
{%- endfor -%}
{%- do dbt_changelog.raise_invalid('this operation', 'model',
    "'" ~ name ~ "' is not a from_changelog model. They are: " ~ names | sort | join(', '),
    "write --args '{model: " ~ names | sort | first | default('NAME', true) ~ "}'") -%}
{%- endmacro %}
