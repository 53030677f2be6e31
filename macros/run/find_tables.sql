{#-
  What is there of a model, asked now and each thing once: {exists, log, staged, state, changelog,
  changelog_format, row, view_text, names}. exists: the table with the batch log is there; log: that
  log, none where there is none; staged: what the staging table says of its batch; state, changelog:
  their columns, none where the table is not there; row: the columns of the rows of an event table.
-#}
{% macro find_tables(plan) -%}
{%- set relations, describe = plan.relations, dbt_changelog._columns_of -%}
{%- set names = dbt_changelog.table_names(plan) -%}
{%- set log, exists = none, relations.batch_log.identifier | lower in names -%}
{%- if exists -%}
{%- set log = dbt_changelog.parse_batch_log(
    dbt_changelog.table_properties(relations.batch_log)) -%}
{%- endif -%}
{%- set has_staged = plan.stages and relations.staged.identifier | lower in names -%}
{%- set has_changelog = plan.function == 'from_changelog' and plan.changelog
    and relations.changelog.identifier | lower in names -%}
{%- set is_event_table = plan.function == 'to_changelog' -%}
{%- set by_view = not is_event_table
    and not dbt_changelog.format_of(plan.storage.file_format).merges -%}
{{ return({
  'names': names,
  'exists': exists,
  'log': log,
  'staged': dbt_changelog.parse_batch_log(dbt_changelog.table_properties(relations.staged))
    if has_staged else none,
  'state': describe(relations.state) if relations.state.identifier | lower in names else none,
  'changelog': describe(relations.changelog) if has_changelog else none,
  'changelog_format': dbt_changelog.format_of_table(
    dbt_changelog.table_properties(relations.changelog)) if has_changelog else none,
  'row': dbt_changelog._row_columns(plan) if is_event_table and log else none,
  'view_text': dbt_changelog.view_text(relations.contents) if by_view else none,
}) }}
{%- endmacro %}

{#- The tables of the model's schema that have a name like its own, in small letters. -#}
{% macro table_names(plan) -%}
{%- set base = plan.relations.batch_log if plan.function == 'to_changelog'
    else plan.relations.home -%}
{%- set names = [] -%}
{%- for row in run_query('show tables in ' ~ base.include(identifier=false) ~ ' like '
    ~ dbt_changelog.literal(base.identifier ~ '*')).rows -%}
{%- do names.append(row['tableName'] | lower) -%}
{%- endfor -%}
{{ return(names) }}
{%- endmacro %}

{% macro _columns_of(relation) -%}
{{ return(dbt_changelog.describe_columns('select * from ' ~ relation)) }}
{%- endmacro %}

{#- The columns that rows have in an event table: of its images, or beside the op code. -#}
{% macro _row_columns(plan) -%}
{%- set columns = dbt_changelog._columns_of(plan.relations.batch_log) -%}
{%- if not plan.images -%}
{{ return(columns | rejectattr('name', 'equalto', plan.op) | list) }}
{%- endif -%}
{#- without such an image the stored plan is another one, and refused -#}
{%- set images = columns | selectattr('name', 'equalto', plan.after or plan.before) | list -%}
{{ return((images[0].parts or [] if images else [])
          + columns | selectattr('name', 'in', plan.passthrough) | list) }}
{%- endmacro %}
