{#- Statements that make tables of ours and write to them. -#}

{#-
  A table with rows, in one commit. storage: {file_format, partition_by, cluster_by, location_root,
  properties}, the user's; columns: those whose names the table must be able to spell. properties:
  ours; comment: a line on them, for whoever reads it; options: of the format; is_new: nothing is
  there. Streams may read it, and those of Iceberg read no snapshot that replaces.
-#}
{% macro create_table_sql(relation, storage, columns, properties, rows, comment='', options='',
                          is_new=false) -%}
{%- set format = dbt_changelog.format_of(storage.file_format) -%}
{%- set all = dbt_changelog.merged(
    dbt_changelog.required_properties(storage.file_format, columns), storage.properties, properties)
-%}
{{ format.create_log if is_new else format.create }} {{ relation }}
using {{ storage.file_format }}
{%- if options %}
{{ options }}
{%- endif %}
{%- if storage.partition_by %}
partitioned by ({{ storage.partition_by | join(', ') }})
{%- endif %}
{%- if storage.cluster_by %}
cluster by ({{ dbt_changelog.csv(storage.cluster_by) }})
{%- endif %}
{%- if storage.location_root %}
location {{ dbt_changelog.literal(storage.location_root ~ '/' ~ relation.identifier) }}
{%- endif %}
{{ dbt_changelog._properties_sql(all, comment) }}
as
{{ rows }}
{%- endmacro %}

{#-
  Columns to be written. char(n) and varchar(n) become strings, which is also what Spark describes
  them as: as they are, a new table would limit their length too, and Delta fails to MERGE by such a
  key. names: the columns; types: [{name, type}] of those that may be one. Without any: [].
-#}
{% macro written_columns_sql(names, types) -%}
{%- set strings, columns = types | selectattr('type', 'equalto', 'string')
    | map(attribute='name') | list, [] -%}
{%- for name in names -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- do columns.append('cast(' ~ column ~ ' as string) as ' ~ column if name in strings
    else column) -%}
{%- endfor -%}
{{ return(columns if names | select('in', strings) | list else []) }}
{%- endmacro %}

{#- How a state is stored: as the user says, else as suits its format. -#}
{% macro state_storage(storage) -%}
{%- set suits = dbt_changelog.format_of(storage.file_format).state_properties -%}
{{ return(dict(storage, properties=dbt_changelog.merged(
    suits(storage.properties) if suits else {}, storage.properties))) }}
{%- endmacro %}

{#-
  What a new state is sorted by: its key, so that each file has its own range of keys, and a MERGE
  in a part of them rewrites only its files.
-#}
{% macro state_order(plan, batch) -%}
{{ return(plan.unique_key if batch.creates
          and dbt_changelog.format_of(plan.storage.file_format).merges else []) }}
{%- endmacro %}

{#- How a table beside a model's own is stored: in its location_root, without its layout. -#}
{% macro sibling_storage(storage) -%}
{{ return(dict(storage, partition_by=[], cluster_by=[], properties={})) }}
{%- endmacro %}

{#- One append. -#}
{% macro append_sql(relation, names, rows) -%}
insert into {{ relation }} (
  {{ dbt_changelog.csv(names, separator=',\n  ') }}
)
{{ rows }}
{%- endmacro %}

{#- Properties of a table that exists. -#}
{% macro set_properties_sql(relation, properties, comment='') -%}
alter table {{ relation }} set {{ dbt_changelog._properties_sql(properties, comment) }}
{%- endmacro %}

{#- One of them: the last column of its row is the value. -#}
{% macro property_sql(relation, name) -%}
show tblproperties {{ relation }} ({{ dbt_changelog.literal(name) }})
{%- endmacro %}

{#- A table under another name of its schema, which Spark wants without the catalog. -#}
{% macro rename_table_sql(relation, new) -%}
{%- set schema = new.schema.split('.', 1)[-1] -%}
alter table {{ relation }} rename to {{ new.incorporate(path={'schema': schema}) }}
{%- endmacro %}

{% macro _properties_sql(properties, comment) -%}
tblproperties (
{%- if comment %}
  -- {{ comment }}
{%- endif %}
{%- for name, value in properties | dictsort %}
  {{ dbt_changelog.literal(name) }} = {{ dbt_changelog.literal(value) }}{{ ',' if not loop.last }}
{%- endfor %}
)
{%- endmacro %}

{#-
  Table properties that the names of columns need, those inside their types too, where Parquet can't
  spell them.
-#}
{% macro required_properties(file_format, columns) -%}
{%- for column in columns -%}
{%- for name in modules.re.findall(
    '`((?:[^`]|``)*)`', dbt_changelog.quote(column.name) ~ column.get('type', ''))
    if modules.re.search('[ ,;{}()\n\t=]', name) -%}
{{ return(dbt_changelog.format_of(file_format).mapped_names) }}
{%- endfor -%}
{%- endfor -%}
{{ return({}) }}
{%- endmacro %}
