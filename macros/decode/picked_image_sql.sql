{#- Images: structs that hold the row before and after a change. -#}

{#- The image that belongs to the row kind. -#}
{% macro picked_image_sql(plan) -%}
{%- set live = dbt_changelog.is_live_sql() -%}
{%- if plan.one_image -%}
{{ dbt_changelog._image_sql(plan, 'after') }}
{%- elif plan.after is none -%}
{{ dbt_changelog._image_sql(plan, 'before') }}
{%- elif plan.columns is none and plan.unique_key -%}
if({{ live }}, {{ dbt_changelog.quote(plan.after) }}, coalesce(
  {{- (dbt_changelog.quote(plan.before) ~ ', ') if plan.before }}
  {{- dbt_changelog.quote(plan.after) }}))
{%- elif plan.before is none -%}
if({{ live }}, {{ dbt_changelog._image_sql(plan, 'after') }}, null)
{%- else -%}
if(
  {{ live }},
  {{ dbt_changelog._image_sql(plan, 'after') | indent(2) }},
  {{ dbt_changelog._image_sql(plan, 'before') | indent(2) }}
)
{%- endif -%}
{%- endmacro %}

{#-
  A key column of the picked image. A partial delete has no before image: its key is in the after
  image, or else at the top level, in the column of that name and type. A before image that lacks
  the column (it holds only what changed) has it as the after image has it.
-#}
{% macro image_key_sql(plan, name) -%}
{%- set own = '_dbtc_image.' ~ dbt_changelog.quote(name) -%}
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
{{ return('if(_dbtc_image is null, ' ~ other ~ ', ' ~ own ~ ')') }}
{%- endmacro %}

{#-
  An image with all fields of the payload in their order. Where the input's struct is just that, it
  is taken as it is; else it is written anew, with NULL for what it has not.
-#}
{% macro _image_sql(plan, side) -%}
{%- set column = dbt_changelog.quote(plan[side]) -%}
{%- if plan.columns is none
    or plan.columns[side] | map(attribute='name') | list == plan.payload -%}
{{ return(column) }}
{%- endif -%}
{%- set fields = [] -%}
{%- for name in plan.payload -%}
{%- set found = dbt_changelog.find_name(name, plan.columns[side] | map(attribute='name')) -%}
{%- do fields.append(dbt_changelog.literal(name) ~ ', '
    ~ (column ~ '.' ~ dbt_changelog.quote(found) if found else 'null')) -%}
{%- endfor -%}
{{ return('if(' ~ column ~ ' is null, null, named_struct(' ~ fields | join(', ') ~ '))') }}
{%- endmacro %}

{#-
  A value of the image. An event that moves its row to another key has what it did not send in its
  before image, if anywhere: the row is new under that key.
-#}
{% macro image_value_sql(plan, name) -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- set value = '_dbtc_image.' ~ column -%}
{%- for part in (plan.columns.after if plan.moves else [])
    if part.name | lower == name | lower
    and dbt_changelog.find_name(name, plan.columns.before | map(attribute='name')) is not none -%}
{%- set is_unsent = dbt_changelog.unsent_value_sql(
    plan, part, value, none if plan.get('wire') else plan.columns_not_sent) -%}
{%- do return("coalesce(if(_row_kind = 'INSERT' and (" ~ is_unsent ~ '), ' ~ dbt_changelog.quote(
    plan.before) ~ '.' ~ column ~ ', null), ' ~ value ~ ')') if is_unsent -%}
{%- endfor -%}
{{ return(value) }}
{%- endmacro %}

{#-
  The columns that an event did not send; of one that moves its row without those that its before
  image has. A format has seen to that.
-#}
{% macro unsent_columns_sql(plan) -%}
{%- set before, names = dbt_changelog.quote(plan.before or ''), [] -%}
{%- for column in (plan.columns.before if plan.moves and not plan.get('wire') else [])
    if column.name not in plan.unique_key -%}
{%- do names.append('if(' ~ before ~ '.' ~ dbt_changelog.quote(column.name) ~ ' is null, null, '
    ~ dbt_changelog.literal(column.name | lower) ~ ')') -%}
{%- endfor -%}
{{ return(plan.columns_not_sent if not names else "if(_row_kind = 'INSERT', filter("
          ~ plan.columns_not_sent ~ ', _dbtc_name -> not coalesce(array_contains(array('
          ~ names | join(', ') ~ '), lower(_dbtc_name)), false)), ' ~ plan.columns_not_sent ~ ')')
}}
{%- endmacro %}
