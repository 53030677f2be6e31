{#-
  What is there of the model that runs, each question asked once: dbt renders the query of a model
  first and runs it then, and both have to know. dbt's graph is what both see: an answer is kept
  there (keeps) until it is asked for by whoever comes last.
-#}

{#-
  The tables of a schema that have a name like that of a relation, and a model's views: {names,
  views, formats}, names in small letters; views: their queries, as they were written; formats: the
  providers of a table of its name and of its state, which only the session's catalog says.
  contents: the view of the contents, which may lie elsewhere; none: there is none.
-#}
{% macro known_tables(relation, contents, keeps=false) -%}
{%- set question = 'tables like ' ~ relation -%}
{{ return(dbt_changelog._kept_answer(question, keeps)
          or dbt_changelog._keep_answer(question, keeps,
                                        dbt_changelog.listed_tables(relation, contents))) }}
{%- endmacro %}

{#- What Spark says of a table that is there, as described_table. -#}
{% macro known_table(relation, refreshes, keeps=false) -%}
{%- set question = 'table ' ~ relation -%}
{{ return(dbt_changelog._kept_answer(question, keeps)
          or dbt_changelog._keep_answer(question, keeps,
                                        dbt_changelog.described_table(relation, refreshes))) }}
{%- endmacro %}

{#- The same as known_tables, of now. -#}
{% macro listed_tables(relation, contents) -%}
{%- set names = [] -%}
{%- for row in dbt_changelog.shown_rows('tables', relation, relation.identifier ~ '*') -%}
{%- do names.append(row['tableName'] | lower) -%}
{%- endfor -%}
{%- set told = dbt_changelog._told_tables(relation) if names and '.' not in relation.schema
    else {'views': {}, 'formats': {}} -%}
{{ return({
  'names': names,
  'formats': told.formats,
  'views': {} if contents is none or not names
    else told.views if dbt_changelog._tells(told, relation, contents)
    else dbt_changelog._view_queries(contents),
}) }}
{%- endmacro %}

{#-
  What the session's catalog tells in one statement: {views, formats}, of the model's own views and
  state alone: Spark loads each of them, and fails if it was dropped meanwhile. Tables of other
  models may have a name like it, too, and other threads make them anew.
-#}
{% macro _told_tables(relation) -%}
{%- set told, name = {'views': {}, 'formats': {}}, relation.identifier -%}
{%- for row in dbt_changelog.shown_rows('table extended', relation,
    [name, name ~ '__state', name ~ '__current'] | join('|')) -%}
{%- set found = row['tableName'] | lower -%}
{%- set query = modules.re.findall(
    '(?s)\nView Text: (.*?)\nView Original Text: ', row['information']) -%}
{%- set provider = modules.re.findall('\nProvider: (\\w+)', row['information']) -%}
{%- do told.views.update({found: query[0]}) if query -%}
{%- do told.formats.update({found: provider[0] | lower}) if provider and not query -%}
{%- endfor -%}
{{ return(told) }}
{%- endmacro %}

{#- Whether the view of the contents, or a table of its name, is among what was told. -#}
{% macro _tells(told, relation, contents) -%}
{%- set name = contents.identifier | lower -%}
{{ return(contents.schema == relation.schema and (name in told.views or name in told.formats)) }}
{%- endmacro %}

{#- The queries of the views of a model that are there, each asked by itself. -#}
{% macro _view_queries(contents) -%}
{%- set queries = {} -%}
{%- for name, text in dbt_changelog._view_texts(contents, ['', '__current']).items() -%}
{%- do queries.update({name | lower: modules.re.split('\nAS\\s', text, 1)[-1] | trim}) -%}
{%- endfor -%}
{{ return(queries) }}
{%- endmacro %}

{#- The statement that made a view; none where there is no view. -#}
{% macro view_text(relation) -%}
{%- set texts = dbt_changelog._view_texts(relation, ['']) -%}
{{ return(texts.values() | first if texts else none) }}
{%- endmacro %}

{#- The statements that made the views which have a name and one of these endings, by name. -#}
{% macro _view_texts(relation, endings) -%}
{%- set texts, names = {}, [] -%}
{%- for ending in endings -%}
{%- do names.append(relation.identifier ~ ending) -%}
{%- endfor -%}
{%- for row in dbt_changelog.shown_rows('views', relation, names | join('|')) -%}
{%- set view = relation.incorporate(path={'identifier': row[1]}) -%}
{%- do texts.update({row[1]: run_query('show create table ' ~ view).rows[0][0]}) -%}
{%- endfor -%}
{{ return(texts) }}
{%- endmacro %}

{#-
  What Spark says of a table now, in one statement: {columns: [{name, type}], partitions: [name],
  properties: {name: value}, comment, comments: {column: text}}. refreshes: Spark may remember the
  table as it was before. Properties stand in one text, in which a value with ',name=' in it would
  look like two: ours have none.
-#}
{% macro described_table(relation, refreshes) -%}
{%- do run_query('refresh table ' ~ relation) if refreshes -%}
{%- set found = namespace(is_column=true, heading='', columns=[], partitions=[], properties={},
                          comment=none, comments={}) -%}
{%- for row in run_query('describe table extended ' ~ relation).rows -%}
{%- set found.is_column = found.is_column and row[1] -%}
{%- if found.is_column -%}
{%- do found.columns.append({'name': row[0], 'type': row[1]}) -%}
{%- do found.comments.update({row[0]: row[2]}) -%}
{%- elif row[0].startswith('# ') -%}
{%- set found.heading = row[0] if row[0] != '# col_name' else found.heading -%}
{%- elif row[0] and found.heading == '# Partition Information' -%}
{%- do found.partitions.append(row[0]) -%}
{%- elif row[0] == 'Comment' -%}
{%- set found.comment = row[1] -%}
{%- elif row[0] == 'Table Properties' -%}
{%- for name, value in modules.re.findall('(?s)[\\[,] ?([\\w.-]+)=(.*?)(?=, ?[\\w.-]+=|\\]$)',
                                          row[1]) -%}
{%- do found.properties.update({name: value}) -%}
{%- endfor -%}
{%- endif -%}
{%- endfor -%}
{{ return({'columns': found.columns, 'partitions': found.partitions,
           'properties': found.properties, 'comment': found.comment,
           'comments': found.comments}) }}
{%- endmacro %}

{% macro _keep_answer(question, keeps, answer) -%}
{%- do graph.setdefault('dbt_changelog', {}).update({question: answer}) if keeps -%}
{{ return(answer) }}
{%- endmacro %}

{% macro _kept_answer(question, keeps) -%}
{%- set answers = graph.get('dbt_changelog', {}) -%}
{{ return(answers.get(question) if keeps else answers.pop(question, none)) }}
{%- endmacro %}
