{#-
  The row kinds that decode gives for a mapping's kinds.

  Where only the last image of a key counts (contents, or emission against state) a group is an
  upsert: its UPDATE_BEFORE would lose to its UPDATE_AFTER anyway. An UPDATE_BEFORE alone that has
  no image says nothing there.
-#}
{% macro emitted_kinds(plan, kinds) -%}
{%- if not plan.upserts_only -%}
{{ return(kinds) }}
{%- elif kinds == ['UPDATE_BEFORE'] and plan.images and plan.before is none -%}
{{ return([]) }}
{%- endif -%}
{{ return(['UPDATE_AFTER'] if kinds | length > 1 else kinds) }}
{%- endmacro %}
