{#- The query of the model that runs; of a Python model, of the frame that it returns. -#}
{% macro query_of_model() -%}
{%- if model.language == 'sql' -%}
{{ return(sql | trim(' \n\t;')) }}
{%- elif adapter.changelog_frame is not defined -%}
{%- do dbt_changelog.raise_invalid(dbt_changelog.model_where(model), 'language',
    'a Python model needs the pip module of this package',
    "pip install it in dbt's Python environment, as the README says") -%}
{%- endif -%}
{{ return('select * from ' ~ adapter.changelog_frame(model.unique_id, compiled_code)) }}
{%- endmacro %}
