{#-
  The format of a query's columns, as text or as columns; an error where what it reads is not there,
  which names the format whose columns these are.
-#}
{% macro format_preset(where, name, names) -%}
{%- set text = dbt_changelog.preset_of(name, true) -%}
{%- set columns = dbt_changelog.preset_of(name, false) -%}
{%- set lacks = dbt_changelog.missing_names(columns.reads if columns else ['value'], names) -%}
{%- if text is not none and (lacks or not columns)
    and dbt_changelog.find_name('value', names) is not none -%}
{{ return(text) }}
{%- elif lacks -%}
{%- set other = dbt_changelog._format_of(names) -%}
{%- do dbt_changelog.raise_invalid(where, 'format', "'" ~ name ~ "' reads "
    ~ ('value as text' if text) ~ (', or ' if text and columns)
    ~ ('the columns ' ~ columns.reads | join(', ') if columns)
    ~ '; the query has ' ~ names | join(', '),
    "set format='" ~ other ~ "', whose columns these are" if other
    else 'select ' ~ ('value' if text else lacks | join(', ')) ~ ' too') -%}
{%- endif -%}
{{ return(columns) }}
{%- endmacro %}

{#- The format that these columns are of, as it spells them: of several that which reads most. -#}
{% macro _format_of(names) -%}
{%- set best = namespace(name=none, count=0) -%}
{%- for name in dbt_changelog.preset_names() -%}
{%- set reads = (dbt_changelog.preset_of(name, false) or {'reads': []}).reads -%}
{%- if reads | length > best.count and not reads | reject('in', names) | list -%}
{%- set best.name, best.count = name, reads | length -%}
{%- endif -%}
{%- endfor -%}
{{ return(best.name) }}
{%- endmacro %}
