{#-
  A stream in the query of a changelog_stream model: of a table, with what its reader takes as
  options; or of a format that SQL has no words for: files, Kafka.

  The relation is named without what --empty and --sample make of it: a stream of a subquery is
  none, and such a run reads nothing of it.
-#}
{% macro stream(relation=none, options={}, format=none, schema=none) -%}
{%- if not execute -%}
{{ return('stream') }}
{%- endif -%}
{%- set where = dbt_changelog.model_where(model) if model else 'this operation' -%}
{%- if (relation is none) == (format is none) -%}
{%- do dbt_changelog.raise_invalid(where, 'stream', 'it needs either a relation or a format',
    "write stream(source('bronze', 'events')), or stream(format='json', schema='id int, ..',"
    ~ " options={'path': '/data/events'})") -%}
{%- elif relation is not none -%}
{%- do dbt_changelog.check_is_table(where, 'stream', relation) -%}
{%- set name = relation if relation is string
    else api.Relation.create(schema=relation.schema, identifier=relation.identifier,
                             quote_policy=relation.quote_policy.to_dict()) -%}
{%- set items = [] -%}
{%- for option, value in options | dictsort -%}
{%- do items.append(dbt_changelog.literal(option) ~ ' = ' ~ dbt_changelog.literal(value)) -%}
{%- endfor -%}
{{ return('stream ' ~ name ~ (' with (' ~ items | join(', ') ~ ')' if items)) }}
{%- endif -%}
{%- do dbt_changelog.check_can_stream(model) if model -%}
{%- set texts = {} -%}
{%- for option, value in options.items() -%}
{#- sources that take more than one value, such as the offsets of Kafka, take it as JSON -#}
{%- do texts.update({option: value | string if value is string or value is number
    and value is not boolean else tojson(value)}) -%}
{%- endfor -%}
{{ return(adapter.changelog_source(
    (model.unique_id if model else 'inline') ~ tojson([format, texts, schema]),
    format, texts, schema)) }}
{%- endmacro %}
