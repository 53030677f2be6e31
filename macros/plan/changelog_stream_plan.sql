{#-
  Configs and query of a changelog_stream model -> its plan: that of its function, of the columns of
  the stream. Nothing of a stream can be read outside of it, so the plan's query is one without rows
  that has the same columns, and each micro-batch is read in its place. stream: {query, trigger,
  checkpoint, table}: what is read, when, where the stream remembers what it has read, and of which
  model, since those of two targets have one uid.
-#}
{% macro changelog_stream_plan(node, query, relation) -%}
{%- set where, config = dbt_changelog.model_where(node), node.config -%}
{%- set function = dbt_changelog.parse_choice(
    where, 'function', config.get('function'), ['from_changelog', 'to_changelog']) -%}
{%- set make_plan = dbt_changelog.from_changelog_plan if function == 'from_changelog'
    else dbt_changelog.to_changelog_plan -%}
{%- set columns = dbt_changelog.query_columns(where, query) -%}
{%- set names = columns | map(attribute='name') | list -%}
{%- set inserts = function == 'to_changelog'
    and dbt_changelog.find_name('_row_kind', names) is none -%}
{%- set rows = dbt_changelog.no_rows_sql(columns) -%}
{%- set plan = make_plan(node, dbt_changelog._inserts_sql('(\n' ~ rows ~ '\n)', 0) if inserts
    else rows, relation) -%}
{{ return(dbt_changelog.merged(plan, {'stream': {
  'query': query | trim,
  'inserts': inserts,
  'trigger': dbt_changelog.parse_trigger(where, config.get('trigger')),
  'checkpoint': dbt_changelog.checkpoint_location(where, config, plan.relations),
  'table': (plan.relations.contents or plan.relations.batch_log) | string,
}})) }}
{%- endmacro %}

{#- The configs that only a stream has. -#}
{% macro stream_config_names() -%}
{{ return(['function', 'trigger', 'checkpoint_location']) }}
{%- endmacro %}

{#-
  The rows of a micro-batch, as the query of a batch. In a stream of rows, not of changes, each row
  is one that was inserted.
-#}
{% macro micro_batch_sql(plan, view, id) -%}
{{ return(dbt_changelog._inserts_sql(view, id) if plan.stream.inserts
          else 'select * from ' ~ view) }}
{%- endmacro %}

{% macro _inserts_sql(view, id) -%}
select
  'INSERT' as _row_kind,
  cast({{ id }} as bigint) as _sequence,
  0 as _ordinal,
  cast({{ id }} as bigint) as _batch_id,
  *
from {{ view }}
{%- endmacro %}

{#- Where the checkpoint lies: where the user says, or beside the tables of the schema. -#}
{% macro checkpoint_location(where, config, relations) -%}
{%- set given, table = config.get('checkpoint_location'), relations.batch_log -%}
{%- if given is not none and (given is not string or not given | trim) -%}
{%- do dbt_changelog.raise_invalid(where, 'checkpoint_location', "'" ~ given ~ "' is no folder",
    "write a folder of this model alone, like 's3a://bucket/checkpoints/customers'") -%}
{%- elif given -%}
{{ return(given) }}
{%- endif -%}
{%- set schema = table.include(identifier=false) -%}
{%- set location = dbt_changelog.schema_location(schema) -%}
{%- if location is none -%}
{%- do dbt_changelog.raise_invalid(where, 'checkpoint_location', 'the catalog of ' ~ schema
    ~ ' does not say where that schema lies, so there is no folder for the checkpoint',
    "name one of this model alone, like 's3a://bucket/checkpoints/customers'") -%}
{%- endif -%}
{%- set name = relations.contents.identifier if relations.contents else table.identifier -%}
{{ return(location ~ '/_checkpoints/' ~ name) }}
{%- endmacro %}
