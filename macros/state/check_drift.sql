{#-
  What the state can't follow: another key, order or kernel, or events that are read in another way.
  Columns are follow_schema's.
-#}
{% macro check_drift(plan, log) -%}
{%- set refresh = 'or run with --full-refresh to build the state anew from all that the source'
    ~ ' still has' -%}
{%- do dbt_changelog.check_changelog_drift(plan, log) -%}
{%- set now, then = dict(plan, file_format=plan.state.file_format),
    dict(log.plan, file_format=log.file_format) -%}
{%- for name in ['function', 'kernel', 'unique_key', 'sequence_by', 'file_format'] -%}
{%- if then[name] != now[name] -%}
{%- do dbt_changelog.raise_invalid(plan.where, name, 'it is ' ~ now[name]
    ~ ', but the state was made with ' ~ then[name], 'set it back, ' ~ refresh) -%}
{%- endif -%}
{%- endfor -%}
{%- for entry in plan.op_mapping -%}
{%- set kinds, stored = entry.kinds | join(', '), log.plan.op_mapping.get(entry.code) -%}
{%- if stored is not none and stored != kinds -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'op_mapping', "code '" ~ entry.code ~ "' is "
    ~ kinds ~ ', but the state was made with ' ~ stored, 'set it back, ' ~ refresh) -%}
{%- endif -%}
{%- endfor -%}
{%- set images, stored = dbt_changelog.image_sides(plan), dbt_changelog.image_sides(log.plan) -%}
{%- if images != stored -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'before and after', 'events have ' ~ images
    ~ ', but the state was made of events with ' ~ stored, 'set them back, ' ~ refresh) -%}
{%- endif -%}
{%- endmacro %}
