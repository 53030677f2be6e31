{#- Which images the events have, in words: names of columns may change, this may not. -#}
{% macro image_sides(plan) -%}
{%- if plan.before is none and plan.after is none -%}
{{ return('no images') }}
{%- elif plan.before == plan.after -%}
{{ return('one column for both images') }}
{%- endif -%}
{{ return('a before and an after image' if plan.before and plan.after
          else 'an after image' if plan.after else 'a before image') }}
{%- endmacro %}
