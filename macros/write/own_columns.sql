{#- The columns of a state beside the user's, where the last write wins. -#}
{% macro own_columns() -%}
{{ return(['_sequence', '_row_kind', '_image_hash', '_batch_id', '_was_live', '_changed_at']) }}
{%- endmacro %}
