{#- The name most like a misspelt one, by the letters and the pairs of letters that they share. -#}
{% macro nearest_name(name, names) -%}
{%- set best = namespace(name=none, score=0) -%}
{%- for candidate in names -%}
{%- set ours, theirs = name | lower, candidate | lower -%}
{%- set score = (dbt_changelog._likeness(ours | list, theirs | list)
    + dbt_changelog._likeness(dbt_changelog._pairs(ours), dbt_changelog._pairs(theirs))) / 2 -%}
{%- if score > best.score -%}
{%- set best.name, best.score = candidate, score -%}
{%- endif -%}
{%- endfor -%}
{{ return(best.name if best.score >= 0.5 else none) }}
{%- endmacro %}

{% macro _likeness(ours, theirs) -%}
{%- set shared = ours | select('in', theirs) | list | length -%}
{{ return(2 * shared / (ours | length + theirs | length)) }}
{%- endmacro %}

{% macro _pairs(word) -%}
{%- set pairs = [] -%}
{%- for place in range(word | length + 1) -%}
{%- do pairs.append((' ' ~ word ~ ' ')[place:place + 2]) -%}
{%- endfor -%}
{{ return(pairs) }}
{%- endmacro %}
