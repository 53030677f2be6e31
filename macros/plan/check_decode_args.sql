{#- The arguments of from_changelog together: what is missing, what excludes what. -#}
{% macro check_decode_args(plan) -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set has_upsert = 'INSERT' in kinds or 'UPDATE_AFTER' in kinds -%}
{%- set has_retract = 'UPDATE_BEFORE' in kinds or 'DELETE' in kinds -%}
{%- if plan.unique_key and not plan.sequence_by -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'sequence_by',
    'it is required with unique_key, because tables have no order, and was not set',
    "name the column that orders the changes of a key, for example sequence_by='lsn'") -%}
{%- elif plan.state_backed and not plan.unique_key -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'unique_key',
    'op_mapping or state_ttl needs the previous row of a key, and no key was set',
    'name the key columns, or map codes that need no previous row') -%}
{%- elif 'UPDATE_AFTER' in kinds and 'UPDATE_BEFORE' not in kinds and not plan.unique_key -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'unique_key',
    'op_mapping has UPDATE_AFTER without UPDATE_BEFORE: an upsert needs a key',
    'name the key columns, or map a code to UPDATE_BEFORE too') -%}
{%- elif not plan.unique_key and plan.passthrough and has_retract -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'passthrough',
    'a retraction has its own values of it, so without a key it never cancels its insert',
    'set unique_key, or leave passthrough out') -%}
{%- elif plan.images and plan.after is none and has_upsert -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'after',
    'op_mapping gives INSERT or UPDATE_AFTER, whose row is the after image, and it was not set',
    "name its column, for example after='after'") -%}
{%- elif plan.images and plan.before is none and 'DELETE' in kinds
    and (plan.consume_full_deletes or not plan.unique_key) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'before',
    'op_mapping gives DELETE, whose full row is the before image, and it was not set',
    "name its column, or set unique_key and consume_full_deletes=false: then the key is enough")
-%}
{%- endif -%}
{%- endmacro %}
