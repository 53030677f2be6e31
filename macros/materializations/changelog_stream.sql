{#- A stream of change events, or of changes, runs the same program once per micro-batch. -#}
{% materialization changelog_stream, adapter='spark', supported_languages=['sql', 'python'] %}

  {#- 1. plan: read and check the configs; nothing is written before all of it holds, and where the
         stream runs elsewhere nothing is done, which next_stream asks again: hooks take time -#}
  {% do dbt_changelog.check_can_stream(model) %}
  {% set plan = dbt_changelog.changelog_stream_plan(model, dbt_changelog.query_of_model(), this) %}
  {% do dbt_changelog.check_contract(plan) %}
  {{ run_hooks(pre_hooks) if not adapter.changelog_streams(plan.stream.checkpoint).running }}

  {#- 2. source: finish what an earlier run left, take over a table of the model's name (adopt); go
         on where the stream's checkpoint is -#}
  {% set plan = dbt_changelog.adopt_table(plan) %}
  {% set stream = dbt_changelog.next_stream(plan) %}

  {#- 3. and 4. program and run, once per micro-batch (run_micro_batch) -#}
  {% set stream = dbt_changelog.run_stream(stream) %}

  {#- 5. finish: what every dbt materialization owes its user -#}
  {{ return(dbt_changelog.finish_stream(stream)) }}

{% endmaterialization %}
