{#-
  The rows of a relation that a from_changelog model has not read yet, as a subquery.

  From the last position to what is there now; the range stands beside it as a comment, from which
  the materialization takes the new position. All rows where no batch is made: read='full', dbt
  compile, show and test, unit tests, --empty.
-#}
{% macro new_rows(relation) -%}
{%- do dbt_changelog.check_reader('new_rows', 'from_changelog', relation) if execute -%}
{%- if not execute or not dbt_changelog.makes_batch() -%}
{{ return(relation) }}
{%- endif -%}
{%- set where = dbt_changelog.model_where(model) -%}
{%- set read = dbt_changelog.model_read(model) -%}
{%- if read.mode == 'full' -%}
{{ return(relation) }}
{%- endif -%}
{%- set place = dbt_changelog.read_place(where, relation, read) -%}
{%- set last = dbt_changelog.last_position(relation) -%}
{%- do dbt_changelog.check_same_column(where, last, place) if read.strict -%}
{%- set last = dbt_changelog.usable_position(last, place) -%}
{%- set next = dbt_changelog.source_end(where, relation, place, last, read) -%}
{{ return(dbt_changelog.strict_range_sql(where, relation, place.column, last, next) if read.strict
    else dbt_changelog.range_sql(relation, place.column, read.lookback, last, next)) }}
{%- endmacro %}
