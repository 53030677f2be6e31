{#-
  What changes() reads, {name, relations}: the tables of the from_changelog model that a relation is
  of; none of any other relation, which must be a table that knows its own changes.
-#}
{% macro change_source(where, relation) -%}
{%- for node in dbt_changelog._models_of(relation) -%}
{%- if not dbt_changelog.has_changelog(node) -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', "the model '" ~ dbt_changelog.model_name(node)
    ~ "' has no changelog", 'set changelog=true there, and run it with --full-refresh if it has'
    ~ ' a state') -%}
{%- endif -%}
{%- do dbt_changelog._check_rows_before(where, model, node)
    if model and model.resource_type == 'model' -%}
{%- set contents = api.Relation.create(schema=relation.schema, identifier=relation.identifier) -%}
{{ return(dict(dbt_changelog.model_tables(node, contents),
               name=dbt_changelog.model_name(node))) }}
{%- endfor -%}
{{ return(none) }}
{%- endmacro %}

{#- Where the tables of a model lie, by its contents, which may lie in another schema. -#}
{% macro home_of(relation) -%}
{%- for node in dbt_changelog._models_of(relation) -%}
{{ return(relation.incorporate(path={'schema': node.schema})) }}
{%- endfor -%}
{{ return(relation) }}
{%- endmacro %}

{#-
  How far a changelog reaches now: the last batch that its model has committed. born: the run that
  made the table, by which it is known again.
-#}
{% macro changelog_end(where, producer) -%}
{%- set log = dbt_changelog.read_batch_log(producer.relations.state) -%}
{%- set changelog = producer.relations.changelog -%}
{%- if not log or not log.plan.changelog or not dbt_changelog.table_exists(changelog) -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', "the model '" ~ producer.name
    ~ "' has not made its changelog yet", 'run it before this one') -%}
{%- endif -%}
{{ return({'column': '_batch_id', 'type': 'bigint', 'value': log.batch.id | string,
           'born': dbt_changelog.table_properties(changelog).get('dbt_changelog.born', '')}) }}
{%- endmacro %}

{#- A changelog or a table that was made anew says again what its consumer has read of the old. -#}
{% macro check_same_changelog(where, changelog, last, next) -%}
{%- if last is not none and (last.born != next.born or last.value | int > next.value | int) -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', 'the table ' ~ changelog
    ~ ' was dropped and made anew since ' ~ next.column | replace('_batch_id', 'batch') ~ ' '
    ~ last.value ~ ' of it was read',
    'run this model with --full-refresh: it appends the difference as one batch, and goes on from'
    ~ ' there') -%}
{%- endif -%}
{%- endmacro %}

{#- No rows, with the columns of a changelog; under --empty its model may not have made it yet. -#}
{% macro no_changes_sql(relation, changelog) -%}
(
{%- if dbt_changelog.table_exists(changelog) %}
  select * from {{ changelog }}
{%- else %}
  {{ dbt_changelog.rows_as_changes_sql(relation) | indent(2) }}
{%- endif %}
  where false
)
{%- endmacro %}

{#- The rows before that an event table is to retract must be in the changelog that it reads. -#}
{% macro _check_rows_before(where, consumer, producer) -%}
{%- set plan = dbt_changelog.encode_plan(where,
    dbt_changelog.given_args(consumer.config, dbt_changelog.encode_defaults())) -%}
{%- set kinds = dbt_changelog.mapped_kinds(
    dbt_changelog.parse_op_mapping(where,
      dbt_changelog.given_args(producer.config, ['op_mapping']).get('op_mapping'))) -%}
{%- if dbt_changelog.has_lone_update_before(plan.op_mapping)
    and 'UPDATE_AFTER' in kinds and 'UPDATE_BEFORE' not in kinds -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', 'it has a code for UPDATE_BEFORE, and the'
    ~ " changelog of '" ~ dbt_changelog.model_name(producer) ~ "' has no such changes",
    "map its updates to 'UPDATE_BEFORE, UPDATE_AFTER' there, with state_ttl='0' if its events have"
    ~ " no row before; or set encoding='upsert' here") -%}
{%- endif -%}
{%- endmacro %}

{#-
  The from_changelog models whose contents a relation is, as they are here and, under --defer, where
  dbt takes them from.
-#}
{% macro _models_of(relation) -%}
{%- set places, found = [], [] -%}
{%- for node in (graph.nodes.values() if execute else [])
    if dbt_changelog.model_function(node) == 'from_changelog' -%}
{%- do places.append(node) -%}
{%- set other = node.get('defer_relation') -%}
{%- do places.append(dict(node, schema=other.schema, alias=other.alias,
                          config=other.config or node.config)) if other -%}
{%- endfor -%}
{%- for node in places if node.alias | lower == relation.identifier | lower
    and dbt_changelog.contents_schema(node) | lower == relation.schema | lower -%}
{%- do found.append(node) -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}
