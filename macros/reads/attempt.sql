{#-
  Runs a statement that may fail: {table, error}, one of them none. Jinja can't catch; the Python
  half does (_plugin.py). Without it a statement that fails ends the run, as any other.
-#}
{% macro attempt(sql) -%}
{%- if adapter.attempt_statement is not defined -%}
{{ return({'table': run_query(sql), 'error': none}) }}
{%- endif -%}
{{ return(adapter.attempt_statement(sql)) }}
{%- endmacro %}
