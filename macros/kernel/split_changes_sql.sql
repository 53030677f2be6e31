{#- Net changes as a changelog again: a row a kind, with the image that belongs to it. -#}
{% macro split_changes_sql(plan, changes) -%}
{%- set live = dbt_changelog.literals(dbt_changelog.live_kinds()) -%}
{%- set retracts = 'UPDATE_BEFORE' in dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set is_update = "_row_kind = 'UPDATE_AFTER' and _old is not null" -%}
select
  * except (_row_kind, _ordinal),
  _row_kind,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  if(_row_kind in ({{ live }}), _new, _old) as _image
from (
  select
    * except (_row_kind),
    {{ "explode(if(\n      " ~ is_update
       ~ ", array('UPDATE_BEFORE', 'UPDATE_AFTER'), array(_row_kind)\n    ))" if retracts
       else '_row_kind' }} as _row_kind
  from (
    {{ changes | indent(4) }}
  ) as net_changes
) as split_changes
{%- endmacro %}
