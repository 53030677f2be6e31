{#-
  Per key the last value of each column, as a struct with its sequence and hash, and of the other
  one, if two have that sequence, the hash (`_dbtc_rival`; see last_changes_cte).
-#}
{% macro last_values_cte(plan) -%}
{%- set live, whole = dbt_changelog.is_live_sql(), [] -%}
{%- for name in plan.payload + plan.passthrough if name not in plan.unique_key
    and name not in plan.partial | map(attribute='name') and name != plan.soft_delete -%}
{%- do whole.append(dbt_changelog.quote(name)) -%}
{%- endfor -%}
{%- set row = 'struct(' ~ (['_sequence', '_image_hash'] + whole) | join(', ') ~ ')' -%}
last_values as (
  select
    {{ dbt_changelog.csv(plan.unique_key) }},
    {{ 'collect_set' if plan.keeps_deletes else 'max' }}(_sequence) filter (
      where not {{ live }}
    ) as _removed,
    {{ 'max(' ~ row ~ ')' if plan.orderable
       else 'max_by(' ~ row ~ ', struct(_sequence, _image_hash))' }} filter (
      where {{ live }}
    ) as _dbtc_last,
    max(struct(_sequence, ~_image_hash as _hash)) filter (
      where {{ live }}
    ) as _dbtc_rival
{%- for column in plan.partial %}
{%- set name = dbt_changelog.quote(column.name) %}
{%- set hash = 'xxhash64(isnull(' ~ name ~ '), ' ~ dbt_changelog.hashable_sql(name, column) ~ ')' %}
{%- set value = 'struct(_sequence, ' ~ hash ~ ' as _hash, ' ~ name ~ ' as _value)' %},
    {{ 'max(' ~ value ~ ')' if plan.orderable
       else 'max_by(' ~ value ~ ', struct(_sequence, ' ~ hash ~ '))' }} filter (
      where _dbtc_sent.{{ name }}
    ) as _dbtc_last_{{ loop.index }},
    max(struct(_sequence, ~{{ hash }} as _hash)) filter (
      where _dbtc_sent.{{ name }}
    ) as _dbtc_rival_{{ loop.index }}
{%- endfor %}
  from sent_changes
{{- "\n  where _row_kind <> 'TRUNCATE'" if plan.truncates }}
  group by {{ dbt_changelog.csv(plan.unique_key) }}
)
{%- endmacro %}

{#-
  Whether a key has one last value of each column; two at its sequence are an error, unless a later
  delete or truncate takes them.
-#}
{% macro batch_ties_sql(plan) -%}
{%- set ends = dbt_changelog.row_ends(plan, false) -%}
{%- set ties = [dbt_changelog.all_of_sql(
    ['_dbtc_last._image_hash <> ~_dbtc_rival._hash']
    + ([] if plan.soft_delete else [dbt_changelog.outlives_sql('_upserted', ends.last)]))] -%}
{%- for column in plan.partial -%}
{%- set last = '_dbtc_last_' ~ loop.index -%}
{%- do ties.append(dbt_changelog.all_of_sql(
    [last ~ '._hash <> ~_dbtc_rival_' ~ loop.index ~ '._hash',
     dbt_changelog.outlives_sql(last ~ '._sequence', ends.floor)])) -%}
{%- endfor -%}
{{ return(dbt_changelog.unless_tied_sql(
    ties, dbt_changelog.tie_error_sql(plan, '', '_dbtc_last._sequence', is_whole=false))) }}
{%- endmacro %}
