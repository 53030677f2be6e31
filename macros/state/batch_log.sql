{#-
  The batch log: what the properties of a table remember of its last batch. Its id and position,
  what decides the plan, and the batch that is under way, where no staging table says so.
-#}

{#-
  The batch log after a batch: {properties, comment}; comment: the document as JSON, for whoever
  reads the statement. planned: the batch that is under way. Beside the document, in plain text,
  what guards compare: the id, and the run that planned.
-#}
{% macro batch_log(plan, last, planned=none) -%}
{%- set mapping, is_encoded = {}, plan.function == 'to_changelog' -%}
{%- for entry in plan.op_mapping -%}
{%- set kinds = entry.kinds | join(', ') -%}
{%- do mapping.update({kinds: entry.code} if is_encoded else {entry.code: kinds}) -%}
{%- endfor -%}
{%- set document = dbt_changelog.merged({
  'batch': dbt_changelog._noted_batch(last, last.id),
  'since': plan.since,
  'absent': plan.absent | map(attribute='name') | list,
  'uncompared': plan.uncompared,
  'plan': dbt_changelog.merged({
    'version': plan.version, 'uid': plan.uid, 'function': plan.function, 'kernel': plan.kernel,
    'unique_key': plan.unique_key, 'sequence_by': plan.sequence_by, 'op_mapping': mapping,
    'before': plan.before, 'after': plan.after, 'changelog': plan.changelog,
  }, {'input': plan.input, 'op': plan.op, 'passthrough': plan.passthrough} if is_encoded
    else dbt_changelog.merged(
    {'soft_delete': plan.soft_delete} if dbt_changelog.kernel_of(plan.kernel).by_column
    else {'on_conflict': plan.on_conflict} if plan.on_conflict else {},
    {'versions': plan.versions} if plan.get('versions') else {})),
}, {'adopted': plan.adopted} if plan.adopted else {},
{'compacted': plan.compacted} if dbt_changelog.kernel_of(plan.kernel).appends else {},
{'planned': {
  'batch': {'id': planned.id, 'position': planned.position}, 'refreshes': planned.refreshes,
  'run': planned.run,
}} if planned else {}) -%}
{{ return({
  'properties': dbt_changelog.merged(dbt_changelog._to_chunks(document),
    {'dbt_changelog.batch': last.id | string, 'dbt_changelog.run': dbt_changelog.run_of(planned)}),
  'comment': dbt_changelog._to_comment(document),
}) }}
{%- endmacro %}

{#- The last batch of a batch log, which may not be there. -#}
{% macro last_batch(log) -%}
{{ return(log.batch if log else {'id': 0, 'position': {}}) }}
{%- endmacro %}

{#- What a staging table says of its batch: {properties, comment}. -#}
{% macro staged_log(plan, batch, id=none) -%}
{%- set document = {
  'uid': plan.uid,
  'batch': dbt_changelog._noted_batch(batch, batch.id if id is none else id),
  'creates': batch.creates,
  'run': batch.run,
} -%}
{{ return({
  'properties': dbt_changelog.merged(dbt_changelog._to_chunks(document),
    {'dbt_changelog.run': dbt_changelog.run_of(batch) if id is none else ''}),
  'comment': dbt_changelog._to_comment(document),
}) }}
{%- endmacro %}

{#-
  What is remembered of a batch: its id, what it read, what its sources are known by (read_stamps),
  and the watermark after it, if any.
-#}
{% macro _noted_batch(batch, id) -%}
{{ return(dbt_changelog.merged({'id': id, 'position': batch.position},
    {'watermark': batch.watermark} if batch.get('watermark') else {},
    {'stamps': batch.stamps} if batch.get('stamps') else {})) }}
{%- endmacro %}

{#-
  Which snapshot of the table a batch wrote, beside the batch log: where the rows of a table go
  back, its properties do not.
-#}
{% macro snapshot_property(batch_id, snapshot) -%}
{{ return({'dbt_changelog.snapshot': batch_id ~ ' ' ~ snapshot}) }}
{%- endmacro %}

{#- The snapshot that the last batch of a table wrote, as text; none where it was not noted. -#}
{% macro written_snapshot(properties) -%}
{%- set noted = (properties.get('dbt_changelog.snapshot') or ' ').split(' ') -%}
{{ return(noted[1] if noted[0] == properties.get('dbt_changelog.batch') and noted[1] != '0'
          else none) }}
{%- endmacro %}

{#- A batch as the work of one run: what tells it from that of another run at the same time. -#}
{% macro run_of(batch) -%}
{{ return(batch.run ~ ' ' ~ batch.id if batch else '') }}
{%- endmacro %}

{#- The document in a table's properties, with its file format; none where there is none. -#}
{% macro parse_batch_log(properties) -%}
{%- set count, chunks = properties.get('dbt_changelog.log.chunks'), [] -%}
{%- if count is none -%}
{{ return(none) }}
{%- endif -%}
{%- for place in range(count | int) -%}
{%- do chunks.append(properties['dbt_changelog.log.' ~ place]) -%}
{%- endfor -%}
{{ return(dict(fromjson(''.encode().fromhex(chunks | join).decode('utf-8')),
               file_format=dbt_changelog.format_of_table(properties))) }}
{%- endmacro %}

{#- The batch log of a table as it is now; none when the table is not there or not ours. -#}
{% macro read_batch_log(relation) -%}
{{ return(dbt_changelog.parse_batch_log(dbt_changelog.table_properties(relation))
          if dbt_changelog.table_exists(relation) else none) }}
{%- endmacro %}

{#-
  A document as table properties: JSON as hex, in chunks below 4,000 characters. Spark redacts
  values that look like secrets, and metastores cut long ones.
-#}
{% macro _to_chunks(document) -%}
{%- set hex = tojson(document, sort_keys=true).encode('utf-8').hex() -%}
{%- set size, count = 3900, (hex | length + 3899) // 3900 -%}
{%- set properties = {'dbt_changelog.log.chunks': count | string} -%}
{%- for place in range(count) -%}
{%- do properties.update({'dbt_changelog.log.' ~ place: hex[place * size:(place + 1) * size]}) -%}
{%- endfor -%}
{{ return(properties) }}
{%- endmacro %}

{#- A document as the text of a comment: one line of ASCII; '${' would be a variable of Spark's. -#}
{% macro _to_comment(document) -%}
{{ return('log: ' ~ (tojson(document, sort_keys=true) | replace('${', '\\u0024{'))) }}
{%- endmacro %}
