{#- Op mappings, in both directions: [{code, kinds}]. -#}

{#-
  {'c, r': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER'} -> [{code, kinds}], in the order of codes.

  Kinds stand in the order -U, -D, +I, +U; TRUNCATE stands alone. Without a mapping every row kind
  is its own code. Entries, as inverse_mapping gives them, are taken as they are: a code that
  to_changelog wrote may have spaces and commas.
-#}
{% macro parse_op_mapping(where, op_mapping) -%}
{%- if op_mapping is none -%}
{{ return(dbt_changelog._identity_mapping()) }}
{%- elif dbt_changelog._is_parsed(op_mapping) -%}
{{ return(op_mapping) }}
{%- endif -%}
{%- if op_mapping is not mapping or not op_mapping -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping',
    'it is not a mapping with entries, but ' ~ op_mapping,
    "write {'code': 'ROW_KIND'}, or leave it out") -%}
{%- endif -%}
{%- set kinds_of = {} -%}
{%- for codes, kinds in op_mapping.items() -%}
{%- set kinds = [kinds] if kinds == 'TRUNCATE'
    else dbt_changelog._parse_row_kinds(where, kinds, ', and TRUNCATE, which stands alone') -%}
{%- for code in dbt_changelog._parse_items(where, codes, 'code') -%}
{%- if code in kinds_of -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', "code '" ~ code ~ "' is mapped twice",
    'map each code once') -%}
{%- endif -%}
{%- do kinds_of.update({code: kinds}) -%}
{%- endfor -%}
{%- endfor -%}
{%- set entries = [] -%}
{%- for code, kinds in kinds_of | dictsort(case_sensitive=true) -%}
{%- do entries.append({'code': code, 'kinds': kinds}) -%}
{%- endfor -%}
{{ return(entries) }}
{%- endmacro %}

{#- Whether these are such entries. -#}
{% macro _is_parsed(op_mapping) -%}
{%- if op_mapping is string or op_mapping is mapping or op_mapping is not sequence -%}
{{ return(false) }}
{%- endif -%}
{%- for entry in op_mapping if entry is not mapping or entry | sort != ['code', 'kinds']
    or entry.kinds is string or entry.kinds is not sequence
    or entry.kinds | reject('in', dbt_changelog.row_kinds()) | list -%}
{{ return(false) }}
{%- endfor -%}
{{ return(op_mapping | length > 0) }}
{%- endmacro %}

{#-
  {'INSERT': 'c', 'UPDATE_BEFORE, UPDATE_AFTER': 'u'} -> [{code, kinds}], as parse_op_mapping gives
  it. A code is taken as it is, and two entries may give the same.
-#}
{% macro parse_kind_mapping(where, op_mapping) -%}
{%- if op_mapping is not none and (op_mapping is not mapping or not op_mapping) -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping',
    'it is not a mapping with entries, but ' ~ op_mapping,
    "write {'ROW_KIND': 'code'}, or leave it out") -%}
{%- endif -%}
{%- set entries, taken = [], [] -%}
{%- for kinds, code in (op_mapping or {}).items() -%}
{%- set kinds = dbt_changelog._parse_row_kinds(where, kinds) -%}
{%- for kind in kinds if kind in taken -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', "row kind '" ~ kind
    ~ "' is mapped twice", 'map each row kind once') -%}
{%- endfor -%}
{%- do taken.extend(kinds) -%}
{%- do entries.append({'code': dbt_changelog._code(where, code), 'kinds': kinds}) -%}
{%- endfor -%}
{{ return(entries | sort(attribute='kinds') or dbt_changelog.parse_op_mapping(where, none)) }}
{%- endmacro %}

{#-
  'UPDATE_BEFORE, UPDATE_AFTER' or a list of row kinds -> the list, checked. also: which other ones
  the message has to name.
-#}
{% macro _parse_row_kinds(where, value, also='') -%}
{%- if value is mapping or (value is not string and value is not iterable) -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', 'row kind ' ~ value ~ ' is not a string',
    'write every code and row kind as a string') -%}
{%- endif -%}
{%- set valid = dbt_changelog.row_kinds() -%}
{%- set kinds = dbt_changelog._parse_items(where, value, 'row kind') -%}
{%- for kind in kinds if kind not in valid -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', "unknown row kind '" ~ kind
    ~ "'. Row kinds are: " ~ valid | sort | join(', ') ~ also, 'give the truncate a code of its own'
    if also and kind == 'TRUNCATE' else 'name one of them, in capitals') -%}
{%- endfor -%}
{%- if kinds | unique | list | length < kinds | length -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping',
    "'" ~ kinds | join(', ') ~ "' names a row kind twice", 'name it once') -%}
{%- endif -%}
{%- set ordered = valid | select('in', kinds) | list -%}
{%- if ordered | length != 1 and ordered | join(', ') not in dbt_changelog._groups() -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping',
    "'" ~ kinds | join(', ') ~ "' is not a group of row kinds that can share a code",
    'give each row kind its own code, or use one of: '
    ~ dbt_changelog._groups() | join('; ')) -%}
{%- endif -%}
{{ return(ordered) }}
{%- endmacro %}

