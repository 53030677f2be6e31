{#- What orders the changes of a key: by batch, where the changelog has them, then as they came. -#}
{% macro changelog_order_sql(names) -%}
{%- set kinds = dbt_changelog.literals(dbt_changelog.row_kinds()) -%}
{%- set batch = ['_batch_id'] if dbt_changelog.find_name('_batch_id', names) else [] -%}
{{ return((batch + ['_sequence', '_ordinal', 'array_position(array(' ~ kinds ~ '), _row_kind)'])
          | join(', ')) }}
{%- endmacro %}
