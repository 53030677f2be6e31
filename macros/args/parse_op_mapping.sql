{#-
  {'c, r': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER'} -> [{code, kinds}], in the order of codes.

  Kinds stand in the order -U, -D, +I, +U. Without a mapping every row kind is its own code.
-#}
{% macro parse_op_mapping(where, op_mapping) -%}
{%- if op_mapping is none -%}
{{ return(dbt_changelog._identity_mapping()) }}
{%- endif -%}
{%- if op_mapping is not mapping or not op_mapping -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping',
    'it is not a mapping with entries, but ' ~ op_mapping,
    "write {'code': 'ROW_KIND'}, or leave it out") -%}
{%- endif -%}
{%- set kinds_of = {} -%}
{%- for codes, kinds in op_mapping.items() -%}
{%- set kinds = dbt_changelog.parse_row_kinds(where, kinds) -%}
{%- for code in dbt_changelog.parse_items(where, 'op_mapping', codes, 'code') -%}
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

{% macro _identity_mapping() -%}
{%- set entries = [] -%}
{%- for kind in dbt_changelog.row_kinds() | sort -%}
{%- do entries.append({'code': kind, 'kinds': [kind]}) -%}
{%- endfor -%}
{{ return(entries) }}
{%- endmacro %}
