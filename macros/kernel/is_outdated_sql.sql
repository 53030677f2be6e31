{#-
  Whether two rows of one sequence are one row before and after a change of columns: no tie, the
  newer reading of it counts. stored: where the state's row is.
-#}
{% macro is_outdated_sql(plan, side, stored) -%}
{%- set live = ' in (' ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ ')' -%}
{{ return(stored ~ '_batch_id < ' ~ plan.since ~ ' and ' ~ side ~ '_row_kind' ~ live
          ~ ' and ' ~ stored ~ '_row_kind' ~ live) }}
{%- endmacro %}
