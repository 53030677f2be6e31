{#-
  What removes the values of some keys from the tables of a model, [{table, finds, does,
  statements: [{name, sql}]}], one a table. finds: a query of the keys that it has, as JSON, and how
  many rows of each; does: what becomes of these, in words. plan: as stored_plan gives it; keys: of
  each the SQL of its columns. After a crash all may run again: what was erased is found again, or
  is nothing.
-#}
{% macro erase_steps(plan, keys) -%}
{%- set erased, steps = dbt_changelog.kernel_of(plan.kernel).erased, [] -%}
{%- for name in ['state', 'staged', 'changelog'] if name in plan.columns -%}
{%- set table = plan.relations[name] -%}
{%- set places = dbt_changelog._places_of_key(plan, name) -%}
{%- set found = dbt_changelog._has_key_sql(places, keys) -%}
{%- set keeps = name == 'state' and erased is not none -%}
{%- do steps.append({
  'table': table,
  'finds': dbt_changelog._find_keys_sql(plan, table, places, found),
  'does': 'without values, which stay deleted' if keeps else 'deleted',
  'statements': dbt_changelog._erase_values(plan, erased(plan), found) if keeps
    else [{'name': 'erase ' ~ name, 'sql': 'delete from ' ~ table ~ '\nwhere ' ~ found}],
}) -%}
{%- endfor -%}
{{ return(steps) }}
{%- endmacro %}

{#-
  The columns of the key as SQL, a list for each place where a row of a table may have them: an
  image, or the row itself.
-#}
{% macro _places_of_key(plan, name) -%}
{%- set places, sides = [], [] -%}
{%- do sides.extend([plan.before, plan.after] | select('string') | unique)
    if name == 'changelog' and plan.function == 'to_changelog' -%}
{%- for side in sides or [none] -%}
{%- set columns = [] -%}
{%- for name in plan.unique_key -%}
{%- do columns.append((dbt_changelog.quote(side) ~ '.' if side and name not in plan.passthrough
    else '') ~ dbt_changelog.quote(name)) -%}
{%- endfor -%}
{%- do places.append(columns) -%}
{%- endfor -%}
{{ return(places) }}
{%- endmacro %}

{#- Whether a row has one of the keys. -#}
{% macro _has_key_sql(places, keys) -%}
{%- set ways = [] -%}
{%- for columns in places -%}
{%- set tuples = [] -%}
{%- for key in keys -%}
{%- do tuples.append('(' ~ key | join(', ') ~ ')' if key | length > 1 else key[0]) -%}
{%- endfor -%}
{%- do ways.append(('(' ~ columns | join(', ') ~ ')' if columns | length > 1 else columns[0])
    ~ ' in (\n  ' ~ tuples | join(',\n  ') ~ '\n)') -%}
{%- endfor -%}
{{ return(ways | join(' or ')) }}
{%- endmacro %}

{#- The keys that a table has rows of. -#}
{% macro _find_keys_sql(plan, table, places, found) -%}
{%- set fields = [] -%}
{%- for name in plan.unique_key -%}
{%- set columns = places | map(attribute=loop.index0) | unique | list -%}
{%- do fields.append(dbt_changelog.literal(name) ~ ', ' ~ ('coalesce(' ~ columns | join(', ') ~ ')'
    if columns | length > 1 else columns[0])) -%}
{%- endfor -%}
select to_json(named_struct({{ fields | join(', ') }})) as _dbtc_key, count(*) as _dbtc_rows
from {{ table }}
where {{ found }}
group by 1
{%- endmacro %}

{#- A state that keeps its keys. One that is never changed in place gets another in its place. -#}
{% macro _erase_values(plan, erased, found) -%}
{%- set sets, columns = [], [] -%}
{%- for column in erased -%}
{%- do sets.append(dbt_changelog.quote(column.name) ~ ' = ' ~ column.sql) -%}
{%- endfor -%}
{%- if dbt_changelog.format_of(plan.storage.file_format).merges -%}
{{ return([{'name': 'erase state', 'sql': 'update ' ~ plan.relations.state ~ ' set\n  '
            ~ sets | join(',\n  ') ~ '\nwhere ' ~ found}]) }}
{%- endif -%}
{%- for column in plan.columns.state -%}
{%- set name, values = dbt_changelog.quote(column.name),
    erased | selectattr('name', 'equalto', column.name) | map(attribute='sql') | list -%}
{%- do columns.append('if(_dbtc_is_erased, ' ~ values[0] ~ ', ' ~ name ~ ') as ' ~ name if values
    else name) -%}
{%- endfor -%}
{%- set rows = 'with rows as (\n  select *, ' ~ (found | indent(2)) ~ ' as _dbtc_is_erased\n  from '
    ~ plan.relations.state ~ '\n)\n\nselect\n  ' ~ columns | join(',\n  ') ~ '\nfrom rows' -%}
{{ return([
  {'name': 'erase state', 'sql': dbt_changelog.create_table_sql(plan.next_state, plan.storage,
    plan.columns.state, plan.properties, rows)},
  {'name': 'contents view', 'sql': dbt_changelog.create_view_sql(plan,
    dbt_changelog.kernel_of(plan.kernel).contents(plan, plan.next_state))},
]) }}
{%- endmacro %}
