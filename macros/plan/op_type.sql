{#- The type of the op column, which must be string or boolean. -#}
{% macro op_type(plan, columns) -%}
{%- set type = (columns.input | selectattr('name', 'equalto', plan.op) | first).type -%}
{%- if type not in ['string', 'boolean'] and not type.startswith('varchar')
    and not type.startswith('char') -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'op', "column '" ~ plan.op ~ "' is " ~ type
    ~ ', and an op code is a string or a boolean', 'cast it to string in the query') -%}
{%- endif -%}
{{ return('boolean' if type == 'boolean' else 'string') }}
{%- endmacro %}
