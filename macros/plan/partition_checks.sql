{#-
  The values that the partitions of a table do not keep, as conditions on its rows: [{name, sql}].
  Delta knows a partition by a text, which is in its folder's name: two texts stand for NULL there,
  and of a timestamp it has the local time, in a year that counts from one. A tombstone has no
  values. partitions: the columns of those of a table that is there; none: as the config says.
-#}
{% macro partition_checks(plan, columns, partitions=none) -%}
{%- set checks, live = [], dbt_changelog.is_live_sql() -%}
{%- set has_tombstones = '_row_kind' in dbt_changelog.kernel_of(plan.kernel).columns -%}
{%- for column in columns if plan.storage.file_format == 'delta'
    and (dbt_changelog.quote(column.name) in plan.storage.partition_by if partitions is none
         else dbt_changelog.find_name(column.name, partitions) is not none) -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- set lost = {
  'string': name ~ " in ('', '__HIVE_DEFAULT_PARTITION__')",
  'timestamp': '(' ~ name ~ " < timestamp'0001-01-01' or cast(cast(" ~ name
    ~ ' as string) as timestamp) <> ' ~ name ~ ')',
}.get(column.type) -%}
{%- if column.type == 'binary' -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'partition_by', "column '" ~ column.name
    ~ "' is binary, which a partition of Delta does not keep",
    'leave it out, or select its hex() as a column of the query and name that') -%}
{%- elif lost -%}
{%- do checks.append({'name': column.name, 'sql': live ~ '\n      and ' ~ lost
    if has_tombstones and column.name not in plan.unique_key else lost}) -%}
{%- endif -%}
{%- endfor -%}
{{ return(checks) }}
{%- endmacro %}
