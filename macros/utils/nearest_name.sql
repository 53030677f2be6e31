{#- The name that shares most neighbouring letters with a misspelt one (Dice's coefficient). -#}
{% macro nearest_name(name, names) -%}
{%- set best = namespace(name=none, score=0) -%}
{%- for candidate in names -%}
{%- set score = dbt_changelog._likeness(name | lower, candidate | lower) -%}
{%- if score > best.score -%}
{%- set best.name, best.score = candidate, score -%}
{%- endif -%}
{%- endfor -%}
{{ return(best.name if best.score >= 0.5 else none) }}
{%- endmacro %}

{% macro _likeness(left, right) -%}
{%- set ours, theirs = dbt_changelog._letter_pairs(left), dbt_changelog._letter_pairs(right) -%}
{%- set shared = ours | select('in', theirs) | list | length -%}
{{ return(2 * shared / (ours | length + theirs | length)) }}
{%- endmacro %}

{% macro _letter_pairs(word) -%}
{%- set pairs = [] -%}
{%- for place in range(word | length + 1) -%}
{%- do pairs.append((' ' ~ word ~ ' ')[place:place + 2]) -%}
{%- endfor -%}
{{ return(pairs) }}
{%- endmacro %}
