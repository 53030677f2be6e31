{#-
  Strict ranges read each row once: they begin where the last batch ends, and end at one place for
  each relation; of another relation, as in a clone, nothing is known. The query was rendered
  before the run began, and much can happen in between.
-#}
{% macro check_ranges(plan, last, refresh) -%}
{%- if not plan.read.strict or not dbt_changelog.makes_batch() -%}
{{ return('') }}
{%- endif -%}
{%- set reader = 'changes' if plan.read.mode == 'changes' else 'new_rows' -%}
{%- set ranges, ends = dbt_changelog.find_ranges(plan.query), dbt_changelog.read_ranges(plan.query)
-%}
{%- if not ranges -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'read', 'the query has no range of '
    ~ plan.read.column ~ ' and would read all rows each time',
    'select from {{ dbt_changelog.' ~ reader ~ '(..) }}, and keep the comment that it writes') -%}
{%- endif -%}
{%- set read = ranges | map(attribute='relation') | unique | list -%}
{%- if last.position and not refresh and not read | select('in', last.position) | list -%}
{%- do dbt_changelog.raise_invalid(plan.where, reader, 'it reads ' ~ read | join(', ') ~ ', but '
    ~ plan.relations.log ~ ' has what ' ~ last.position | sort | join(', ')
    ~ ' said, and would have twice what both say',
    'run it with --full-refresh' ~ (': it appends the difference as one batch'
      if plan.function == 'to_changelog' else ' to build the state anew from what it reads now'))
-%}
{%- endif -%}
{%- for range in ranges
    if range.to != ends[range.relation]
    or range.from != (none if refresh else last.position.get(range.relation)) -%}
{%- do dbt_changelog.raise_problem('The range of ' ~ range.relation ~ ' that ' ~ plan.where
    ~ ' reads was overtaken: another run committed batch ' ~ last.id ~ ', or rows arrived between'
    ~ ' two uses of ' ~ reader ~ '. Nothing is lost, and nothing was written',
    'run the model again; let one run of it end before the next begins') -%}
{%- endfor -%}
{%- endmacro %}
