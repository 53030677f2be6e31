{#- A log of change events becomes the table that it describes. -#}
{% materialization from_changelog, adapter='spark', supported_languages=['sql', 'python'] %}

  {#- what the query needs may be made there; from then on nothing is written before all holds -#}
  {{ run_hooks(pre_hooks) }}

  {#- 1. plan: read and check the configs -#}
  {% set plan = dbt_changelog.from_changelog_plan(model, dbt_changelog.query_of_model(), this) %}
  {% do dbt_changelog.check_contract(plan) %}

  {#- 2. source: finish what an earlier run left, take over a table of the model's name (adopt);
         the batch is what the query says it reads -#}
  {% set plan = dbt_changelog.adopt_table(plan) %}
  {% set batch = dbt_changelog.next_batch(plan) %}

  {#- 3. program: every step of the run as data, readable in target/run -#}
  {% set program = dbt_changelog.from_changelog_program(plan, batch) %}

  {#- 4. run: the batch is done with the step that commits it; a crash before it is harmless -#}
  {% set outcome = dbt_changelog.run_program(program) %}

  {#- 5. finish: what every dbt materialization owes its user -#}
  {{ return(dbt_changelog.finish_run(plan, batch, outcome)) }}

{% endmaterialization %}
