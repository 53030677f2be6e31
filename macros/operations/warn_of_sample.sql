{#-
  on-run-start: says what --sample does to models of ours. A part of the changes does not give a
  part of the table, and what was read of a part is no position.
-#}
{% macro warn_of_sample() -%}
{%- set names = [] -%}
{%- for node in dbt_changelog.changelog_nodes()
    if invocation_args_dict.get('sample') and node.unique_id in selected_resources -%}
{%- do names.append(node.name) -%}
{%- endfor -%}
{%- do exceptions.warn('With --sample the models ' ~ names | sort | join(', ') ~ ' read nothing and'
    ~ ' commit nothing: a sample of changes is no sample of the rows that they leave.'
    ~ ' To fix: run them without --sample.') if names -%}
{%- endmacro %}
