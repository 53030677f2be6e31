{#- Whether another type has every value of a type, and more, where tables change it in place. -#}
{% macro is_widening(from, to) -%}
{%- for types in [['tinyint', 'smallint', 'int', 'bigint'], ['float', 'double']] -%}
{%- if from in types and to in types -%}
{{ return(types.index(from) < types.index(to)) }}
{%- endif -%}
{%- endfor -%}
{%- set shape = 'decimal\\((\\d+),(\\d+)\\)' -%}
{%- set old, new = modules.re.fullmatch(shape, from), modules.re.fullmatch(shape, to) -%}
{%- if not old or not new -%}
{{ return(false) }}
{%- endif -%}
{%- set more = new.group(2) | int - old.group(2) | int -%}
{{ return(from != to and more >= 0 and new.group(1) | int - old.group(1) | int >= more) }}
{%- endmacro %}
