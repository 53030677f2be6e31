{#-
  The rows of a relation that a from_changelog model has not read yet, as a subquery.

  From the last position to what is there now; the range stands beside it as a comment, from which
  the materialization takes the new position. All rows where no batch is made: read='full', dbt
  compile, show and test, unit tests, --empty.
-#}
{% macro new_rows(relation) -%}
{%- if not execute or not dbt_changelog.makes_batch() -%}
{{ return(relation) }}
{%- endif -%}
{%- set where = dbt_changelog.model_where(model) -%}
{%- set read = dbt_changelog.model_read(model) -%}
{%- if read.mode == 'full' -%}
{{ return(relation) }}
{%- endif -%}
{%- set column = dbt_changelog.require_column(where, 'read',
    read.column, dbt_changelog.describe_query('select * from ' ~ relation)
    | map(attribute='name') | list) -%}
{%- set last = dbt_changelog.last_position(relation) -%}
{%- if read.strict -%}
{%- set next = dbt_changelog.source_end(relation, column, last) -%}
{%- do dbt_changelog.check_same_column(where, last, next) -%}
{{ return(dbt_changelog.strict_range_sql(where, relation, column, last, next)) }}
{%- endif -%}
{%- set next = dbt_changelog.source_end(relation, column) or last -%}
{%- set last = dbt_changelog.usable_position(last, next) -%}
{%- do dbt_changelog.check_lookback(where, read, next) -%}
{{ return(dbt_changelog.range_sql(relation, column, read.lookback, last, next)) }}
{%- endmacro %}
