{#-
  What the tables of a model say of it, as a plan for an operation on them: what its batch log says,
  and {where, relations, columns, key_columns, storage, ..}. columns: of each of its tables that is
  there (state, staged, changelog), [{name, type, parts}]. The query is not asked: its source may
  be gone, or give other columns today.
-#}
{% macro stored_plan(node) -%}
{%- set where = dbt_changelog.model_where(node) -%}
{%- set tables = dbt_changelog.model_tables(node, dbt_changelog.contents_relation(node)) -%}
{%- set relations, columns = tables.relations, {} -%}
{%- set log = dbt_changelog.read_batch_log(relations.batch_log) -%}
{%- set exists = dbt_changelog.table_exists(relations.batch_log) -%}
{%- do dbt_changelog.check_is_ours(dict(tables, where=where), {'exists': exists, 'log': log}) -%}
{%- if not exists -%}
{%- do dbt_changelog.raise_invalid(where, 'model', 'the table ' ~ relations.batch_log
    ~ ' is not there', 'run the model first, or name the target in which it was run') -%}
{%- endif -%}
{%- if dbt_changelog.begun_batch(tables, log, dbt_changelog.read_batch_log(relations.staged)) -%}
{%- do dbt_changelog.raise_problem('A run of ' ~ where ~ ' began a batch and did not end it, and'
    ~ ' would write again what its tables have now', 'run the model, which finishes it') -%}
{%- endif -%}
{%- for name in ['state', 'staged', 'changelog']
    if dbt_changelog.uid_of(relations[name]) == tables.uid -%}
{%- do columns.update({name: dbt_changelog.describe_columns('select * from ' ~ relations[name])})
-%}
{%- endfor -%}
{%- set key = dbt_changelog._key_columns(log.plan, columns) -%}
{%- set kept = columns.get('state', []) | map(attribute='name')
    | reject('in', dbt_changelog.generated_columns()) | list -%}
{{ return(dbt_changelog.merged(tables, log.plan, {
  'where': where,
  'log': log,
  'columns': columns,
  'payload': kept,
  'passthrough': log.plan.get('passthrough', []),
  'unique_key': key | map(attribute='name') | list,
  'key_columns': key,
  'storage': {'file_format': log.file_format, 'partition_by': [], 'cluster_by': [],
              'location_root': none, 'properties': {}},
  'properties': dbt_changelog.table_properties(relations.batch_log),
  'next_state': dbt_changelog.sibling_relation(relations.home,
    'state_' ~ log.batch.id ~ '_' ~ local_md5(invocation_id)[:8]),
  'docs': dbt_changelog.model_docs(node),
  'now': dbt_changelog.clock(),
})) }}
{%- endmacro %}

{#- Whose table it is, as its properties say; none of someone else's, or where there is none. -#}
{% macro uid_of(relation) -%}
{%- set properties = dbt_changelog.table_properties(relation)
    if dbt_changelog.table_exists(relation) else {} -%}
{%- set log = dbt_changelog.parse_batch_log(properties) or {} -%}
{{ return(log.get('plan', log).get('uid') or properties.get('dbt_changelog.uid')) }}
{%- endmacro %}

{#-
  The columns of the key, as they are stored, which may spell them in another case than the query:
  of the state, else of the event table or of an image in it.
-#}
{% macro _key_columns(plan, columns) -%}
{%- set events, key = columns.get('changelog', []), [] -%}
{%- set found = [] + (columns.get('state') or events) -%}
{%- for column in events
    if dbt_changelog.find_name(column.name, [plan.before, plan.after]) is not none -%}
{%- do found.extend(column.parts or []) -%}
{%- endfor -%}
{%- set names = found | map(attribute='name') | list -%}
{%- for name in plan.unique_key -%}
{%- do key.append(found | selectattr('name', 'equalto', dbt_changelog.find_name(name, names))
    | first) -%}
{%- endfor -%}
{{ return(key) }}
{%- endmacro %}
