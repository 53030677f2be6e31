{#- Whether this command renders the model to run it on its real input. -#}
{% macro makes_batch() -%}
{{ return(flags.WHICH in ['run', 'build', 'retry'] and not flags.EMPTY
          and model.resource_type == 'model') }}
{%- endmacro %}
