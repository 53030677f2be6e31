{#- The changes of a changelog without a key that break a rule, and which. -#}
{% macro broken_weights_sql(model, names) -%}
{%- set own, groups = ['_row_kind', '_sequence', '_ordinal', '_batch_id', '_position'], [] -%}
{%- for column in dbt_changelog.described_columns(model, names | reject('in', own) | list) -%}
{%- do groups.append(dbt_changelog.comparable_sql(dbt_changelog.quote(column.name), column)) -%}
{%- endfor -%}
select *
from (
  select
    case
      when _row_kind not in ({{ dbt_changelog.literals(dbt_changelog.row_kinds()) }})
        or _row_kind is null then 'a row kind that there is not'
      when sum({{ dbt_changelog.weight_sql() }}) over (
        partition by {{ groups | join(', ') }}
      ) < 0 then 'a row that goes more often than it comes'
    end as _broken_rule,
    *
  from {{ model }}
) as checked_changes
where _broken_rule is not null
{%- endmacro %}
