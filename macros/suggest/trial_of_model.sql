{#-
  A model of these configs beside the events: {given, events, wrong, text, problems}; wrong: how
  many events say that the key, or the order, is another.
-#}
{% macro trial_of_model(table, asked, tried, sampled) -%}
{%- set given = dict(asked.given, **tried) -%}
{%- set query = 'select ' ~ asked.select | join(', ') ~ sampled -%}
{%- set formats = dbt_changelog.catalog(target.schema).formats or ['delta'] -%}
{%- set node = {
  'name': table.identifier, 'alias': table.identifier, 'unique_id': 'model.suggested',
  'schema': target.schema, 'resource_type': 'model', 'language': 'sql', 'columns': {},
  'constraints': [], 'fqn': [], 'package_name': adapter.config.project_name,
} -%}
{%- set given = dict(given, file_format='delta' if 'delta' in formats else formats[0]) -%}
{%- set node = dict(node, config=dict(given, contract={'enforced': false}),
    config_call_dict=given, unrendered_config=given) -%}
{%- set plan = dbt_changelog.from_changelog_plan(node, query, api.Relation.create(
    schema=target.schema, identifier=table.identifier)) -%}
{%- set problems, ties, nulls = [], [0], [0] -%}
{%- for row in run_query(dbt_changelog.count_problems_sql(plan)).rows
    if row[0] is not none and row[3] == 1 -%}
{%- set amount = row[1] | int -%}
{%- do ties.append(amount) if row[0].startswith('two different changes') -%}
{%- do nulls.append(amount) if row[0].startswith('key column') -%}
{%- do problems.append(row[0] ~ ': ' ~ amount ~ ', such as ' ~ row[2]) -%}
{%- endfor -%}
{%- set counted = run_query(dbt_changelog._count_key_sql(plan)).rows[0].dict() -%}
{{ return({
  'given': given,
  'events': counted.events,
  'wrong': nulls | sum + ties | sum + counted.inserts - counted.inserted_keys,
  'problems': problems,
  'text': 'unique_key ' ~ given.unique_key | join(', ') ~ ', sequence_by '
    ~ (given.get('sequence_by') or 'of the format') ~ ': ' ~ counted.found ~ ' keys, ' ~ nulls | sum
    ~ ' events without one, ' ~ counted.inserts ~ ' inserts of ' ~ counted.inserted_keys
    ~ ' keys, ' ~ ties | sum ~ ' ties',
}) }}
{%- endmacro %}

{% macro _count_key_sql(plan) -%}
{%- set key, codes = [], dbt_changelog.codes_with(plan.op_mapping, ['INSERT']) or [''] -%}
{%- set inserts = dbt_changelog.op_sql(plan) ~ ' in (' ~ dbt_changelog.literals(codes) ~ ')' -%}
{%- for name in plan.unique_key -%}
{%- set places = [] -%}
{%- for side in ['after', 'before'] if plan[side]
    and name in plan.columns[side] | map(attribute='name') -%}
{%- do places.append(dbt_changelog.quote(plan[side]) ~ '.' ~ dbt_changelog.quote(name)) -%}
{%- endfor -%}
{%- do key.append(dbt_changelog.quote(name) if not places else places[0] if places | length == 1
    else 'coalesce(' ~ places | join(', ') ~ ')') -%}
{%- endfor -%}
with {{ dbt_changelog.events_ctes(plan, plan.query) }}

select
  count(*) as events,
  count(distinct {{ key | join(', ') }}) as found,
  count_if({{ inserts }}) as inserts,
  count(distinct if({{ inserts }}, {{ key[0] }}, null){{ ', ' ~ key[1:] | join(', ') if key[1:] }})
    as inserted_keys
from events
{%- endmacro %}
