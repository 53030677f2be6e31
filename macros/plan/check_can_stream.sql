{#- A stream runs in the process that has dbt and the driver of Spark: nowhere else. -#}
{% macro check_can_stream(node) -%}
{%- set where, refuse = dbt_changelog.model_where(node), dbt_changelog.raise_invalid -%}
{%- if adapter.changelog_connection is not defined -%}
{%- do refuse(where, 'materialized', 'a stream needs the pip module of this package',
    "pip install it in dbt's Python environment, as the README says") -%}
{%- endif -%}
{%- set connection = adapter.changelog_connection() -%}
{%- set here = "run it with a profile of method: session without SPARK_REMOTE, or read by a column:"
    ~ " materialized='" ~ (node.config.get('function') or 'from_changelog')
    ~ "', for example with read={'column': 'ingested_at'}" -%}
{%- if connection == 'connect' -%}
{%- do refuse(where, 'materialized', 'over Spark Connect a micro-batch is handed to a worker of the'
    ~ ' server, where no dbt runs', here) -%}
{%- elif connection != 'session' -%}
{%- do refuse(where, 'materialized', 'a stream is run by the process that has Spark, and this'
    ~ ' profile has method: ' ~ connection, here) -%}
{%- endif -%}
{%- endmacro %}
