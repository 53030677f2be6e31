{#-
  The statements that add, drop and widen columns of a table: [{name, sql}].

  Delta drops a column, and takes an odd name, only where columns are mapped by name; it widens one
  only where that is on.
-#}
{% macro change_columns_sql(plan, table, changes) -%}
{%- set statements, delta = [], plan.state.file_format == 'delta' -%}
{%- set properties = dbt_changelog.required_properties(plan.state.file_format, changes.added) -%}
{%- do properties.update({'delta.columnMapping.mode': 'name'}) if delta and changes.absent -%}
{%- do properties.update({'delta.enableTypeWidening': 'true'}) if delta and changes.retyped -%}
{%- if properties -%}
{%- do statements.append({'name': 'prepare columns',
    'sql': dbt_changelog.set_properties_sql(table, properties)}) -%}
{%- endif -%}
{%- set added = [] -%}
{%- for column in changes.added -%}
{%- do added.append(dbt_changelog.quote(column.name) ~ ' ' ~ column.type) -%}
{%- endfor -%}
{%- if added -%}
{%- do statements.append({'name': 'add columns',
    'sql': 'alter table ' ~ table ~ ' add columns (' ~ added | join(', ') ~ ')'}) -%}
{%- endif -%}
{%- if changes.absent -%}
{%- do statements.append({'name': 'drop columns', 'sql': 'alter table ' ~ table
    ~ ' drop columns (' ~ dbt_changelog.csv(changes.absent | map(attribute='name')) ~ ')'}) -%}
{%- endif -%}
{%- for column in changes.retyped -%}
{%- do statements.append({'name': 'widen column', 'sql': 'alter table ' ~ table
    ~ ' alter column ' ~ dbt_changelog.quote(column.name) ~ ' type ' ~ column.type}) -%}
{%- endfor -%}
{{ return(statements) }}
{%- endmacro %}
