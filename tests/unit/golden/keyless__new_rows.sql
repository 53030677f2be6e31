(
  /* dbt_changelog range {"relation": "bronze.customers", "from": {"column": "lsn", "type": "bigint", "value": "10"}, "to": {"column": "lsn", "type": "bigint", "value": "20"}} */
  select * from bronze.customers
  where ((`lsn` > cast('10' as bigint) and `lsn` <= cast('20' as bigint)) or `lsn` is null)
    and if(`lsn` is null, raise_error('Invalid \'read\' in from_changelog model \'customers\': lsn is NULL in a row of bronze.customers, which would be in no range.\nTo fix: read by a column that is never NULL, or from a view that gives such rows one.'), true)
)
