{#-
  Configs and query of a from_changelog model -> its plan: one document, checked as a whole, before
  anything is written, and never written to. node: the model as in graph.nodes; relation: what dbt
  means by its name.
-#}
{% macro from_changelog_plan(node, query, relation) -%}
{%- set where, config = dbt_changelog.model_where(node), node.config -%}
{%- do dbt_changelog.check_model_config(where, node) -%}
{%- do dbt_changelog.check_catalogs(where, node, relation) -%}
{%- set given = dbt_changelog.given_args(config, dbt_changelog.decode_defaults()) -%}
{%- set decoding = dbt_changelog.decode_plan(
    where, given, dbt_changelog.input_columns(where, given, query)) -%}
{%- set tables = dbt_changelog.model_tables(node, relation) -%}
{%- set changelog = dbt_changelog.parse_flag(where, 'changelog', config.get('changelog') or false)
-%}
{%- set asked = {
  'version': 2,
  'query': dbt_changelog.model_query(query),
  'read': dbt_changelog.model_read(node),
  'changelog': changelog,
  'has_update_before': dbt_changelog._applies_update_before(decoding, changelog),
  'on_schema_change': dbt_changelog.parse_choice(where, 'on_schema_change',
    config.get('on_schema_change') or 'ignore',
    ['ignore', 'fail', 'append_new_columns', 'sync_all_columns']),
  'counters': dbt_changelog.parse_choice(
    where, 'counters', config.get('counters') or 'free', ['free', 'full']),
  'grants': config.get('grants'),
  'docs': dbt_changelog.model_docs(node),
  'contract': dbt_changelog.has_contract(node),
  'now': dbt_changelog.clock(),
  'storage': dbt_changelog.model_storage(where, node, decoding.payload + decoding.passthrough),
} -%}
{%- set plan = dbt_changelog.merged(decoding, tables, asked) -%}
{%- do dbt_changelog._check_keyless_read(plan) -%}
{%- set columns = dbt_changelog._decoded_columns(plan) -%}
{{ return(dbt_changelog.merged(plan, columns, {
  'constraints': dbt_changelog.plan_constraints(plan, node),
  'partition_checks': dbt_changelog.partition_checks(plan, columns.state_columns),
})) }}
{%- endmacro %}

{#-
  Whether an UPDATE_BEFORE may be among the changes that the state gets: from a code of its own, or
  from the staged changes of a changelog whose events carry both images.
-#}
{% macro _applies_update_before(decoding, changelog) -%}
{{ return(decoding.has_update_before or (changelog and not decoding.state_backed
          and 'UPDATE_BEFORE' in dbt_changelog.mapped_kinds(decoding.op_mapping))) }}
{%- endmacro %}

{#- Without a key each event counts: none is read twice, unless all are read and counted anew. -#}
{% macro _check_keyless_read(plan) -%}
{%- set counts = dbt_changelog.kernel_of(plan.kernel).counts_events -%}
{%- if counts and plan.read.mode == 'column' and not plan.read.strict -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'read',
    'without unique_key each event counts, and ' ~ plan.read.column
      ~ ' is read again at its last position',
    "if no row arrives later with a value at or below the greatest, write read={'column': '"
      ~ plan.read.column ~ "', 'strict': true}; else read='full', or set unique_key") -%}
{%- elif counts and plan.read.mode == 'full' and plan.changelog -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog',
    "without unique_key a changelog needs a position, and read='full' has none",
    "write read={'column': .., 'strict': true}, or set unique_key") -%}
{%- endif -%}
{%- endmacro %}

{#-
  The columns of what decode gives, as Spark's analysis finds them: so the whole of it is checked
  before it runs. compared: what decides whether two rows are equal, the payload beside the key but
  for `uncompared` or, without a key, all; by name, since its order in the query must not matter.
-#}
{% macro _decoded_columns(plan) -%}
{%- set counts = dbt_changelog.kernel_of(plan.kernel).counts_events -%}
{%- set decoded, types = dbt_changelog.describe_columns(
    dbt_changelog.decoded_sql(plan, plan.query)), {} -%}
{%- for column in decoded -%}
{%- do types.update({column.name: column.type}) -%}
{%- endfor -%}
{%- do dbt_changelog.check_orderable(plan.where, 'sequence_by', '_sequence', types) -%}
{%- do dbt_changelog.warn_of_text_sequence(plan, types['_sequence']) -%}
{%- for name in plan.unique_key -%}
{%- do dbt_changelog.check_orderable(plan.where, 'unique_key', name, types) -%}
{%- endfor -%}
{%- set own = ['_row_kind', '_ordinal'] + (['_sequence'] if counts else []) -%}
{%- set stored, compared, state_columns = decoded | rejectattr('name', 'in', own) | list, [], [] -%}
{%- set names = plan.payload + (plan.passthrough if counts else []) -%}
{%- for column in stored | sort(attribute='name') if column.name in names
    and column.name not in plan.unique_key + plan.uncompared -%}
{%- do compared.append(column) -%}
{%- endfor -%}
{%- for column in stored -%}
{%- do state_columns.append(dict(column,
    type=dbt_changelog.stored_type(plan.storage.file_format, column.type))) -%}
{%- endfor -%}
{{ return({'compared': compared, 'state_columns': state_columns,
           'orderable': dbt_changelog.is_orderable(stored)}) }}
{%- endmacro %}

{#- The changes in a query of events, as a query: to be described, or compared with a contract. -#}
{% macro decoded_sql(plan, query) -%}
with {{ dbt_changelog.events_cte(query) }},

{{ dbt_changelog.decode_ctes(plan, 'events', upserts_only=true) }}

select *
from changes
{%- endmacro %}
