{#- What messages call a model or a macro call. -#}

{#- A model as messages name it. -#}
{% macro model_where(node) -%}
{{ return(node.config.materialized ~ " model '" ~ dbt_changelog.model_name(node) ~ "'") }}
{%- endmacro %}

{#- A macro call as messages name it. -#}
{% macro macro_where(name) -%}
{{ return(name ~ '(...)'
          ~ (" of model '" ~ dbt_changelog.model_name(model) ~ "'" if model else '')) }}
{%- endmacro %}

{#- A model as people and --args name it: one that has versions with its own, as in cust_v.v2. -#}
{% macro model_name(node) -%}
{%- set version = node.get('version') -%}
{{ return(node.name ~ ('.v' ~ version if version is not none else '')) }}
{%- endmacro %}

{#- The same in SQL, of a uid: dbt gives model.<project>.<name>; one that is set stays as it is. -#}
{% macro model_of_uid_sql(uid) -%}
regexp_replace({{ uid }}, '^model[.][^.]+[.]', '')
{%- endmacro %}
