{#-
  Whether this run reads nothing and commits nothing: dbt run --empty, dbt run --sample, which dbt
  tells macros only among the arguments of the command.
-#}
{% macro reads_nothing() -%}
{{ return(true if flags.EMPTY or invocation_args_dict.get('sample') else false) }}
{%- endmacro %}
