{#-
  The keys and sequences that have two different changes, and in which columns these differ, as
  text. changes: a relation with _image_hash. A row that is there and one that is gone differ in
  nothing but that.
-#}
{% macro tied_changes_sql(plan, changes) -%}
{%- set live = dbt_changelog.live_kind_sql() -%}
{%- set differ = ["if(count(distinct " ~ live ~ ") > 1, '_row_kind', null)"] -%}
{%- for column in plan.compared -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- set hash = 'if(' ~ live ~ ', xxhash64(isnull(' ~ name ~ '), '
    ~ dbt_changelog.hashable_sql(name, column) ~ '), null)' -%}
{%- do differ.append('if(min(' ~ hash ~ ') <> max(' ~ hash ~ '), '
    ~ dbt_changelog.literal(column.name) ~ ', null)') -%}
{%- endfor -%}
select
  concat(
    to_json(struct({{ dbt_changelog.csv(plan.unique_key) }}, _sequence)),
    ' differ in: ',
    concat_ws(', ', {{ differ | join(',\n      ') }})
  ) as example
from {{ changes }}
where _row_kind <> 'UPDATE_BEFORE'
group by {{ dbt_changelog.csv(plan.unique_key) }}, _sequence
having min(_image_hash) <> max(_image_hash)
{%- endmacro %}
