{#-
  Whether a change is half of the only update at its sequence. at_once: a window in which
  UPDATE_AFTER is last, and UPDATE_BEFORE before it.
-#}
{% macro is_pair_sql(at_once) -%}
coalesce(case _row_kind
  when 'UPDATE_BEFORE' then
    lead(_row_kind) over {{ at_once }} = 'UPDATE_AFTER'
    and lead(_row_kind, 2) over {{ at_once }} is null
    and not lag(_row_kind) over {{ at_once }} <=> 'UPDATE_BEFORE'
  when 'UPDATE_AFTER' then
    lag(_row_kind) over {{ at_once }} = 'UPDATE_BEFORE'
    and not lag(_row_kind, 2) over {{ at_once }} <=> 'UPDATE_BEFORE'
    and lead(_row_kind) over {{ at_once }} is null
end, false)
{%- endmacro %}
