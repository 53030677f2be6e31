{#-
  consistent_group: models over one log whose views change at one moment, as a document, checked:
  {name, transaction, ends, column, members, nodes, table}; none without. transaction: what tells
  the transaction of a row of the log, as SQL, or none; ends: the condition for a row that ends its
  transaction, or none; members: the uids of its models, in order; nodes: their ids in dbt; table:
  what the group remembers.
-#}
{% macro parse_group(where, node) -%}
{%- set given = dbt_changelog._given_group(where, node.config.get('consistent_group')) -%}
{%- if given is none -%}
{{ return(none) }}
{%- endif -%}
{%- do dbt_changelog._check_can_join(where, node) -%}
{%- set uids, nodes, others = [], [], dbt_changelog._members(given.name) -%}
{%- for other in others -%}
{%- do dbt_changelog._check_joins_alike(where, node, given, other) -%}
{%- do uids.append(other.config.get('uid') or other.unique_id) -%}
{%- do nodes.append(other.unique_id) -%}
{%- endfor -%}
{{ return(dict(given, column=dbt_changelog.model_read(node).column, members=uids | sort,
               nodes=nodes,
               table=dbt_changelog.group_relation(node.schema, given.name))) }}
{%- endmacro %}

{#- The models of a group; a stream in it is refused by name, where it is compiled. -#}
{% macro _members(name) -%}
{%- set members = [] -%}
{%- for node in dbt_changelog.changelog_nodes() if dbt_changelog.group_name(node) == name -%}
{%- do members.append(node) -%}
{%- endfor -%}
{{ return(members) }}
{%- endmacro %}

{#- The name of a model's group, unchecked; none of a model that can't be in one, or is in none. -#}
{% macro group_name(node) -%}
{%- set value = node.config.get('consistent_group')
    if node.config.materialized == 'from_changelog' else none -%}
{{ return(value.get('name') if value is mapping else value) }}
{%- endmacro %}

{#- A name, or {name, transaction, ends}: what is written of a group, with each key. -#}
{% macro _given_group(where, value) -%}
{%- if not value -%}
{{ return(none) }}
{%- endif -%}
{%- set given = value if value is mapping else {'name': value} -%}
{%- do dbt_changelog.check_argument_names(
    where ~ ' (consistent_group)', given, ['name', 'transaction', 'ends']) -%}
{%- set name = given.get('name') -%}
{%- if name is not string or not modules.re.fullmatch('[A-Za-z0-9_]+', name) -%}
{%- do dbt_changelog.raise_invalid(where, 'consistent_group', "'" ~ name
    ~ "' is no name: it is a part of the name of a table",
    "write letters, digits and underscores, for example consistent_group='shop'") -%}
{%- endif -%}
{%- for key in ['transaction', 'ends'] if given.get(key) is not none
    and (given.get(key) is not string or not given.get(key) | trim) -%}
{%- do dbt_changelog.raise_invalid(where, 'consistent_group.' ~ key,
    "'" ~ given.get(key) ~ "' is no expression",
    "write SQL over the rows of the log, for example consistent_group={'name': '" ~ name
    ~ "', 'transaction': 'source.txId'}") -%}
{%- endfor -%}
{%- if given.get('ends') and not given.get('transaction') -%}
{%- do dbt_changelog.raise_invalid(where, 'consistent_group.ends',
    'it is about the rows of a transaction, and nothing tells which these are',
    "set transaction too, for example 'coalesce(transaction.id, id)', or leave it out") -%}
{%- endif -%}
{{ return({'name': name, 'transaction': given.get('transaction'),
           'ends': given.get('ends')}) }}
{%- endmacro %}

{#- What can't be in a group: the reason, and the way out. -#}
{% macro _check_can_join(where, node) -%}
{%- set refuse, config = dbt_changelog.raise_invalid, node.config -%}
{%- set format = dbt_changelog.format_of(dbt_changelog.model_file_format(node)) -%}
{%- set read = dbt_changelog.model_read(node) -%}
{%- if dbt_changelog.is_stream(node) -%}
{%- do refuse(where, 'consistent_group', 'a stream commits its micro-batches on its own',
    "set materialized='from_changelog', or leave it out") -%}
{%- elif not format.merges -%}
{%- do refuse(where, 'consistent_group', 'its views read older versions of their states, and a'
    ~ ' table of ' ~ format.name ~ ' has none',
    'leave it out, or ' ~ dbt_changelog.merging_formats()) -%}
{%- elif read.mode != 'column' or not read.strict -%}
{%- do refuse(where, 'consistent_group', 'its models read up to one position, below which no row'
    ~ ' may arrive later, and this one reads '
    ~ ('all rows' if read.mode != 'column' else 'by ' ~ read.column ~ ', which is not strict'),
    "write read={'column': '" ~ read.get('column', 'position') ~ "', 'strict': true} if that holds,"
    ~ ' and select from new_rows(..); or leave it out') -%}
{%- elif config.get('watermark') is not none -%}
{%- do refuse(where, 'consistent_group', 'with a watermark the rows of one transaction may wait for'
    ~ ' different runs', 'leave out one of the two') -%}
{%- elif config.get('adopt') -%}
{%- do refuse(where, 'consistent_group', 'the rows of an adopted table are of no position of the'
    ~ ' log', 'leave out one of the two: adopt first, and join the group when adopt is gone') -%}
{%- endif -%}
{%- endmacro %}

{#- The models of a group say the same of it, and have their tables in one place. -#}
{% macro _check_joins_alike(where, node, given, other) -%}
{%- set theirs = dbt_changelog._given_group(dbt_changelog.model_where(other),
    other.config.get('consistent_group')) -%}
{%- set own, there = {'transaction': given.transaction, 'ends': given.ends}, {
    'transaction': theirs.transaction, 'ends': theirs.ends} -%}
{%- for model, values in [(node, own), (other, there)] -%}
{%- do values.update({'schema': model.schema,
    'file_format': dbt_changelog.model_file_format(model),
    'read.column': dbt_changelog.model_read(model).column}) -%}
{%- endfor -%}
{%- for name in own if own[name] != there[name] -%}
{%- do dbt_changelog.raise_invalid(where, 'consistent_group', "models of the group '" ~ given.name
    ~ "' differ in " ~ name ~ ': here it is ' ~ (own[name] or 'not set') ~ ', and in '
    ~ dbt_changelog.model_where(other) ~ ' ' ~ (there[name] or 'not set'),
    'set the same in both, or put one of them into a group of another name') -%}
{%- endfor -%}
{%- endmacro %}
