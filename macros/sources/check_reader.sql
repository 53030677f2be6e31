{#-
  Where new_rows and changes may stand: in a model that keeps how far it has read; any other would
  silently read all each time. What writes nothing (a data test, an analysis, an inline query, an
  operation) gets all rows.
-#}
{% macro check_reader(name, kind, relation) -%}
{%- if model and model.resource_type in ['model', 'snapshot'] and model.config.materialized != kind
-%}
{%- do dbt_changelog.raise_invalid(dbt_changelog.model_where(model), name,
    'only a ' ~ kind ~ ' model knows what it has read already; here every run would read'
    ~ ' everything',
    'write it into the query of a ' ~ kind ~ ' model, and select from ' ~ relation ~ ' itself here')
-%}
{%- endif -%}
{%- endmacro %}

{#- What is new in a relation is asked before the query runs: no ephemeral model is there yet. -#}
{% macro check_is_table(where, name, relation) -%}
{%- if relation is not string and relation.is_cte -%}
{%- do dbt_changelog.raise_invalid(where, name, "'" ~ relation.identifier
    | replace('__dbt__cte__', '') ~ "' is ephemeral: it is a part of this query, and what is new"
    ~ ' in it can not be asked before', "set materialized='view' for it") -%}
{%- endif -%}
{%- endmacro %}
