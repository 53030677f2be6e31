{#-
  Where new_rows and changes may stand: in a model that keeps how far it has read; any other would
  silently read all each time. What writes nothing (a data test, an analysis, an inline query, an
  operation) gets all rows.
-#}
{% macro check_reader(name, kind, relation) -%}
{%- if model and model.resource_type in ['model', 'snapshot'] and model.config.materialized != kind
-%}
{%- do dbt_changelog.raise_invalid(dbt_changelog.model_where(model), name,
    'only a ' ~ kind ~ ' model knows what it has read already; here all would be read each time',
    'write it into the query of a ' ~ kind ~ ' model, and select from ' ~ relation ~ ' itself here')
-%}
{%- endif -%}
{%- endmacro %}
