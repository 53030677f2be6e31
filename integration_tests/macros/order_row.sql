{#- An image of an order in our types: the connector sends a timestamp as microseconds. -#}
{% macro order_row(image) -%}
if({{ image }} is null, null, struct(
  {{ image }}.order_id,
  {{ image }}.line_no,
  {{ image }}.customer_id,
  {{ image }}.product,
  {{ image }}.qty,
  {{ image }}.price,
  {{ image }}.status,
  {{ image }}.note,
  timestamp_micros({{ image }}.ordered_at) as ordered_at
))
{%- endmacro %}
