{#-
  What a model has beside its contents, to select from: `customers` has `customers__changelog`. With
  --empty and --sample it is what they make of the model; a text that is put together is no name. In
  unit tests it is the relation itself, for which the test gives rows.
-#}
{% macro beside(relation, name) -%}
{%- if model and model.resource_type == 'unit_test' -%}
{{ return(relation) }}
{%- endif -%}
{{ return(dbt_changelog.sibling_relation(
    relation if name == 'current' else dbt_changelog.home_of(relation), name)) }}
{%- endmacro %}
