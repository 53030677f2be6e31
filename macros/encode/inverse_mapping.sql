{#-
  The op mapping of from_changelog that reads what to_changelog wrote, parsed: [{code, kinds}];
  none, if that can't give the rows again. With a key the last event of each counts, so its row is
  all it takes.
-#}
{% macro inverse_mapping(plan) -%}
{%- set kinds_of, entries, taken = {}, [], dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set needed = ['INSERT', 'UPDATE_AFTER', 'DELETE']
    + ([] if plan.unique_key else ['UPDATE_BEFORE']) -%}
{%- if plan.encoding != 'append' and needed | reject('in', taken) | list -%}
{{ return(none) }}
{%- endif -%}
{%- for entry in plan.op_mapping -%}
{%- do kinds_of.setdefault(entry.code, []).extend(entry.kinds) -%}
{%- endfor -%}
{%- for code, kinds in kinds_of | dictsort(case_sensitive=true) -%}
{%- set live = kinds | select('in', dbt_changelog.live_kinds()) | list -%}
{%- set pair = plan.pairs and kinds | sort == ['UPDATE_AFTER', 'UPDATE_BEFORE'] -%}
{%- if live and ('DELETE' in kinds
    or ('UPDATE_BEFORE' in kinds and not (plan.unique_key or pair))) -%}
{{ return(none) }}
{%- endif -%}
{%- do entries.append({'code': code, 'kinds': ['DELETE'] if not live
    else ['UPDATE_AFTER'] if plan.unique_key else ['UPDATE_BEFORE', 'UPDATE_AFTER'] if pair
    else ['INSERT']}) -%}
{%- endfor -%}
{{ return(entries) }}
{%- endmacro %}
