{#- A table, a query or a changelog becomes an event table: the log of its changes. -#}
{% materialization to_changelog, adapter='spark', supported_languages=['sql', 'python'] %}

  {#- what the query needs may be made there; from then on nothing is written before all holds -#}
  {{ run_hooks(pre_hooks) }}

  {#- 1. plan: read and check the configs -#}
  {% set plan = dbt_changelog.to_changelog_plan(model, dbt_changelog.query_of_model(), this) %}
  {% do dbt_changelog.check_contract(plan) %}

  {#- 2. source: finish what an earlier run left; the batch is what the query says it reads -#}
  {% set batch = dbt_changelog.next_batch(plan) %}

  {#- 3. program: every step of the run as data, readable in target/run -#}
  {% set program = dbt_changelog.to_changelog_program(plan, batch) %}

  {#- 4. run: the batch is done with the step that commits it; a crash before is finished first -#}
  {% set outcome = dbt_changelog.run_program(program) %}

  {#- 5. finish: what every dbt materialization owes its user -#}
  {{ return(dbt_changelog.finish_run(plan, batch, outcome)) }}

{% endmaterialization %}
