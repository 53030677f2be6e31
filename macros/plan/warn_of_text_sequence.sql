{#-
  Warns of a column or path in sequence_by that is a text, or has one inside: '9' is above '10'. An
  expression is taken as meant. type: of the whole sequence, a struct of _1, _2, .. if it has
  several items.
-#}
{% macro warn_of_text_sequence(plan, type) -%}
{%- set name = '(`([^`]|``)+`|\\w+)' -%}
{#- those of a format are texts that are meant so -#}
{%- for item in plan.sequence_by if not (plan.wire and item.startswith('`_order_')) -%}
{%- set end = '>$' if loop.last else ',_' ~ (loop.index + 1) ~ ':' -%}
{%- set found = modules.re.search('[<,]_' ~ loop.index ~ ':(.*)' ~ end, type)
    if plan.sequence_by | length > 1 else [none, type] -%}
{%- set own = found[1] if found else '' -%}
{%- set is_name = modules.re.fullmatch(name ~ '(\\.' ~ name ~ ')*', item) is not none -%}
{%- if is_name and dbt_changelog.has_text(own) and '<' in own -%}
{%- do exceptions.warn('In ' ~ plan.where ~ ' ' ~ item ~ " of sequence_by has a text, and of texts"
    ~ " '9' is later than '10'. To fix: list its fields, those that are texts as casts to what"
    ~ ' they stand for, or to string, if they are meant to be compared as text.') -%}
{%- elif is_name and dbt_changelog.has_text(own) -%}
{%- do exceptions.warn('In ' ~ plan.where ~ ' ' ~ item ~ " of sequence_by is a text, and of texts"
    ~ " '9' is later than '10'. To fix: write what it stands for into sequence_by, such as cast("
    ~ item ~ ' as bigint); or cast(' ~ item ~ ' as string), if it is meant to be compared as text.')
-%}
{%- endif -%}
{%- endfor -%}
{%- endmacro %}

{#- Whether a type is a text or has one in it, with a collation or without. -#}
{% macro has_text(type) -%}
{{ return(modules.re.search('(^|:|array<)(string|(var)?char\\()', type) is not none) }}
{%- endmacro %}
