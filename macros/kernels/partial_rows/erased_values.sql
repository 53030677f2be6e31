{#-
  What the columns of a row become whose values are erased, [{name, sql}]: a tombstone of the same
  sequence. It says that an upsert had that sequence, too, and has no hash of it, which no other row
  does: so nothing up to there comes back, and nothing ties (erased_sequence_sql).
-#}
{% macro erased_values(plan) -%}
{%- set types, columns = {}, dbt_changelog.erased_columns(plan) -%}
{%- for column in plan.columns.state -%}
{%- do types.update({column.name: column.type}) -%}
{%- endfor -%}
{%- set has_many = types._removed == 'array<' ~ types._sequence ~ '>' -%}
{%- do columns.append({'name': '_sequences', 'sql': 'null'}) if '_sequences' in types -%}
{{ return(columns + [
  {'name': '_upserted', 'sql': '_sequence'},
  {'name': '_removed', 'sql': 'array(_sequence)' if has_many else '_sequence'},
]) }}
{%- endmacro %}
