{#-
  on_conflict: the changes are of rows that have another key than the table, and of those that have
  one key of the table one is shown. As a key of the plan, checked.
-#}
{% macro parse_on_conflict(where, node) -%}
{%- set config, refuse = node.config, dbt_changelog.raise_invalid -%}
{%- if config.get('on_conflict') is none -%}
{{ return({'on_conflict': none}) }}
{%- elif not config.get('unique_key') -%}
{%- do refuse(where, 'unique_key',
    'on_conflict chooses among the rows of a key, and no key was set',
    'name the key columns, or leave on_conflict out') -%}
{%- endif -%}
{%- for name in ['state_ttl', 'tombstone_retention', 'soft_delete', 'unavailable_value',
                 'ignore_null_updates', 'columns_not_sent', 'stored_as_scd_type']
    if config.get(name) -%}
{%- do refuse(where, name, 'with on_conflict a key has a list of whole rows, and no row replaces'
    ~ ' another', 'leave it out, or leave on_conflict out if each change is of a row of its'
    ~ ' unique_key') -%}
{%- endfor -%}
{{ return({'on_conflict': dbt_changelog.parse_choice(
    where, 'on_conflict', config.get('on_conflict'), ['DEDUPLICATE', 'NOTHING', 'ERROR'])}) }}
{%- endmacro %}

{#-
  The model as its events are read: with on_conflict they have no key of their own, and a format
  fills in the arguments of such a model.
-#}
{% macro as_read(node) -%}
{{ return(node if node.config.get('on_conflict') is none
          else dict(node, config=dict(node.config, unique_key=none))) }}
{%- endmacro %}

{#- A row is found by all of its columns: none may be another in each of its changes. -#}
{% macro check_row_columns(plan, compared) -%}
{%- for column in compared if plan.on_conflict and column.name in plan.sequence_names -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'sequence_by', "column '" ~ column.name ~ "' is also"
    ~ ' a column of the row, and with on_conflict a row is found by all of its columns, which a'
    ~ ' later change has not', "rename it to '_" ~ column.name ~ "' in the query, and it is read"
    ~ " and not stored; or set passthrough='" ~ column.name ~ "', and it is stored, not compared")
-%}
{%- endfor -%}
{%- endmacro %}

{#- A row is found by all of its columns, so what takes it away must say what it was. -#}
{% macro check_retractions(plan, kinds) -%}
{%- if 'TRUNCATE' in kinds or plan.state_backed
    or ('UPDATE_AFTER' in kinds and 'UPDATE_BEFORE' not in kinds) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'op_mapping',
    'with on_conflict a change that takes a row away must have all of its columns, which upserts'
      ~ ' and truncates have not', 'give UPDATE_BEFORE a code of its own, or set before and after;'
      ~ ' leave out codes of upserts and truncates that never come') -%}
{%- endif -%}
{%- endmacro %}
