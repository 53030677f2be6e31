{#- The arguments of to_changelog together: what is missing, what excludes what. -#}
{% macro check_encode_args(plan) -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set has_row = 'INSERT' in kinds or 'UPDATE_AFTER' in kinds -%}
{%- set has_old_row = 'DELETE' in kinds or dbt_changelog.has_lone_update_before(plan) -%}
{%- set known_key = plan.unique_key and not plan.unique_key | reject('in', plan.passthrough)
    | list -%}
{%- if plan.unique_key == [] and not plan.produces_full_deletes -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'unique_key',
    'produces_full_deletes=false keeps only the key of a deleted row, and no key was set',
    'name the key columns, or leave produces_full_deletes out') -%}
{%- elif plan.images and plan.after is none and has_row -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'after',
    'op_mapping has INSERT or UPDATE_AFTER, whose row is the after image, and it was not set',
    "name its column, for example after='after'") -%}
{%- elif plan.images and plan.before is none and has_old_row and not known_key -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'before',
    'op_mapping has a code for the row that is left, which is the before image, and it was not set',
    "name its column, for example before='before', or the column of after for both") -%}
{%- endif -%}
{%- do dbt_changelog.check_event_columns(plan) -%}
{%- endmacro %}
