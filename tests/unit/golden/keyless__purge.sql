-- purge state
delete from analytics.customers__state
where _weight = 0 and _batch_id < 16;
