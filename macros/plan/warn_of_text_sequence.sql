{#-
  Warns of a column or path in sequence_by that is a text: '9' is above '10'. An expression is taken
  as meant. type: of the whole sequence, a struct of _1, _2, .. if it has several items.
-#}
{% macro warn_of_text_sequence(plan, type) -%}
{%- set name, text = '(`([^`]|``)+`|\\w+)', '(string|(var)?char\\(\\d+\\))' -%}
{%- for item in plan.sequence_by -%}
{%- set place = '[<,]_' ~ loop.index ~ ':' ~ text ~ '[,>]' if plan.sequence_by | length > 1
    else '^' ~ text ~ '$' -%}
{%- if modules.re.fullmatch(name ~ '(\\.' ~ name ~ ')*', item) and modules.re.search(place, type)
-%}
{%- do exceptions.warn('In ' ~ plan.where ~ ' ' ~ item ~ " of sequence_by is a text, and of texts"
    ~ " '9' is later than '10'. To fix: write what it stands for into sequence_by, such as cast("
    ~ item ~ ' as bigint); or cast(' ~ item ~ ' as string), if it is meant to be compared as text.')
-%}
{%- endif -%}
{%- endfor -%}
{%- endmacro %}
