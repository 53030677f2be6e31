{#-
  What a model has beside its contents, to select from: `customers` has `customers__changelog`. With
  --empty and --sample it is what they make of the model; a text that is put together is no name.
-#}
{% macro beside(relation, name) -%}
{{ return(dbt_changelog.sibling_relation(relation, name)) }}
{%- endmacro %}
