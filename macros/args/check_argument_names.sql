{#-
  An unknown argument is an error that names the nearest valid one, if it is a typing error. known:
  of a model, what dbt knows beside ours.
-#}
{% macro check_argument_names(where, given, ours, known=none) -%}
{%- for name, value in given | dictsort if value is not none
    and name not in ours + (known.used + known.idle if known else []) -%}
{%- set near = dbt_changelog.nearest_name(name, ours + (known.used if known else [])) -%}
{%- set own = 'put it into meta if it is your own' if known else '' -%}
{%- do dbt_changelog.raise_invalid(where, name, 'there is no such argument',
    "use '" ~ near ~ "'" ~ (', or ' ~ own if own) if near
    else 'leave it out' ~ (', or ' ~ own if own) ~ '; the arguments'
      ~ (' of this model' if known) ~ ' are: ' ~ ours | sort | join(', ')) -%}
{%- endfor -%}
{%- endmacro %}
