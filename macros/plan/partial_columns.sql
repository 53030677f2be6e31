{#-
  What a model says of values that were not sent, of deletes and of truncates: the arguments that
  the kernel partial_rows has beside those of decode.
-#}

{#- The columns that an event may leave out, [{name, type, parts, unsent}]; unsent: SQL. -#}
{% macro partial_columns(plan, compared) -%}
{%- do dbt_changelog._check_null_columns(plan) -%}
{%- set found = [] -%}
{%- for column in compared if column.name != plan.soft_delete -%}
{%- set unsent = dbt_changelog.unsent_value_sql(plan, column, dbt_changelog.quote(column.name),
    '_dbtc_unsent' if plan.columns_not_sent else none) -%}
{%- do found.append(dict(column, unsent=unsent)) if unsent -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}

{#- The columns that ignore_null_updates names are there. -#}
{% macro _check_null_columns(plan) -%}
{%- set asked = plan.ignore_null_updates or [] -%}
{%- set names = asked['except'] if asked is mapping else [] if asked is boolean else asked -%}
{%- do dbt_changelog.require_columns(plan.where, 'ignore_null_updates', names, plan.payload) -%}
{%- endmacro %}

{#- What a config, or its format, says of rows that are not whole, checked: as keys of the plan. -#}
{% macro parse_partial(where, node, defaults) -%}
{%- set config, refuse = node.config, dbt_changelog.raise_invalid -%}
{%- set names = ['unavailable_value', 'ignore_null_updates', 'columns_not_sent', 'soft_delete'] -%}
{%- set given = {} -%}
{%- for name in names -%}
{%- do given.update({name: config.get(name) if config.get(name) is not none
                     else defaults.get(name)}) -%}
{%- endfor -%}
{%- for name in names if config.get(name) and not config.get('unique_key') -%}
{%- do refuse(where, 'unique_key', name ~ ' is of the rows of a key, and no key was set',
    'name the key columns, or leave ' ~ name ~ ' out') -%}
{%- endfor -%}
{%- for name in ['unavailable_value', 'columns_not_sent']
    if given[name] and given[name] is not string -%}
{%- do refuse(where, name, 'it is not a text, but ' ~ given[name],
    "write the text that stands for a value, for example '__debezium_unavailable_value'"
    if name == 'unavailable_value' else 'write an SQL expression that gives an array of names') -%}
{%- endfor -%}
{{ return({
  'unavailable_value': given.unavailable_value or none,
  'columns_not_sent': given.columns_not_sent or none,
  'ignore_null_updates': dbt_changelog._parse_ignore_nulls(where, given.ignore_null_updates),
  'soft_delete': dbt_changelog.parse_new_column(
    where, 'soft_delete', given.soft_delete, 'is_deleted'),
}) }}
{%- endmacro %}

{#- true, columns, or {except: columns}. -#}
{% macro _parse_ignore_nulls(where, value) -%}
{%- set names = dbt_changelog.parse_names -%}
{%- if value is mapping -%}
{%- if value | list != ['except'] -%}
{%- do dbt_changelog.raise_invalid(where, 'ignore_null_updates', 'it has ' ~ value | list
    | join(', '), "write true, a list of columns, or {'except': a list of columns}") -%}
{%- endif -%}
{{ return({'except': names(where, 'ignore_null_updates', value['except'])}) }}
{%- endif -%}
{{ return(value or none if value is none or value is boolean
          else names(where, 'ignore_null_updates', value)) }}
{%- endmacro %}

{#- What of a plan does not go with rows that are not whole. -#}
{% macro check_partial(plan, partial) -%}
{%- set refuse = dbt_changelog.raise_invalid -%}
{%- if dbt_changelog.kernel_of(plan.kernel).by_column and plan.tie_handling == 'LAST' -%}
{%- do refuse(plan.where, 'tie_handling', "'LAST' takes whole rows in an order, and here a row is"
    ~ ' made of several events', 'leave it out, and add a column to sequence_by that orders them'
    ~ dbt_changelog._whole_rows_fix(plan)) -%}
{%- elif partial and not dbt_changelog.kernel_of(plan.kernel).by_column -%}
{%- do refuse(plan.where, 'columns', "column '" ~ partial[0].name ~ "' may be '"
    ~ plan.unavailable_value ~ "', which stands for a value that was not sent, and none of the"
    ~ ' columns with a data_type can', "list it with its data_type, or set unavailable_value=''")
-%}
{%- elif dbt_changelog.kernel_of(plan.kernel).by_column and plan.state_ttl not in [none, '0'] -%}
{%- do refuse(plan.where, 'state_ttl', 'here the row before a change is needed for ever',
    "set state_ttl='0', or leave it out") -%}
{%- elif plan.truncates and not plan.unique_key -%}
{%- do refuse(plan.where, 'op_mapping', 'TRUNCATE deletes keys, and no key was set',
    'name the key columns, or leave that code out') -%}
{%- endif -%}
{%- endmacro %}

{#- What makes the rows of a model whole again, where its format may be what says they are not. -#}
{% macro _whole_rows_fix(plan) -%}
{%- set configs = [] -%}
{%- do configs.append("unavailable_value=''") if plan.unavailable_value -%}
{%- do configs.append('an op_mapping without TRUNCATE') if plan.truncates -%}
{{ return('' if plan.ignore_null_updates or plan.columns_not_sent or plan.soft_delete
          else '; or, if every event has the whole of its row, set ' ~ configs | join(' and ')) }}
{%- endmacro %}

{#- The plan, whose rows have the flag of a soft delete, too. -#}
{% macro with_flag(plan) -%}
{%- if not plan.soft_delete -%}
{{ return(plan) }}
{%- elif dbt_changelog.find_name(plan.soft_delete, plan.payload + plan.passthrough) is not none -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'soft_delete', "'" ~ plan.soft_delete
    ~ "' is also a column of the input", 'choose another name') -%}
{%- endif -%}
{%- do dbt_changelog.check_generated(plan.where, [plan.soft_delete]) -%}
{{ return(dict(plan, payload=plan.payload + [plan.soft_delete])) }}
{%- endmacro %}
