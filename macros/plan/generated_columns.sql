{#- The columns that we write beside the user's. -#}
{% macro generated_columns() -%}
{{ return(['_row_kind', '_sequence', '_ordinal', '_batch_id', '_position', '_image_hash',
           '_changed_at', '_image', '_last', '_rival', '_row']) }}
{%- endmacro %}
