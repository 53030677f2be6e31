{#- What a model says of its tables and its run, as far as no columns are needed. -#}

{#-
  What is known of a model without its columns: whose state it is, where all of it lies, and whether
  its batches may go through a staging table.
-#}
{% macro model_tables(node, relation) -%}
{%- set listed = dbt_changelog.tables_of_model(node, relation) -%}
{{ return({
  'uid': node.config.get('uid') or node.unique_id,
  'kernel': dbt_changelog.model_kernel(node),
  'stages': dbt_changelog.kernel_of(dbt_changelog.model_kernel(node)).stages_batches
    or dbt_changelog.has_changelog(node),
  'relations': dbt_changelog.model_relations(relation, node.schema,
    dbt_changelog.model_function(node) == 'to_changelog', listed),
}) }}
{%- endmacro %}

{#- What any plan says: the version of its batch log, what dbt asks of a model, and the time. -#}
{% macro run_settings(node) -%}
{{ return({
  'version': 2,
  'grants': node.config.get('grants'),
  'docs': dbt_changelog.model_docs(node),
  'contract': dbt_changelog.has_contract(node),
  'now': dbt_changelog.clock(),
}) }}
{%- endmacro %}

{#- What is there of a model (known_tables). -#}
{% macro tables_of_model(node, relation) -%}
{%- set home = relation.incorporate(path={'schema': node.schema}) -%}
{%- set view = none if dbt_changelog.model_function(node) == 'to_changelog' else relation -%}
{{ return(dbt_changelog.known_tables(home, view, keeps=true) if dbt_changelog.is_asked_once(node)
          else dbt_changelog.listed_tables(home, view)) }}
{%- endmacro %}

{#- Whether the run of a model need not ask what its query asked: no pre-hook runs in between. -#}
{% macro is_asked_once(node) -%}
{{ return(true if model and model.unique_id == node.unique_id and dbt_changelog.makes_batch()
          and not node.config.get('pre-hook') else false) }}
{%- endmacro %}

{#- What a model is, run by dbt or as a stream: from_changelog, to_changelog; none of any other. -#}
{% macro model_function(node) -%}
{%- set kind = node.config.materialized -%}
{{ return(node.config.get('function') if kind == 'changelog_stream'
          else kind if kind in ['from_changelog', 'to_changelog'] else none) }}
{%- endmacro %}

{#- Whether a model is run as a stream. -#}
{% macro is_stream(node) -%}
{{ return(node.config.materialized == 'changelog_stream') }}
{%- endmacro %}

{#- The rule by which a model's state is made. -#}
{% macro model_kernel(node) -%}
{%- if not node.config.get('unique_key') -%}
{{ return('multiset') }}
{%- endif -%}
{%- set partial = dbt_changelog._has_partial_rows(node) -%}
{{ return('snapshot' if dbt_changelog.model_function(node) == 'to_changelog'
          else 'upsert_materialize' if node.config.get('on_conflict') is not none
          else ('partial_versions' if partial else 'versions')
            if dbt_changelog.keeps_versions(node.config)
          else 'partial_rows' if partial
          else 'merge_on_read' if node.config.get('merge') == 'on_read' else 'last_write_wins') }}
{%- endmacro %}

{#-
  Whether the events of a model may be less than the whole of their row, or end many rows: as it
  says, or as its format does where it says nothing, which may come as text or as columns.
-#}
{% macro _has_partial_rows(node) -%}
{%- set config, mapping = node.config, node.config.get('op_mapping') -%}
{%- for name in ['unavailable_value', 'ignore_null_updates', 'columns_not_sent', 'soft_delete']
    if config.get(name) -%}
{{ return(true) }}
{%- endfor -%}
{%- for preset in dbt_changelog.presets_of(config.get('format')) -%}
{%- if (mapping is none and 'TRUNCATE' in preset.op_mapping.values())
    or (config.get('columns_not_sent') is none and preset.unsent.get('after'))
    or (config.get('unavailable_value') is none and preset.unavailable_value
        and dbt_changelog._may_hold_texts(node)) -%}
{{ return(true) }}
{%- endif -%}
{%- endfor -%}
{{ return(mapping is mapping and 'TRUNCATE' in mapping.values()) }}
{%- endmacro %}

{#- Whether a placeholder fits into a column of the row, or the config does not say. -#}
{% macro _may_hold_texts(node) -%}
{%- set types = [node.config.get('payload_schema') or ''] -%}
{%- for column in (node.columns or {}).values() if not types[0] -%}
{%- do types.append(column.get('data_type') or 'string') -%}
{%- endfor -%}
{{ return(types == ['']
          or modules.re.search('string|char|binary|array|map', types | join(' ') | lower)
          is not none) }}
{%- endmacro %}

{#- The file format of a model's tables. -#}
{% macro model_file_format(node) -%}
{{ return(node.config.get('file_format') or 'delta') }}
{%- endmacro %}

{#- The schema of a model's contents, which need not be that of its tables. -#}
{% macro contents_schema(node) -%}
{{ return(node.config.get('contents_schema') or node.schema
          if dbt_changelog.model_function(node) == 'from_changelog' else node.schema) }}
{%- endmacro %}

{#- What dbt means by the name of a model, for operations: a run has it as `this`. -#}
{% macro contents_relation(node) -%}
{{ return(api.Relation.create(
    schema=dbt_changelog.contents_schema(node), identifier=node.alias)) }}
{%- endmacro %}

{#- Whether a model writes the changelog that it emits. -#}
{% macro has_changelog(node) -%}
{{ return(node.config.get('changelog') is true) }}
{%- endmacro %}

{#- How a model reads: {mode, column, lookback, strict}. A stream reads each row once. -#}
{% macro model_read(node) -%}
{{ return({'mode': 'stream', 'strict': true} if dbt_changelog.is_stream(node)
          else dbt_changelog.parse_read(dbt_changelog.model_where(node),
                                        node.config.get('read'))) }}
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
