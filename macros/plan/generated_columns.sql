{#- The columns that we write beside the user's. -#}
{% macro generated_columns() -%}
{{ return(['_row_kind', '_sequence', '_ordinal', '_batch_id', '_position', '_image_hash', '_weight',
           '_weight_before', '_was_live', '_arrived', '_read_hash', '_changed_at', '_image',
           '_last', '_rival', '_row', '_is_stored', '_stored', '_is_live', '_following',
           '_following_sequence', '_following_row_kind', '_following_image_hash', '_own_kind',
           '_next_kind', '_next_sequence', '_part', '_old', '_new', '_place_1', '_place_2',
           '_copy']) }}
{%- endmacro %}
