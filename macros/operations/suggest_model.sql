{#-
  dbt run-operation suggest_model --args '{relation: bronze.customers}': prints a from_changelog
  model for a table of change events. It looks at the columns and at some rows, and at the data that
  formats are. What it says is counted in these rows, and what it can't know is said, too. It only
  reads.
-#}
{% macro suggest_model(relation, sample=1000) -%}
{%- set names = relation.split('.') -%}
{%- set table = api.Relation.create(schema=names[:-1] | join('.'), identifier=names[-1]) -%}
{%- do dbt_changelog.raise_invalid('this operation', 'relation', "'" ~ relation ~ "' is no table or"
    ~ ' view', "write its schema, too: --args '{relation: bronze.customers}'")
    if names | length < 2
    or 'SCHEMA_NOT_FOUND' in (dbt_changelog.attempt(
      'show tables in ' ~ table.include(identifier=false)).error or '')
    or not dbt_changelog.table_exists(table) -%}
{%- set columns = dbt_changelog.describe_columns('select * from ' ~ table) -%}
{%- set sampled = '\nfrom ' ~ table ~ '\nlimit ' ~ sample | int -%}
{%- set found = dbt_changelog.format_of_rows(columns, sampled) -%}
{%- set asked = dbt_changelog.first_guess(table, columns, sampled, found) -%}
{%- do dbt_changelog.infer_conditions(false) -%}
{%- set tried = [] -%}
{#- pairs of columns only if no column is right alone -#}
{%- for key in asked.key_candidates -%}
{%- if loop.first or key | length == 1
    or not tried | selectattr('wrong', 'equalto', 0) | list -%}
{%- do tried.append(dbt_changelog.trial_of_model(table, asked, {'unique_key': key}, sampled)) -%}
{%- endif -%}
{%- endfor -%}
{%- set best = tried | sort(attribute='wrong') | first -%}
{%- set orders = [] -%}
{%- for order in asked.other_orders -%}
{%- do orders.append(
    dbt_changelog.trial_of_model(table, asked, dict(best.given, sequence_by=order), sampled)) -%}
{%- endfor -%}
{%- do dbt_changelog.infer_conditions(true) -%}
{%- set chosen = ([best] + orders) | sort(attribute='wrong') | first -%}
{%- do print(dbt_changelog._model_text(table, asked, chosen.given)) -%}
{%- do print('\nOf ' ~ chosen.events ~ ' events in the first ' ~ sample ~ ' rows of ' ~ table ~ ':')
-%}
{%- for line in asked.found -%}
{%- do print('- ' ~ line) -%}
{%- endfor -%}
{%- for trial in tried + orders -%}
{%- do print('- ' ~ trial.text) -%}
{%- endfor -%}
{%- do print('\nUnsure:') -%}
{%- for line in asked.unsure + chosen.problems -%}
{%- do print('- ' ~ line) -%}
{%- endfor -%}
{%- endmacro %}

{#- A model as a file. -#}
{% macro _model_text(table, asked, given) -%}
{%- set lines = [] -%}
{%- for name in ['materialized', 'file_format', 'format', 'op', 'op_mapping', 'before', 'after',
                 'unique_key', 'sequence_by', 'payload_schema', 'read']
    if given.get(name) not in [none, 'delta'] -%}
{%- set value = given[name] -%}
{%- set value = value[0] if name == 'unique_key' and value | length == 1 else value -%}
{%- do lines.append('    ' ~ name ~ '=' ~ (tojson(value) | replace("'", "\\'") | replace('"', "'"))
    ~ ',') -%}
{%- endfor -%}
{{ return('-- models/' ~ table.identifier ~ '.sql\n{{ config(\n' ~ lines | join('\n') ~ '\n) }}\n'
    ~ 'select ' ~ asked.select | join(', ') ~ '\nfrom '
    ~ ('{{ dbt_changelog.new_rows(' if given.get('read') else '{{ ') ~ "source('"
    ~ table.schema ~ "', '" ~ table.identifier ~ "')" ~ (')' if given.get('read')) ~ ' }}') }}
{%- endmacro %}
