{#- What dbt says of a model and of the command that runs. -#}

{#- A model as messages name it. -#}
{% macro model_where(node) -%}
{{ return(node.config.materialized ~ " model '" ~ dbt_changelog.model_name(node) ~ "'") }}
{%- endmacro %}

{#- A macro call as messages name it. -#}
{% macro macro_where(name) -%}
{{ return(name ~ '(...)'
          ~ (" of model '" ~ dbt_changelog.model_name(model) ~ "'" if model else '')) }}
{%- endmacro %}

{#- A model as people and --args name it: one that has versions with its own, as in cust_v.v2. -#}
{% macro model_name(node) -%}
{%- set version = node.get('version') -%}
{{ return(node.name ~ ('.v' ~ version if version is not none else '')) }}
{%- endmacro %}

{#- The file format of a model's tables. -#}
{% macro model_file_format(node) -%}
{{ return(node.config.get('file_format') or 'delta') }}
{%- endmacro %}

{#- The rule by which a model's state is made. -#}
{% macro model_kernel(node) -%}
{%- if not node.config.get('unique_key') -%}
{{ return('multiset') }}
{%- endif -%}
{{ return('snapshot' if node.config.materialized == 'to_changelog' else 'last_write_wins') }}
{%- endmacro %}

{#- How a model reads its source: {mode, column, lookback, strict}. -#}
{% macro model_read(node) -%}
{{ return(dbt_changelog.parse_read(dbt_changelog.model_where(node), node.config.get('read'))) }}
{%- endmacro %}

{#- The schema of a model's contents, which need not be that of its tables. -#}
{% macro contents_schema(node) -%}
{{ return(node.config.get('contents_schema') or node.schema
          if node.config.materialized == 'from_changelog' else node.schema) }}
{%- endmacro %}

{#-
  What is known of a model without its columns: whose state it is, where all of it lies, and whether
  its batches may go through a staging table.
-#}
{% macro model_tables(node, relation) -%}
{{ return({
  'uid': node.config.get('uid') or node.unique_id,
  'kernel': dbt_changelog.model_kernel(node),
  'stages': dbt_changelog.kernel_of(dbt_changelog.model_kernel(node)).stages_batches
    or dbt_changelog.has_changelog(node),
  'relations': dbt_changelog.model_relations(relation, node.schema,
    node.config.materialized == 'to_changelog'),
}) }}
{%- endmacro %}

{#- Whether a model writes the changelog that it emits. -#}
{% macro has_changelog(node) -%}
{{ return(node.config.get('changelog') is true) }}
{%- endmacro %}

{#- Whether dbt holds a model to its contract. -#}
{% macro has_contract(node) -%}
{{ return(true if node.config.contract and node.config.contract.enforced else false) }}
{%- endmacro %}

{#- What persist_docs writes down: {relation, columns: {name: text}}. -#}
{% macro model_docs(node) -%}
{%- set asked, columns = node.config.get('persist_docs') or {}, {} -%}
{%- for name, column in (node.columns or {}).items() if asked.get('columns') -%}
{%- do columns.update({name | lower: column.description}) if column.description -%}
{%- endfor -%}
{{ return({'relation': node.description if asked.get('relation') else none, 'columns': columns}) }}
{%- endmacro %}

{#- The query of a model, as its statements read it: without rows in a run that reads nothing. -#}
{% macro model_query(query) -%}
{{ return('select * from (\n' ~ query | trim ~ '\n)\nwhere false' if dbt_changelog.reads_nothing()
    else query | trim) }}
{%- endmacro %}

{#-
  Whether this run reads nothing and commits nothing: dbt run --empty, dbt run --sample, which dbt
  tells macros only among the arguments of the command.
-#}
{% macro reads_nothing() -%}
{{ return(true if flags.EMPTY or invocation_args_dict.get('sample') else false) }}
{%- endmacro %}

{#-
  The time of processing, as SQL. var dbt_changelog_now: a timestamp to take instead, for tests of
  what depends on it.
-#}
{% macro clock() -%}
{%- set now = var('dbt_changelog_now', none) -%}
{{ return('timestamp' ~ dbt_changelog.literal(now) if now else 'current_timestamp()') }}
{%- endmacro %}
