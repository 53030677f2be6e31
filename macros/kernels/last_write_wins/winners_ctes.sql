{#-
  One change per key and sequence, as CTEs: hashed changes -> `winners`. Of equal sequences the one
  that the contents would take, with the same error for a tie.

  An UPDATE_BEFORE counts only as the last change of its key: else the change after it says what
  became of the row. keeps_pairs: it stays beside its UPDATE_AFTER, where events carry their own
  before images. rank: what orders changes of one sequence, as rank_sql gives it.

  Windows have no names, here and elsewhere: Spark does not know them in a view of an Iceberg
  catalog.
-#}
{% macro winners_ctes(plan, input, keeps_pairs, rank) -%}
{%- set checks = plan.tie_handling == 'FAIL' -%}
{%- set order = ['_sequence'] + rank + (['_image_hash'] if checks else []) -%}
{%- set window = '(\n      partition by ' ~ dbt_changelog.csv(plan.unique_key)
    ~ '\n      order by ' ~ order | join(', ') ~ '\n    )' -%}
{%- set wanted = ['_sequence'] + (['_row_kind'] if keeps_pairs else [])
    + (['_image_hash'] if checks else []) -%}
ordered_changes as (
  select
    *,
    lead(struct({{ wanted | join(', ') }})) over {{ window }} as _dbtc_following
  from {{ input }}
),

winners as (
  select * except (_dbtc_following)
  from ordered_changes
  where _dbtc_following is null
{%- if keeps_pairs %}
    or _dbtc_following._sequence <> _sequence
    or (_row_kind = 'UPDATE_BEFORE' and _dbtc_following._row_kind <> 'UPDATE_BEFORE')
{%- else %}
    or (_dbtc_following._sequence <> _sequence and _row_kind <> 'UPDATE_BEFORE')
{%- endif %}
{%- if checks %}
    or if(
      _dbtc_following._sequence = _sequence and _dbtc_following._image_hash <> _image_hash
        and _row_kind <> 'UPDATE_BEFORE',
      {{ dbt_changelog.tie_error_sql(plan, '', '_sequence') }},
      false
    )
{%- endif %}
)
{%- endmacro %}
