{#- The rows before that a log is to retract must be in the changelog that it reads. -#}
{% macro check_rows_before(where, consumer, producer) -%}
{%- set plan = dbt_changelog.encode_plan(
    where, dbt_changelog.given_encode_args(consumer.config)) -%}
{%- set kinds = dbt_changelog.mapped_kinds(
    dbt_changelog.parse_op_mapping(where, producer.config.get('op_mapping'))) -%}
{%- if dbt_changelog.has_lone_update_before(plan)
    and 'UPDATE_AFTER' in kinds and 'UPDATE_BEFORE' not in kinds -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', 'it has a code for UPDATE_BEFORE, and the'
    ~ " changelog of '" ~ dbt_changelog.model_name(producer) ~ "' has no such changes",
    "map its updates to 'UPDATE_BEFORE, UPDATE_AFTER' there, with state_ttl='0' if its events have"
    ~ " no row before; or set encoding='upsert' here") -%}
{%- endif -%}
{%- endmacro %}
