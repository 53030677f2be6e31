{#- The tables whose changes are in bronze.shop_events, and what is to be known of each. -#}
{% macro shop_tables() -%}
{{ return({
    'customers': {
        'unique_key': 'id',
        'columns': 'id bigint, name string, email string, tier string, updated_at timestamp',
    },
    'orders': {
        'unique_key': ['order_id', 'line_no'],
        'columns': 'order_id bigint, line_no int, customer_id bigint, product string, qty int, '
            ~ 'price decimal(10, 2), status string, note string, ordered_at timestamp',
    },
    'sessions': {
        'unique_key': 'id',
        'columns': 'id int, token string',
    },
}) }}
{%- endmacro %}

{#- The whole model of one of them: its config, and the events that are its own. -#}
{% macro shop_table(name) -%}
{%- set table = shop_tables()[name] -%}
{{ config(
    materialized='from_changelog',
    format='debezium',
    unique_key=table.unique_key,
    payload_schema=table.columns,
    read={'column': 'ingested_at'},
) }}
select value, ingested_at
from {{ dbt_changelog.new_rows(
    source('bronze', 'shop_events'),
    where="topic = 'shop.public." ~ name ~ "'",
) }}
{%- endmacro %}
