{#-
  The changes of a Delta or Iceberg table that a to_changelog model has not read yet, as a subquery.
  A first run begins with the rows of the first version whose changes are still there; a full
  refresh needs only the rows of now, and so does a command that makes no batch.
-#}
{% macro feed_changes(where, relation) -%}
{%- set no_changes = dbt_changelog.rows_as_changes_sql(relation) ~ '\nwhere false' -%}
{%- if not dbt_changelog.makes_batch() -%}
{{ return('(\n  ' ~ (no_changes if dbt_changelog.reads_nothing()
    else dbt_changelog.rows_as_changes_sql(relation)) | indent(2) ~ '\n)') }}
{%- endif -%}
{%- set last = dbt_changelog.last_position(relation) -%}
{%- set feed = dbt_changelog.table_feed(where, relation, last) -%}
{%- set columns, parts = dbt_changelog.feed_columns(where, relation), [] -%}
{%- set start = last or (feed.next if should_full_refresh() else feed.first) -%}
{%- if start and not last -%}
{%- do parts.append(dbt_changelog.rows_at_sql(where, relation, columns, start)) -%}
{%- endif -%}
{%- if start != feed.next -%}
{%- do parts.append(dbt_changelog.net_feed_sql(columns, dbt_changelog.feed_key(where, columns),
    feed.changes(feed, columns, start))) -%}
{%- endif -%}
{{ return('(\n  ' ~ dbt_changelog.range_comment(relation, last, feed.next) ~ '\n  '
          ~ (parts | join('\nunion all\n') or no_changes) | indent(2) ~ '\n)') }}
{%- endmacro %}
