{#-
  The contract's constraints as conditions on a row: [{sql, text}]. What holds by nature is left
  out: a primary or unique key that is that of the contents, and that none of its columns is NULL.
  What can't be checked row by row is refused.
-#}
{% macro plan_constraints(plan, node) -%}
{%- set found = [] -%}
{%- if not dbt_changelog.has_contract(node) -%}
{{ return(found) }}
{%- endif -%}
{%- for name, column in (node.columns or {}).items() -%}
{%- for constraint in column.constraints or [] -%}
{%- do found.append(dbt_changelog._constraint(plan, constraint, [name])) -%}
{%- endfor -%}
{%- endfor -%}
{%- for constraint in node.constraints or [] -%}
{%- do found.append(dbt_changelog._constraint(plan, constraint, constraint.columns or [])) -%}
{%- endfor -%}
{{ return(found | select | list) }}
{%- endmacro %}

{% macro _constraint(plan, constraint, columns) -%}
{%- set type = constraint.type | string | replace('ConstraintType.', '') -%}
{%- set versions = plan.versions -%}
{%- set key = plan.unique_key + ([versions.valid_from] if versions else []) -%}
{%- set asked = dbt_changelog.missing_names(
    columns, key + ([versions.is_current] if versions else [])) -%}
{%- if type == 'not_null' and not asked or type in ['primary_key', 'unique']
    and columns | map('lower') | sort == key | map('lower') | sort -%}
{{ return(none) }}
{%- endif -%}
{%- set text = constraint.expression if type == 'check' else asked | join(', ') -%}
{%- if type not in ['not_null', 'check'] or dbt_changelog._names_what_is_found_later(plan, text) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'constraints', 'the constraint ' ~ type ~ ' ('
    ~ (text or columns | join(', ')) ~ ') can not be checked here',
    'keep not_null and check' ~ (' of columns that each event has' if versions) ~ ', and a'
    ~ ' primary_key or unique that is the key of the contents; test the others') -%}
{%- endif -%}
{{ return({
  'sql': text if type == 'check'
    else dbt_changelog.csv(asked, suffix=' is not null', separator=' and '),
  'text': type ~ ' (' ~ text ~ ')',
}) }}
{%- endmacro %}

{#- Whether a text has a column that only the view of versions knows. -#}
{% macro _names_what_is_found_later(plan, text) -%}
{%- set names = dbt_changelog.version_names(plan)
    + (plan.partial | map(attribute='name') | list) if plan.versions else [] -%}
{%- for name in names if modules.re.search('(?i)\\b' ~ modules.re.escape(name) ~ '\\b', text) -%}
{{ return(true) }}
{%- endfor -%}
{{ return(false) }}
{%- endmacro %}
