{#- Configs that are designed and not built: a model that sets one gets an error, not silence. -#}
{% macro planned_config_names() -%}
{{ return(['watermark', 'on_conflict', 'tombstone_retention', 'format', 'stored_as_scd_type',
           'track_history_columns', 'ignore_null_updates', 'unavailable_value', 'adopt',
           'contents']) }}
{%- endmacro %}
