{#-
  A model of the project by its name, of one of these materializations. Of several versions a name
  alone means the latest, as in ref().
-#}
{% macro find_model(name, kinds=['from_changelog']) -%}
{%- set names = [] -%}
{%- for node in dbt_changelog.changelog_nodes()
    if dbt_changelog.model_function(node) in kinds -%}
{%- set full_name = dbt_changelog.model_name(node) -%}
{%- if full_name == name
    or (node.name == name and node.get('version') == node.get('latest_version')) -%}
{{ return(node) }}
{%- endif -%}
{%- do names.append(full_name) -%}
{%- endfor -%}
{%- set near = dbt_changelog.nearest_name(name, names) -%}
{%- do dbt_changelog.raise_invalid('this operation', 'model',
    "'" ~ name ~ "' is not a " ~ kinds | join(' or ') ~ ' model. '
    ~ ('They are: ' ~ names | sort | join(', ') if names else 'The project has none'),
    "write --args '{model: " ~ near ~ "}'" if near
    else "write --args '{model: NAME}' with the name of such a model") -%}
{%- endmacro %}

{#- The query of a model, rendered in an operation, where dbt does not say what {{ this }} is. -#}
{% macro rendered_query(node, relation) -%}
{{ return(render('{% set this = api.Relation.create(schema=' ~ tojson(relation.schema)
                 ~ ', identifier=' ~ tojson(relation.identifier) ~ ') %}' ~ node.raw_code)
          | trim(' \n\t;')) }}
{%- endmacro %}

{#- The models of ours in the project, as dbt has them; none while it parses. -#}
{% macro changelog_nodes() -%}
{%- set nodes = [] -%}
{%- for id, node in (graph.nodes if execute else {}) | dictsort
    if dbt_changelog.model_function(node) -%}
{%- do nodes.append(node) -%}
{%- endfor -%}
{{ return(nodes) }}
{%- endmacro %}
