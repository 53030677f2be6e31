{#-
  The id of the next batch: above the last one, or, in a model that has none, above those that its
  uid had before its state was dropped, as far as what is left tells. Consumers know a batch by it.
-#}
{% macro next_id(plan, last) -%}
{%- set ids = [last.id] -%}
{%- if last.id == 0 -%}
{%- set staged = dbt_changelog.read_batch_log(plan.relations.changes) -%}
{%- do ids.append(staged.batch.id) if staged and staged.uid == plan.uid -%}
{%- do ids.append(dbt_changelog._greatest(plan.relations.changelog, '_batch_id'))
    if dbt_changelog.table_exists(plan.relations.changelog) -%}
{%- set batches = dbt_changelog.batches_relation(plan.relations.state) -%}
{%- do ids.append(dbt_changelog._greatest(batches, 'batch_id', plan.uid))
    if load_relation(batches) is not none -%}
{%- endif -%}
{{ return(ids | max + 1) }}
{%- endmacro %}

{% macro _greatest(table, column, uid=none) -%}
{%- set types = {} -%}
{%- for found in dbt_changelog.describe_query('select * from ' ~ table) -%}
{%- do types.update({found.name: found.type}) -%}
{%- endfor -%}
{%- if types.get(column) != 'bigint' or (uid and types.get('uid') != 'string') -%}
{{ return(0) }}
{%- endif -%}
{%- set found = run_query('select max(' ~ column ~ ') from ' ~ table
    ~ (' where uid = ' ~ dbt_changelog.literal(uid) if uid else '')).rows[0][0] -%}
{{ return(found | int if found is not none else 0) }}
{%- endmacro %}
