{#-
  The columns that an event may leave out, as the tables can follow them: {partial, keeps_deletes,
  added, absent}, or an error. added, absent: fields of _sequences, as change_columns takes them.
  columns: those of the state. What the query no longer has no event sends; what a config no longer
  names every event sends.

  partial is in the order of the fields, since a union of rows goes by place. A field is the column
  of its name in any letters.
-#}
{% macro evolve_partial(plan, columns) -%}
{%- set now, then, partial, added, absent = {}, dbt_changelog._sequence_fields(columns), [], [], []
-%}
{%- set find = dbt_changelog.find_name -%}
{%- for column in plan.compared if find(column.name, then) -%}
{%- do now.update({find(column.name, then): dict(column, unsent='false')}) -%}
{%- endfor -%}
{%- for column in dbt_changelog.partial_columns(plan, plan.compared) -%}
{%- do now.update({find(column.name, then) or column.name: column}) -%}
{%- endfor -%}
{%- for column in plan.absent if find(column.name, then) -%}
{%- do now.update({find(column.name, then): dict(column, unsent='true')}) -%}
{%- endfor -%}
{%- do dbt_changelog._check_fields(plan, now, columns) -%}
{%- for name in then -%}
{%- do partial.append(now[name]) if name in now -%}
{%- do absent.append({'name': name, 'path': '_sequences.' ~ dbt_changelog.quote(name)})
    if name not in now -%}
{%- endfor -%}
{%- set sequence = plan.state_columns | selectattr('name', 'equalto', '_sequence') | first -%}
{%- for name, column in now.items() if name not in then -%}
{%- do partial.append(column) -%}
{%- do added.append(dict(sequence, path='_sequences.' ~ dbt_changelog.quote(name))) -%}
{%- endfor -%}
{{ return({
  'partial': partial,
  'keeps_deletes': dbt_changelog._keeps_deletes(columns),
  'added': added if then or not added else [dbt_changelog._sequences_column(added)],
  'absent': absent if partial or not absent else [{'name': '_sequences'}],
}) }}
{%- endmacro %}

{#- Of a value that the state has already nothing says when it was set. -#}
{% macro _check_fields(plan, now, columns) -%}
{%- set then, names = dbt_changelog._sequence_fields(columns), columns | map(attribute='name')
    | list -%}
{%- for name in now if name not in then and (dbt_changelog.find_name(name, names)
    or (plan.soft_delete and not plan.get('versions')
        and not dbt_changelog._keeps_deletes(columns))) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'columns', "column '" ~ name ~ "' may now be left"
    ~ ' out by events, and the state does not know since when it has its values',
    'set the config of values that were not sent back, or run with --full-refresh') -%}
{%- endfor -%}
{%- endmacro %}

{#- The columns of a state whose values have a sequence of their own. -#}
{% macro _sequence_fields(columns) -%}
{%- for column in columns if column.name == '_sequences' -%}
{{ return(column.parts | map(attribute='name') | list) }}
{%- endfor -%}
{{ return([]) }}
{%- endmacro %}

{#- Whether a state has the deletes of a key, and not just the last one. -#}
{% macro _keeps_deletes(columns) -%}
{%- for column in columns if column.name == '_removed' -%}
{{ return(column.type.startswith('array<')) }}
{%- endfor -%}
{{ return(false) }}
{%- endmacro %}

{% macro _sequences_column(added) -%}
{%- set fields = [] -%}
{%- for field in added -%}
{%- do fields.append(field.path[11:] ~ ': ' ~ field.type) -%}
{%- endfor -%}
{{ return({'name': '_sequences', 'type': 'struct<' ~ fields | join(', ') ~ '>'}) }}
{%- endmacro %}
