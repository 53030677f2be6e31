{#- Where the state goes, what it replaces, and what is in its way. -#}

{#-
  The table that has the state after a batch. Where there is no MERGE, and where the state has
  another format, it is a new one; the old one stays until the view reads the new. A name with a
  batch is never used again, so what a killed run left of it is in nobody's way.
-#}
{% macro written_state(plan, id, found) -%}
{%- set file_format = plan.storage.file_format -%}
{%- if plan.function == 'to_changelog' -%}
{{ return(plan.relations.state) }}
{%- elif dbt_changelog.format_of(file_format).merges -%}
{%- set stored = found.log.file_format if found.log else none -%}
{%- do return(plan.relations.state) if stored in [none, file_format] -%}
{%- set usual = dbt_changelog.sibling_relation(plan.relations.home, 'state') -%}
{%- set log = dbt_changelog.read_batch_log(usual) -%}
{%- do return(usual) if usual.identifier | lower not in found.names
    or (log and log.plan.uid == plan.uid and log.file_format == file_format) -%}
{%- endif -%}
{{ return(dbt_changelog.sibling_relation(plan.relations.home,
    'state_' ~ id ~ '_' ~ local_md5(invocation_id)[:8])) }}
{%- endmacro %}

{#-
  What runs before the last one wrote, to be dropped, but those that are kept. The state before this
  batch stays until the next: to drop it would kill whoever reads it now. Catalogs may list names in
  small letters.
-#}
{% macro old_states(plan, names, kept) -%}
{%- set base, tables = dbt_changelog.sibling_relation(plan.relations.home, 'state'), [] -%}
{%- set kept = kept | map(attribute='identifier') | map('lower') | list -%}
{%- for name in names if plan.function == 'from_changelog' and name not in kept
    and modules.re.fullmatch(modules.re.escape(base.identifier | lower) ~ '(_\\d+_\\w{8})?', name)
-%}
{%- set table = base.incorporate(path={'identifier': name}) -%}
{%- set log = dbt_changelog.read_batch_log(table) -%}
{%- do tables.append(table) if log and log.plan.uid == plan.uid -%}
{%- endfor -%}
{{ return(tables) }}
{%- endmacro %}

{#-
  Where a table that has the model's name goes: none when there is no such table. It is an error
  unless its rows are taken over, or all is built anew: they are not ours.
-#}
{% macro name_aside(plan, adopts) -%}
{%- set found = load_relation(plan.relations.contents)
    if plan.function == 'from_changelog' else none -%}
{%- if found is none or found.is_view -%}
{{ return(none) }}
{%- endif -%}
{%- set aside = dbt_changelog.sibling_relation(plan.relations.contents, 'before_changelog') -%}
{%- if not adopts and not dbt_changelog.is_full_refresh() -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'alias', 'the table ' ~ found
    ~ ' exists, and a model of this kind is a view over its state',
    'run with --full-refresh, which renames that table to ' ~ aside ~ ' and builds all from the'
    ~ ' events; or ' ~ ('drop ' ~ plan.relations.state ~ ', which has other events, so that'
        ~ ' adopt=true' if plan.get('adopt') else 'set adopt=true before the first run, which')
    ~ ' takes its rows over; or set another alias') -%}
{%- elif load_relation(aside) is not none -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'alias', 'the table ' ~ found
    ~ ' is in the way, and so is ' ~ aside ~ ', where it would go',
    'rename the one that is needed, or drop the one that is not') -%}
{%- endif -%}
{{ return(aside) }}
{%- endmacro %}
