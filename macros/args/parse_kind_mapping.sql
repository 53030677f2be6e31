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
{%- set kinds = dbt_changelog.parse_row_kinds(where, kinds) -%}
{%- for kind in kinds if kind in taken -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', "row kind '" ~ kind
    ~ "' is mapped twice", 'map each row kind once') -%}
{%- endfor -%}
{%- do taken.extend(kinds) -%}
{%- do entries.append({'code': dbt_changelog._code(where, code), 'kinds': kinds}) -%}
{%- endfor -%}
{{ return(entries | sort(attribute='kinds') or dbt_changelog.parse_op_mapping(where, none)) }}
{%- endmacro %}

{% macro _code(where, code) -%}
{%- set item = code[0] if code is sequence and code is not string and code | length == 1
    else code -%}
{%- if item is not string and item is not boolean -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', 'code ' ~ item ~ ' is not a string',
    "write every code as a string, for example '" ~ item ~ "'") -%}
{%- endif -%}
{{ return(item | string | lower if item is boolean else item) }}
{%- endmacro %}
