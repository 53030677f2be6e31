{#- A log that is gone does not begin anew without a word: its state says that there was one. -#}
{% macro check_log_is_lost(plan, refresh) -%}
{%- if not refresh and dbt_changelog.table_exists(plan.relations.state) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the table ' ~ plan.relations.log
    ~ ' is gone, and ' ~ plan.relations.state ~ ', which remembers what it said, is there',
    'restore it, or start its consumers anew and run with --full-refresh') -%}
{%- endif -%}
{%- endmacro %}
