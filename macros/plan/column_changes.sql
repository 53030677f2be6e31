{#-
  How a plan's columns differ from a table's, [{name, type}]: {added, absent, retyped, narrower},
  each a list of {name, type}. `stored` of a retyped one is the table's type; it holds every value
  of a narrower one.
-#}
{% macro column_changes(plan, stored) -%}
{%- set types = {} -%}
{%- set changes = {'added': [], 'absent': [], 'retyped': [], 'narrower': []} -%}
{%- for column in stored -%}
{%- do types.update({column.name | lower: column.type}) -%}
{%- endfor -%}
{%- for column in plan.state_columns -%}
{%- set type = types.get(column.name | lower) -%}
{%- if type is none -%}
{%- do changes.added.append(column) -%}
{%- elif dbt_changelog.is_widening(column.type, type) and column.name != '_sequence' -%}
{%- do changes.narrower.append(dict(column, stored=type)) -%}
{%- elif type != column.type -%}
{%- do changes.retyped.append(dict(column, stored=type)) -%}
{%- endif -%}
{%- endfor -%}
{%- set known = plan.state_columns | map(attribute='name') | list
    + dbt_changelog.generated_columns() -%}
{%- for column in stored if dbt_changelog.find_name(column.name, known) is none -%}
{%- do changes.absent.append(column) -%}
{%- endfor -%}
{{ return(changes) }}
{%- endmacro %}

{#-
  What on_schema_change does not allow, as dbt defines its four values. layout: the columns by which
  the table is partitioned or clustered, which can't be dropped.
-#}
{% macro check_schema_changes(plan, changes, layout) -%}
{%- set mode, refuse = plan.on_schema_change, dbt_changelog.raise_invalid -%}
{%- set widens = mode in ['append_new_columns', 'sync_all_columns'] -%}
{%- set retyped = changes.retyped + (changes.narrower if mode == 'fail' else []) -%}
{%- set refresh = ', or run with --full-refresh if the source still has all events' -%}
{%- set added = [] if mode == 'ignore' else changes.added -%}
{#- a row that is all of its columns is found by a hash, which without a key skips NULLs -#}
{%- set other = (added if plan.unique_key else added | selectattr('parts') | list)
    + changes.absent + changes.retyped -%}
{%- if other and dbt_changelog.kernel_of(plan.kernel).counts_events -%}
{%- do refuse(plan.where, 'on_schema_change', ('with on_conflict' if plan.unique_key
    else 'without unique_key') ~ ' a row is all of its columns, and '
    ~ other | map(attribute='name') | join(', ') ~ ' changed: earlier rows would not be found'
    ~ ' again',
    'select the columns of the state in their types' ~ refresh) -%}
{%- endif -%}
{%- for column in changes.retyped if column.name == '_sequence' -%}
{%- do refuse(plan.where, 'sequence_by', 'its type is ' ~ column.type ~ ', and the state has '
    ~ column.stored, 'cast it in the query' ~ refresh) -%}
{%- endfor -%}
{%- for column in retyped
    if not widens or not dbt_changelog.is_widening(column.stored, column.type) -%}
{%- set can = dbt_changelog.is_widening(column.stored, column.type) -%}
{%- do refuse(plan.where, 'on_schema_change', "column '" ~ column.name ~ "' is " ~ column.type
    ~ ' in the query and ' ~ column.stored ~ ' in the state',
    'cast it in the query' ~ (", set on_schema_change='append_new_columns'" if can) ~ refresh) -%}
{%- endfor -%}
{%- for column in changes.added if mode == 'fail' -%}
{%- do refuse(plan.where, 'on_schema_change', "column '" ~ column.name
    ~ "' is not in the state",
    "leave it out, set on_schema_change='append_new_columns'" ~ refresh) -%}
{%- endfor -%}
{%- for column in changes.absent if mode in ['fail', 'ignore'] -%}
{%- do refuse(plan.where, 'on_schema_change', "column '" ~ column.name
    ~ "' of the state is not in the query",
    "select it, or set on_schema_change='append_new_columns' to keep it as it is, or"
    ~ " 'sync_all_columns' to drop it") -%}
{%- endfor -%}
{%- for column in changes.absent if mode == 'sync_all_columns' and column.name in layout -%}
{%- do refuse(plan.where, 'on_schema_change', "column '" ~ column.name ~ "' is not in the query,"
    ~ ' and the state is partitioned or clustered by it, so it can not be dropped',
    "select it, or set on_schema_change='append_new_columns' to keep it as it is" ~ refresh) -%}
{%- endfor -%}
{%- endmacro %}

{#- Whether another type has every value of a type, and more, where tables change it in place. -#}
{% macro is_widening(from, to) -%}
{%- for types in [['tinyint', 'smallint', 'int', 'bigint'], ['float', 'double']] -%}
{%- if from in types and to in types -%}
{{ return(types.index(from) < types.index(to)) }}
{%- endif -%}
{%- endfor -%}
{%- set shape = 'decimal\\((\\d+),(\\d+)\\)' -%}
{%- set old, new = modules.re.fullmatch(shape, from), modules.re.fullmatch(shape, to) -%}
{%- if not old or not new -%}
{{ return(false) }}
{%- endif -%}
{%- set more = new.group(2) | int - old.group(2) | int -%}
{{ return(from != to and more >= 0 and new.group(1) | int - old.group(1) | int >= more) }}
{%- endmacro %}
