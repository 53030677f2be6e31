{#-
  The image hash of a stored row. Of a row from before a change of columns it is computed anew, from
  the columns of today; as_read: as its event is read now, without what the query has no more.
-#}
{% macro stored_hash_sql(plan, side='', as_read=false) -%}
{%- if not plan.since -%}
{{ return(side ~ '_image_hash') }}
{%- endif -%}
{{ return('if(' ~ side ~ '_batch_id < ' ~ plan.since ~ ', '
          ~ dbt_changelog.image_hash_sql(plan, side, plan.absent if as_read else [])
          ~ ', ' ~ side ~ '_image_hash)') }}
{%- endmacro %}
