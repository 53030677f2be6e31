(
  /* dbt_changelog range {"relation": "bronze.customers", "from": {"column": "lsn", "type": "bigint", "value": "10"}, "to": {"column": "lsn", "type": "bigint", "value": "20"}} */
  select * from bronze.customers
  where (`lsn` >= cast('10' as bigint) - 5 and `lsn` <= cast('20' as bigint)) or `lsn` is null
)
