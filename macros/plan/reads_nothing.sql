{#- What a run is told beside its configs: whether it reads anything, and the time. -#}

{#-
  Whether this run reads nothing and commits nothing: dbt run --empty, dbt run --sample, which dbt
  tells macros only among the arguments of the command.
-#}
{% macro reads_nothing() -%}
{{ return(true if flags.EMPTY or invocation_args_dict.get('sample') else false) }}
{%- endmacro %}

{#- Whether this command renders the model to run it on its real input. -#}
{% macro makes_batch() -%}
{{ return(flags.WHICH in ['run', 'build', 'retry'] and not dbt_changelog.reads_nothing()
          and model.resource_type == 'model') }}
{%- endmacro %}

{#- The query of a model, as its statements read it: without rows in a run that reads nothing. -#}
{% macro model_query(query) -%}
{{ return('select * from (\n' ~ query | trim ~ '\n)\nwhere false' if dbt_changelog.reads_nothing()
    else query | trim) }}
{%- endmacro %}

{#-
  The time of processing, as SQL. var dbt_changelog_now: a timestamp to take instead, for tests of
  what depends on it.
-#}
{% macro clock() -%}
{%- set now = var('dbt_changelog_now', none) -%}
{{ return('timestamp' ~ dbt_changelog.literal(now) if now else 'current_timestamp()') }}
{%- endmacro %}
