{#- A table, a query or a changelog becomes a log of change events. -#}
{% materialization to_changelog, adapter='spark', supported_languages=['sql', 'python'] %}

  {#- 1. plan: read and check the configs; nothing is written before all of it holds -#}
  {% set plan = dbt_changelog.to_changelog_plan(model, sql, this) %}
  {% do dbt_changelog.check_contract(plan) %}
  {{ run_hooks(pre_hooks) }}

  {#- 2. source: the batch is what the query says it reads, or how its result differs -#}
  {% set batch = dbt_changelog.next_batch(plan) %}

  {#- 3. kernel: the statements, readable in target/run -#}
  {% set program = dbt_changelog.to_changelog_program(plan, batch) %}

  {#- 4. write -#}
  {% set counters = dbt_changelog.run_program(plan, batch, program) %}

  {#- 5. state: the batch is done only now; what a crash before this line left is finished first -#}
  {% set committed = dbt_changelog.commit_batch(plan, batch) %}

  {#- 6. finish: what every dbt materialization owes its user -#}
  {{ return(dbt_changelog.finish(plan, batch, counters, committed)) }}

{% endmaterialization %}
