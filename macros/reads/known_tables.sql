{#-
  What is there of the model that runs, each question asked once: dbt renders the query of a model
  first and runs it then, and both have to know. dbt's graph is what both see: an answer is kept
  there (keeps) until it is asked for by whoever comes last.
-#}

{#-
  The tables and views of a schema that have a name like that of a relation: {names, views,
  formats}, names in small letters; views: the queries of the model's views, as they were written;
  formats: the providers of a table of its name and of its state. Catalogs beside the session's say
  no more than the names.
-#}
{% macro known_tables(relation, keeps=false) -%}
{%- set question = 'tables like ' ~ relation -%}
{{ return(dbt_changelog._kept_answer(question, keeps)
          or dbt_changelog._keep_answer(question, keeps, dbt_changelog.listed_tables(relation))) }}
{%- endmacro %}

{#- What Spark says of a table that is there, as described_table. -#}
{% macro known_table(relation, refreshes, keeps=false) -%}
{%- set question = 'table ' ~ relation -%}
{{ return(dbt_changelog._kept_answer(question, keeps)
          or dbt_changelog._keep_answer(question, keeps,
                                        dbt_changelog.described_table(relation, refreshes))) }}
{%- endmacro %}

{#-
  The same as known_tables, of now. What is told is asked of the model's own views and state alone:
  Spark loads each of them, and fails if it was dropped meanwhile. Tables of other models may have a
  name like it, too, and other threads make them anew.
-#}
{% macro listed_tables(relation) -%}
{%- set schema, name = relation.include(identifier=false), relation.identifier -%}
{%- set listed = {'names': [], 'views': {}, 'formats': {}} -%}
{%- for row in run_query('show tables in ' ~ schema ~ ' like '
    ~ dbt_changelog.literal(name ~ '*')).rows
    if row['isTemporary'] | string | lower != 'true' -%}
{%- do listed.names.append(row['tableName'] | lower) -%}
{%- endfor -%}
{%- for row in (run_query('show table extended in ' ~ schema ~ ' like ' ~ dbt_changelog.literal(
    [name, name ~ '__state', name ~ '__current'] | join('|'))).rows
    if listed.names and '.' not in relation.schema else [])
    if row['isTemporary'] | string | lower != 'true' -%}
{%- set found = row['tableName'] | lower -%}
{%- set query = modules.re.findall(
    '(?s)\nView Text: (.*?)\nView Original Text: ', row['information']) -%}
{%- set provider = modules.re.findall('\nProvider: (\\w+)', row['information']) -%}
{%- do listed.views.update({found: query[0]}) if query -%}
{%- do listed.formats.update({found: provider[0] | lower}) if provider and not query -%}
{%- endfor -%}
{{ return(listed) }}
{%- endmacro %}

{#-
  What Spark says of a table now, in one statement: {columns: [{name, type}], properties: {name:
  value}}. refreshes: Spark may remember the table as it was before. Properties stand in one text,
  in which a value with ',name=' in it would look like two: ours have none.
-#}
{% macro described_table(relation, refreshes) -%}
{%- do run_query('refresh table ' ~ relation) if refreshes -%}
{%- set found = namespace(is_column=true, columns=[], properties={}) -%}
{%- for row in run_query('describe table extended ' ~ relation).rows -%}
{%- set found.is_column = found.is_column and row[1] -%}
{%- do found.columns.append({'name': row[0], 'type': row[1]}) if found.is_column -%}
{%- if not found.is_column and row[0] == 'Table Properties' -%}
{%- for name, value in modules.re.findall('(?s)[\\[,] ?([\\w.-]+)=(.*?)(?=, ?[\\w.-]+=|\\]$)',
                                          row[1]) -%}
{%- do found.properties.update({name: value}) -%}
{%- endfor -%}
{%- endif -%}
{%- endfor -%}
{{ return({'columns': found.columns, 'properties': found.properties}) }}
{%- endmacro %}

{% macro _keep_answer(question, keeps, answer) -%}
{%- do graph.setdefault('dbt_changelog', {}).update({question: answer}) if keeps -%}
{{ return(answer) }}
{%- endmacro %}

{% macro _kept_answer(question, keeps) -%}
{%- set answers = graph.get('dbt_changelog', {}) -%}
{{ return(answers.get(question) if keeps else answers.pop(question, none)) }}
{%- endmacro %}
