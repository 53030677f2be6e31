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
{%- if code is not string and code is not boolean -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', 'code ' ~ code ~ ' is not a string',
    "write one code for each entry, as a string, for example {'INSERT': 'c'}") -%}
{%- endif -%}
{{ return(code | string | lower if code is boolean else code) }}
{%- endmacro %}
