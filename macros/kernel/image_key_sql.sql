{#-
  A key column of the picked image. A partial delete has no before image: its key is in the after
  image, or else at the top level, in the column of that name and type. A before image that lacks
  the column (it holds only what changed) has it as the after image has it.
-#}
{% macro image_key_sql(plan, name) -%}
{%- set own = '_image.' ~ dbt_changelog.quote(name) -%}
{%- if plan.columns is none -%}
{{ return(own) }}
{%- endif -%}
{%- set others = [] -%}
{%- if plan.after and dbt_changelog.find_name(name, plan.columns.after | map(attribute='name')) -%}
{%- do others.append(dbt_changelog.quote(plan.after) ~ '.' ~ dbt_changelog.quote(name)) -%}
{%- endif -%}
{%- set own = 'coalesce(' ~ own ~ ', ' ~ others[0] ~ ')' if plan.moves else own -%}
{%- set top = dbt_changelog.find_name(name, plan.columns.input | map(attribute='name')) -%}
{%- set types = (plan.columns.after + plan.columns.before) | selectattr('name', 'equalto', name)
    | map(attribute='type') | list -%}
{%- set top_type = plan.columns.input | selectattr('name', 'equalto', top)
    | map(attribute='type') | first -%}
{%- do others.append(dbt_changelog.quote(top)) if top and top_type in types -%}
{%- if not others or plan.consume_full_deletes
    or not dbt_changelog.codes_with(plan.op_mapping, ['DELETE']) -%}
{{ return(own) }}
{%- endif -%}
{%- set other = others[0] if others | length == 1 else 'coalesce(' ~ others | join(', ') ~ ')' -%}
{{ return('if(_image is null, ' ~ other ~ ', ' ~ own ~ ')') }}
{%- endmacro %}
