{#-
  The events of a query as CTEs, the last of which is `events`: the query as it is, or what a named
  format makes of its rows (plan.wire).

  Of a format the op code is `_op`, and `_order_1` and so on order the changes of a key. What can't
  be read has an op code of its own, so that it is counted, and an error, like any unknown one.
-#}
{% macro events_ctes(plan, query) -%}
{%- set wire = plan.wire -%}
{%- if not wire -%}
events as (

{{ query }}

)
{%- else -%}
source_events as (

{{ query }}

),
{% if wire.schema %}
{{ dbt_changelog.message_ctes(wire) }}
{% endif %}
{{ 'event_texts' if wire.read else 'events' }} as (
  select
    {{ dbt_changelog.rest_sql(wire.leaves_out) }},
{%- if wire.read %}
    {{ wire.texts | indent(4) }} as _dbtc_texts,
{%- else %}
{%- for name, sql in wire.images.items() %}
    {{ sql | indent(4) }} as {{ name }},
{%- endfor %}
{%- endif %}
{%- for name, sql in wire.key_columns.items() %}
    {{ sql | indent(4) }} as {{ dbt_changelog.quote(name) }},
{%- endfor %}
{%- if wire.unsent %}
    {{ wire.unsent }} as _unsent,
{%- endif %}
{%- for item in wire.order %}
    {{ item | indent(4) }} as _order_{{ loop.index }},
{%- endfor %}
    {{ dbt_changelog._op_sql(wire.op, wire.unreadable_events
       + ([] if wire.read else wire.unreadable_values)) | indent(4) }} as _op
  from {{ dbt_changelog.message_cte(wire) }}
{%- for name, condition in wire.drops.items() %}
  {{ 'where' if loop.first else '  and' }} not coalesce({{ condition }}, false)  -- {{ name }}
{%- endfor %}
)
{%- if wire.read -%}
,

{{ dbt_changelog._read_ctes(wire) }}
{%- endif -%}
{%- endif -%}
{%- endmacro %}

{#-
  The images with their columns in their types; what can't be read is found by its text.

  By functions of an array: Spark makes one Java method of a step's expressions, but not with such
  functions, and Java does not compile a method above 8,000 bytes, which the decimals and times of
  two images can reach.
-#}
{% macro _read_ctes(wire) -%}
{%- set ops = ['_op'] -%}
read_images as (
  select
    * except (_dbtc_texts),
    zip_with(
      _dbtc_texts,
      transform(_dbtc_texts, _dbtc_text -> {{ wire.read | indent(6) }}),
      (_dbtc_text, _dbtc_image) -> named_struct(
        'image', _dbtc_image,
        'unread', {{ wire.unread | indent(8) }}
      )
    ) as _dbtc_images
  from event_texts
),

events as (
  select
    * except (_dbtc_images, _op),
{%- for side in wire.images %}
{%- do ops.insert(-1, '_dbtc_images[' ~ loop.index0 ~ '].unread') %}
    _dbtc_images[{{ loop.index0 }}].image as {{ side }},
{%- endfor %}
    {{ dbt_changelog._op_sql(dbt_changelog.call_sql('coalesce', ops), wire.unreadable_values)
       | indent(4) }} as _op
  from read_images
)
{%- endmacro %}

{#- The columns that stay as they are. -#}
{% macro rest_sql(names) -%}
{{ return('* except (' ~ dbt_changelog.csv(names) ~ ')' if names else '*') }}
{%- endmacro %}

{#- The op code, or what is wrong with the event. -#}
{% macro _op_sql(op, unreadable) -%}
{%- if not unreadable -%}
{{ return(op) }}
{%- endif -%}
case
{%- for item in unreadable %}
  when {{ item.condition }} then
    {{ item.op }}
{%- endfor %}
  else {{ op }}
end
{%- endmacro %}
