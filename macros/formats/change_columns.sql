{#-
  The steps that add, drop and widen columns of a table, [{name, sql}]. changes: {added, absent,
  retyped}, each a list of {name, type}. The user's column names may be paths: `after`.`name`.
-#}
{% macro change_columns(relation, file_format, changes) -%}
{%- set format, steps, added = dbt_changelog.format_of(file_format), [], [] -%}
{%- set dropped = [] -%}
{%- set properties = dbt_changelog.merged(
    dbt_changelog.required_properties(file_format, changes.added),
    format.droppable if changes.absent else {}, format.widenable if changes.retyped else {}) -%}
{%- if properties -%}
{%- do steps.append({'name': 'prepare columns',
    'sql': dbt_changelog.set_properties_sql(relation, properties)}) -%}
{%- endif -%}
{%- for column in changes.added -%}
{%- do added.append(column.get('path', dbt_changelog.quote(column.name)) ~ ' ' ~ column.type) -%}
{%- endfor -%}
{%- if added -%}
{%- do steps.append({'name': 'add columns',
    'sql': 'alter table ' ~ relation ~ ' add columns (' ~ added | join(', ') ~ ')'}) -%}
{%- endif -%}
{%- for column in changes.absent -%}
{%- do dropped.append(column.get('path', dbt_changelog.quote(column.name))) -%}
{%- endfor -%}
{%- if dropped -%}
{%- do steps.append({'name': 'drop columns', 'sql': 'alter table ' ~ relation
    ~ ' drop columns (' ~ dropped | join(', ') ~ ')'}) -%}
{%- endif -%}
{%- for column in changes.retyped -%}
{%- do steps.append({'name': 'widen column', 'sql': 'alter table ' ~ relation
    ~ ' alter column ' ~ dbt_changelog.quote(column.name) ~ ' type ' ~ column.type}) -%}
{%- endfor -%}
{{ return(steps) }}
{%- endmacro %}

{#- The columns by which a table is partitioned or clustered: none of them can be dropped. -#}
{% macro layout_names(described) -%}
{%- set clusters = described.properties.get('clusteringColumns') or '' -%}
{{ return((described.partitions or []) + modules.re.findall('\\["([^"]+)"', clusters)) }}
{%- endmacro %}
