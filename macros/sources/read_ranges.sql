{#- The ranges that a query says it reads, as comments in its text. -#}

{#-
  The positions that a compiled query says it reads up to: {relation: position}. Of two ranges of
  one relation the first counts: the second may reach further, but not for both.
-#}
{% macro read_ranges(query) -%}
{%- set positions = {} -%}
{%- for range in dbt_changelog.find_ranges(query) -%}
{%- do positions.setdefault(range.relation, range.to) -%}
{%- endfor -%}
{{ return(positions) }}
{%- endmacro %}

{#- The ranges that a compiled query says it reads: [{relation, from, to, stamp}]. -#}
{% macro find_ranges(query) -%}
{%- set ranges = [] -%}
{%- for text in modules.re.findall('/\\* dbt_changelog range (.*) \\*/', query) -%}
{%- do ranges.append(fromjson(text)) -%}
{%- endfor -%}
{{ return(ranges) }}
{%- endmacro %}

{#- What a query reads of a relation, as a comment in it, from which next_batch reads it back. -#}
{% macro range_comment(relation, last, next, stamp=none) -%}
{%- set range = tojson(dict({'relation': relation | string, 'from': last, 'to': next},
                            **({'stamp': stamp} if stamp else {}))) -%}
/* dbt_changelog range {{ range | replace('*', '\\u002a') }} */
{%- endmacro %}

{#-
  A query that is read by a column says what it reads. Strict ranges read each row once: they begin
  where the last batch ends, and end at one place for each relation: the query was rendered before
  the run began, and much can happen in between. Of another relation, as in a clone, nothing is
  known.
-#}
{% macro check_ranges(plan, last, refresh) -%}
{%- if plan.read.mode == 'table' and dbt_changelog.find_ranges(plan.query) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'input', 'it reads changes() and has no column'
    ~ ' _row_kind, so each change would be a row', 'select _row_kind, _sequence, _ordinal and'
    ~ ' _batch_id beside the columns of the row, for example with *') -%}
{%- endif -%}
{%- if plan.read.mode in ['full', 'table'] or not dbt_changelog.makes_batch() -%}
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
{%- set new = read | reject('in', last.position) | list -%}
{%- set gone = last.position | reject('in', read) | sort -%}
{#- a relation that is there under another name -#}
{%- if plan.read.strict and new and gone and not refresh -%}
{%- do dbt_changelog.raise_invalid(plan.where, reader, 'it reads ' ~ new | join(', ') ~ ', but '
    ~ plan.relations.batch_log ~ ' has what ' ~ gone | join(', ')
    ~ ' said, and would contain the same changes twice',
    'run it with --full-refresh' ~ (': it appends the difference as one batch'
      if plan.function == 'to_changelog' else ' to build the state anew from what it reads now'))
-%}
{%- endif -%}
{%- for range in ranges if plan.read.strict and (range.to != ends[range.relation]
    or range.from != (none if refresh else last.position.get(range.relation))) -%}
{%- do dbt_changelog.raise_problem('The range of ' ~ range.relation ~ ' that ' ~ plan.where
    ~ ' reads was overtaken: another run committed batch ' ~ last.id ~ ', or rows arrived between'
    ~ ' two uses of ' ~ reader ~ '. Nothing is lost, and nothing was written',
    'run the model again; let one run of it end before the next begins') -%}
{%- endfor -%}
{%- endmacro %}
