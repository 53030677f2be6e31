{#-
  What a model itself says of its config, {name: value}: in its config() call, or in its entry of a
  yml file. Only that can be its mistake: dbt_project.yml speaks to many models, of any kind.

  dbt keeps config() apart, and mixes the other two. A name that both have counts as dbt_project's.
-#}
{% macro own_config(node) -%}
{%- set own, shared, root = {}, [], adapter.config -%}
{%- do shared.extend(dbt_changelog._project_names(root.models, node.fqn)) -%}
{%- do shared.extend(dbt_changelog._project_names(
    root.load_dependencies()[node.package_name].models, node.fqn))
    if node.package_name != root.project_name -%}
{%- for name in node.unrendered_config if name not in shared -%}
{%- do own.update({name: node.config.get(name)}) -%}
{%- endfor -%}
{%- do own.update(node.config_call_dict) -%}
{{ return(own) }}
{%- endmacro %}

{#- What one project sets for a model; a mapping whose name has no plus sign is a folder. -#}
{% macro _project_names(models, folders) -%}
{%- set names = [] -%}
{%- for name, value in models.items() if name.startswith('+') or value is not mapping -%}
{%- do names.append(name.removeprefix('+') | trim) -%}
{%- endfor -%}
{%- if folders and models.get(folders[0]) is mapping -%}
{%- do names.extend(dbt_changelog._project_names(models[folders[0]], folders[1:])) -%}
{%- endif -%}
{{ return(names) }}
{%- endmacro %}
