{#-
  A model by its name, of one of these materializations. Of several versions a name alone means the
  latest, as in ref(), and of several packages it means the project's, of whatever kind that is;
  package.model names any.
-#}
{% macro find_model(name, kinds=['from_changelog']) -%}
{%- set found, names, project = [], [], adapter.config.project_name -%}
{%- for node in dbt_changelog.changelog_nodes()
    if dbt_changelog.model_function(node) in kinds -%}
{%- set full_name = dbt_changelog.model_name(node) -%}
{%- set is_latest = node.get('version') == node.get('latest_version') -%}
{%- for own in [full_name] + ([node.name] if is_latest else []) -%}
{%- do found.append(node)
    if name in [own, node.package_name ~ '.' ~ own] and node not in found -%}
{%- endfor -%}
{%- do names.append(full_name if node.package_name == project
                    else node.package_name ~ '.' ~ full_name) -%}
{%- endfor -%}
{%- set of_project = found | selectattr('package_name', 'equalto', project) | list -%}
{%- set is_other_kind = not of_project and 'model.' ~ project ~ '.' ~ name in graph.nodes -%}
{%- set best = [] if is_other_kind else of_project or found -%}
{%- if best | length > 1 -%}
{%- set packages = best | map(attribute='package_name') | sort -%}
{%- do dbt_changelog.raise_invalid('this operation', 'model',
    "several packages have a model '" ~ name ~ "': " ~ packages | join(', '),
    "write --args '{model: " ~ packages[0] ~ '.' ~ name ~ "}' with the package before the name") -%}
{%- endif -%}
{%- if best -%}
{{ return(best[0]) }}
{%- endif -%}
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