{#- 'a, b' or ['a', 'b'] -> ['a', 'b']. A trailing comma is ignored, '' alone is the empty item. -#}
{% macro _parse_items(where, value, what) -%}
{%- set items = [] -%}
{%- for part in ([value] if value is string or value is not iterable else value) -%}
{%- if part is boolean -%}
{%- do items.append(part | lower) -%}
{%- elif part is string -%}
{%- do items.extend(dbt_changelog._split_items(where, part, what)) -%}
{%- else -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', what ~ ' ' ~ part ~ ' is not a string',
    'write every code and row kind as a string') -%}
{%- endif -%}
{%- endfor -%}
{{ return(items) }}
{%- endmacro %}

{% macro _split_items(where, text, what) -%}
{%- set items = text.split(',') | map('trim') | list -%}
{%- set items = items[:-1] if items | length > 1 and items[-1] == '' else items -%}
{%- if items | length > 1 and '' in items -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', what ~ " '" ~ text ~ "' has an empty item",
    'remove the extra comma') -%}
{%- endif -%}
{{ return(items) }}
{%- endmacro %}

{% macro _identity_mapping() -%}
{%- set entries = [] -%}
{%- for kind in dbt_changelog.row_kinds() | sort -%}
{%- do entries.append({'code': kind, 'kinds': [kind]}) -%}
{%- endfor -%}
{{ return(entries) }}
{%- endmacro %}

{% macro _code(where, code) -%}
{%- if code is not string and code is not boolean -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', 'code ' ~ code ~ ' is not a string',
    "write one code for each entry, as a string, for example {'INSERT': 'c'}") -%}
{%- endif -%}
{{ return(code | string | lower if code is boolean else code) }}
{%- endmacro %}

{% macro _groups() -%}
{{ return(['UPDATE_BEFORE, UPDATE_AFTER', 'INSERT, UPDATE_AFTER',
           'UPDATE_BEFORE, INSERT, UPDATE_AFTER']) }}
{%- endmacro %}

{#-
  The op mapping of an encoding. The codes are row kinds, so that from_changelog reads it without a
  mapping.
-#}
{% macro encoding_mapping(where, values) -%}
{%- set mappings = {
  'append': {'INSERT': 'INSERT'},
  'upsert': {'INSERT, UPDATE_AFTER': 'UPDATE_AFTER', 'DELETE': 'DELETE'},
  'retract': {'INSERT': 'INSERT', 'UPDATE_AFTER': 'INSERT',
              'UPDATE_BEFORE': 'DELETE', 'DELETE': 'DELETE'},
} -%}
{%- set encoding = dbt_changelog.parse_choice(where, 'encoding', values.encoding, mappings | list)
-%}
{%- if values.op_mapping is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'encoding', 'it is an op_mapping, and there is one too',
    'leave out one of the two; op_mapping=none removes one that dbt_project.yml sets') -%}
{%- elif encoding == 'upsert' and not values.unique_key -%}
{%- do dbt_changelog.raise_invalid(where, 'unique_key',
    "encoding='upsert' knows rows by their key, and no key was set",
    "name the key columns, or set encoding='retract', which needs none") -%}
{%- endif -%}
{{ return(mappings[encoding]) }}
{%- endmacro %}
