{#-
  What Spark says of a table now: not dbt's cache, nor what Spark remembers of it; and what dbt is
  told of it.
-#}

{#- Whether a table is there. -#}
{% macro table_exists(relation) -%}
{{ return(dbt_changelog.shown_rows('tables', relation, relation.identifier) | length > 0) }}
{%- endmacro %}

{#- What Spark shows of a schema, without temporary views, which it shows in any schema. -#}
{% macro shown_rows(kind, relation, pattern) -%}
{%- set rows = [] -%}
{%- for row in run_query('show ' ~ kind ~ ' in ' ~ relation.include(identifier=false) ~ ' like '
    ~ dbt_changelog.literal(pattern)).rows
    if row['isTemporary'] | string | lower != 'true' -%}
{%- do rows.append(row) -%}
{%- endfor -%}
{{ return(rows) }}
{%- endmacro %}

{#- The properties of a table that is there, {name: value}, now: not as Spark remembers it. -#}
{% macro table_properties(relation) -%}
{%- do run_query('refresh table ' ~ relation) -%}
{%- set properties = {} -%}
{%- for row in run_query('show tblproperties ' ~ relation) -%}
{%- do properties.update({row[0]: row[1] | string}) -%}
{%- endfor -%}
{{ return(properties) }}
{%- endmacro %}

{#- Whether a table has rows of a batch, now: Spark may remember the table as it was before. -#}
{% macro has_batch(relation, id) -%}
{%- if not dbt_changelog.table_exists(relation) -%}
{{ return(false) }}
{%- endif -%}
{%- do run_query('refresh table ' ~ relation) -%}
{{ return(run_query('select 1 from ' ~ relation ~ ' where _batch_id = ' ~ id
                    ~ ' limit 1').rows | length > 0) }}
{%- endmacro %}

{#- dbt learns of a relation that was made: in small letters, as it looks for one. -#}
{% macro tell_dbt(relation) -%}
{%- do adapter.cache_added(relation.incorporate(path={
  'schema': relation.schema | lower, 'identifier': relation.identifier | lower})) -%}
{%- endmacro %}
