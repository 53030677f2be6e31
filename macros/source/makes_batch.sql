{#- Whether this command renders the model to run it on its real input. -#}
{% macro makes_batch() -%}
{{ return(flags.WHICH in ['run', 'build', 'retry'] and not dbt_changelog.reads_nothing()
          and model.resource_type == 'model') }}
{%- endmacro %}
