{#- A log of change events becomes the table that it describes. -#}
{% materialization from_changelog, adapter='spark', supported_languages=['sql', 'python'] %}

  {#- 1. plan: read and check the configs; nothing is written before all of it holds -#}
  {% set plan = dbt_changelog.from_changelog_plan(model, sql, this) %}
  {% do dbt_changelog.check_contract(plan) %}
  {{ run_hooks(pre_hooks) }}

  {#- 2. source: the batch is what the query says it reads -#}
  {% set batch = dbt_changelog.next_batch(plan) %}

  {#- 3. kernel: the statements, readable in target/run -#}
  {% set program = dbt_changelog.from_changelog_program(plan, batch) %}

  {#- 4. write -#}
  {% set counters = dbt_changelog.run_program(plan, batch, program) %}

  {#- 5. state: the batch is done only now; a crash before this line replays it, harmlessly -#}
  {% set committed = dbt_changelog.commit_batch(plan, batch) %}

  {#- 6. finish: what every dbt materialization owes its user -#}
  {{ return(dbt_changelog.finish(plan, batch, counters, committed)) }}

{% endmaterialization %}
