{#-
  The changes that a to_changelog model has not read yet, as a subquery: whole batches of the
  changelog of a from_changelog model, up to the last that is committed, or whole versions of a
  table. All of them where no batch is made: dbt compile, show and test; none of them with --empty;
  in unit tests the relation itself.
-#}
{% macro changes(relation) -%}
{%- if not execute or (model and model.resource_type == 'unit_test') -%}
{{ return(relation) }}
{%- endif -%}
{%- do dbt_changelog.check_reader('changes', 'to_changelog', relation) -%}
{%- set where = dbt_changelog.model_where(model) if model else 'this operation' -%}
{%- do dbt_changelog.check_is_table(where, 'changes', relation) -%}
{%- set producer = dbt_changelog.change_source(where, relation) -%}
{%- if producer is none -%}
{{ return(dbt_changelog.feed_changes(where, relation)) }}
{%- endif -%}
{%- set changelog = producer.relations.changelog -%}
{%- if dbt_changelog.reads_nothing() -%}
{{ return(dbt_changelog.no_changes_sql(relation, changelog)) }}
{%- elif not dbt_changelog.makes_batch() -%}
{{ return(changelog) }}
{%- endif -%}
{%- set next = dbt_changelog.changelog_end(where, producer) -%}
{%- set last = dbt_changelog.last_position(changelog) -%}
{%- do dbt_changelog.check_same_changelog(where, changelog, last, next) -%}
{{ return(dbt_changelog.strict_range_sql(where, changelog, '_batch_id', last, next)) }}
{%- endmacro %}
