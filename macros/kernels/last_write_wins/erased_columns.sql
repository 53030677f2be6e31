{#-
  What the columns of a row become whose values are erased, [{name, sql}]: a tombstone of the same
  sequence, so that only newer events count. It has no hash, which would say something of the values
  (place_sql).
-#}
{% macro erased_columns(plan) -%}
{%- set columns = [] -%}
{%- for name in plan.payload + plan.passthrough if name not in plan.unique_key -%}
{%- do columns.append({'name': name, 'sql': 'null'}) -%}
{%- endfor -%}
{{ return(columns + [
  {'name': '_row_kind', 'sql': "'DELETE'"},
  {'name': '_image_hash', 'sql': 'null'},
  {'name': '_changed_at', 'sql': plan.now},
]) }}
{%- endmacro %}
