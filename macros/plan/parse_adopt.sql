{#- Whether a first run takes the rows of a table that has the model's name for its state. -#}
{% macro parse_adopt(where, node) -%}
{%- set adopts = dbt_changelog.parse_flag(where, 'adopt', node.config.get('adopt') or false) -%}
{%- if adopts and dbt_changelog.kernel_of(dbt_changelog.model_kernel(node)).counts_events -%}
{%- set with = node.config.get('on_conflict') is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'adopt', ('with on_conflict' if with
    else 'without unique_key') ~ ' each event counts, and those that made the rows of the table'
    ~ ' would count again', 'leave it out' if with else 'name the key columns, or leave it out') -%}
{%- endif -%}
{{ return(adopts) }}
{%- endmacro %}
