{#-
  The changes that a Delta or Iceberg table keeps of itself: {first, next, changes}. first: the
  position whose rows a reader without a position begins with; next: the one that the table is at;
  changes: the macro that reads what is between two. last: the position of the reader, or none.
-#}
{% macro table_feed(where, relation, last) -%}
{%- set properties = dbt_changelog.table_properties(relation)
    if dbt_changelog.table_exists(relation) else {} -%}
{%- if 'delta.minReaderVersion' in properties -%}
{{ return(dbt_changelog.delta_feed(where, relation, last, properties)) }}
{%- elif 'current-snapshot-id' in properties -%}
{{ return(dbt_changelog.iceberg_feed(where, relation, last, properties)) }}
{%- endif -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', relation ~ ' is neither a from_changelog model'
    ~ ' of this project nor a table of Delta or Iceberg', "write {{ dbt_changelog.changes(ref("
    ~ "'customers')) }} of one with changelog=true, or of such a table; a query of any other"
    ~ ' relation is taken for a table, and its changes are found') -%}
{%- endmacro %}
