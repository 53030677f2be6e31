{#- What a changelog folds to by key: the last change of every key, without deleted keys. -#}
{% macro fold_by_key_sql(model, key, names) -%}
(
  select _last.*
  from (
    select max_by(struct(*), struct({{ dbt_changelog.changelog_order_sql(names) }})) as _last
    from {{ model }}
    group by {{ dbt_changelog.csv(key) }}
  ) as last_changes
  where _last._row_kind in ({{ dbt_changelog.literals(dbt_changelog.live_kinds()) }})
) as folded
{%- endmacro %}
