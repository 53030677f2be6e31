{#-
  How far a changelog reaches now: the last batch that its model has committed. born: the run that
  made the table, by which it is known again.
-#}
{% macro changelog_end(where, producer) -%}
{%- set log = dbt_changelog.read_batch_log(producer.relations.state) -%}
{%- set changelog, born = producer.relations.changelog, namespace(id='') -%}
{%- if not log or not log.plan.changelog or not dbt_changelog.table_exists(changelog) -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', "the model '" ~ producer.name
    ~ "' has not made its changelog yet", 'run it before this one') -%}
{%- endif -%}
{%- for row in run_query('show tblproperties ' ~ changelog)
    if row[0] == 'dbt_changelog.born' -%}
{%- set born.id = row[1] -%}
{%- endfor -%}
{{ return({'column': '_batch_id', 'type': 'bigint', 'value': log.batch.id | string,
           'born': born.id}) }}
{%- endmacro %}
