{#-
  How the source is read: 'full', or {column, lookback, strict}. Gives {mode, column, lookback,
  strict}.

  lookback: how much lower than the last position a row may be that arrives later: a duration, or a
  number for a numeric column. strict: no such row arrives, so each row is read once.
-#}
{% macro parse_read(where, value) -%}
{%- if value is none or value == 'full' -%}
{{ return({'mode': 'full', 'strict': false}) }}
{%- elif value is not mapping or not value.get('column') -%}
{%- do dbt_changelog.raise_invalid(where, 'read', "'" ~ value ~ "' is neither 'full' nor a column",
    "write read='full', or name a column that grows with arrival: read={'column': '"
    ~ (value if value is string and value else 'ingested_at') ~ "'}") -%}
{%- endif -%}
{%- do dbt_changelog.check_argument_names(
    where ~ ' (read)', value, ['column', 'lookback', 'strict']) -%}
{%- set lookback = value.get('lookback') -%}
{%- if lookback is not none and (lookback is not number or lookback is boolean) -%}
{%- set lookback = dbt_changelog.parse_duration(where, 'read.lookback', lookback) -%}
{%- endif -%}
{%- if lookback is number and lookback < 0 -%}
{%- do dbt_changelog.raise_invalid(where, 'read.lookback', lookback ~ ' is below zero',
    'write how much lower than the last position a late row may be') -%}
{%- endif -%}
{%- set strict = dbt_changelog.parse_flag(where, 'read.strict', value.get('strict', false)) -%}
{%- if strict and lookback not in [none, '0', 0] -%}
{%- do dbt_changelog.raise_invalid(where, 'read.lookback',
    'it reads rows again, and a strict range reads each row once', 'leave out one of the two') -%}
{%- endif -%}
{{ return({'mode': 'column', 'column': value.column, 'strict': strict,
           'lookback': none if lookback == '0' else lookback}) }}
{%- endmacro %}

{#-
  Whether it is of use to know that a source has not changed: a strict range is empty then, and what
  waits for a watermark may be due without a new event.
-#}
{% macro can_rest(node) -%}
{{ return(not dbt_changelog.model_read(node).strict and node.config.get('watermark') is none) }}
{%- endmacro %}
