{#- What the last MERGE into an Iceberg table did; it makes one also of nothing. -#}
{% macro snapshot_counters(state) -%}
{%- set counter = "summary['spark.merge-into.num-target-rows-%s']" -%}
{%- set row = run_query('select ' ~ counter | format('inserted') ~ ', '
    ~ counter | format('updated') ~ '\nfrom ' ~ state
    ~ '.snapshots\norder by committed_at desc\nlimit 1').rows[0] -%}
{{ return({'rows_inserted': row[0] | int, 'rows_updated': row[1] | int}) }}
{%- endmacro %}
