{#-
  By what a run knows that a source has nothing new, without reading it: the version of a Delta or
  Iceberg table, with what is asked of it, as one text; none of a view, of a table without versions,
  and where nothing is asked (asked_of_source).
-#}
{% macro source_stamp(relation, asked) -%}
{%- set version = dbt_changelog._version(relation) if asked else none -%}
{{ return(none if version is none else local_md5(tojson([version, asked], sort_keys=true))) }}
{%- endmacro %}

{#- A version of a table that is made anew under its name must be another one, too. -#}
{% macro _version(relation) -%}
{%- set properties = dbt_changelog.described_table(relation, false).properties -%}
{%- if 'delta.minReaderVersion' not in properties -%}
{{ return(properties.get('current-snapshot-id')) }}
{%- endif -%}
{#- not everybody who may read a table may see its history -#}
{%- set history = dbt_changelog.attempt('describe history ' ~ relation ~ ' limit 1').table -%}
{{ return(history.rows[0]['version'] ~ ' ' ~ history.rows[0]['timestamp'] if history else none) }}
{%- endmacro %}
