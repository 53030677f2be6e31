{#-
  The contract's constraints as conditions on a row: [{sql, text}]. A primary or unique key that is
  the unique_key holds by nature; what can't be checked row by row is refused.
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
{%- if type == 'not_null' -%}
{{ return({'sql': dbt_changelog.csv(columns, suffix=' is not null',
                                    separator=' and '),
           'text': 'not_null (' ~ columns | join(', ') ~ ')'}) }}
{%- elif type == 'check' -%}
{{ return({'sql': constraint.expression, 'text': 'check (' ~ constraint.expression ~ ')'}) }}
{%- elif type in ['primary_key', 'unique']
    and columns | map('lower') | sort == plan.unique_key | map('lower') | sort -%}
{{ return(none) }}
{%- endif -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'constraints', 'the constraint ' ~ type ~ ' ('
    ~ columns | join(', ') ~ ') can not be checked here',
    'keep not_null, check, and a primary_key or unique that is the unique_key; test the others')
-%}
{%- endmacro %}
