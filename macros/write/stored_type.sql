{#- The type that a column of a type has in a table of a format: Iceberg has no smaller int. -#}
{% macro stored_type(file_format, type) -%}
{{ return(modules.re.sub('(^|[:<,])(tiny|small)int(?=$|[,>])', '\\1int', type)
          if file_format == 'iceberg' else type) }}
{%- endmacro %}
