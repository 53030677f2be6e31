{#- Names in lists of names. -#}

{#- The name as the list spells it, or none. Names match as in Spark: without regard to case. -#}
{% macro find_name(name, names) -%}
{%- for candidate in names if candidate | lower == name | lower -%}
{{ return(candidate) }}
{%- endfor -%}
{{ return(none) }}
{%- endmacro %}

{#- Those of some wanted names that are in the list. -#}
{% macro shared_names(wanted, names) -%}
{{ return(wanted | reject('in', dbt_changelog.missing_names(wanted, names)) | list) }}
{%- endmacro %}

{#- Those that are not. -#}
{% macro missing_names(wanted, names) -%}
{%- set missing = [] -%}
{%- for name in wanted if dbt_changelog.find_name(name, names) is none -%}
{%- do missing.append(name) -%}
{%- endfor -%}
{{ return(missing) }}
{%- endmacro %}

{#-
  The name most like a misspelt one, by the letters and the pairs of letters that they share; none
  when none is near.
-#}
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
{{ return(best.name if best.score >= 0.6 else none) }}
{%- endmacro %}

{#- Each is shared as often as both have it. -#}
{% macro _likeness(ours, theirs) -%}
{%- set shared = [] -%}
{%- for item in ours | unique(case_sensitive=true) -%}
{%- do shared.append([ours.count(item), theirs.count(item)] | min) -%}
{%- endfor -%}
{{ return(2 * shared | sum / (ours | length + theirs | length)) }}
{%- endmacro %}

{% macro _pairs(word) -%}
{%- set pairs = [] -%}
{%- for place in range(word | length + 1) -%}
{%- do pairs.append((' ' ~ word ~ ' ')[place:place + 2]) -%}
{%- endfor -%}
{{ return(pairs) }}
{%- endmacro %}
