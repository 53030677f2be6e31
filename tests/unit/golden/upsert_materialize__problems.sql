with events as (

select * from bronze.customers

),

problems as (
  select
    explode(case
      when `op` is null then
        array('the op code is NULL')
      when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
        array(concat('unknown op code \'', `op`, '\''))
      else array_compact(array(
        if(`_lsn` is null, 'sequence_by `_lsn` is NULL', null),
        if(`id` is null, 'key column id is NULL', null)
      ))
    end) as problem,
    to_json(struct(`op`, `id`)) as example
  from events
),

counted_problems as (
  select
    *,
    count(*) over (partition by problem) as amount,
    row_number() over (partition by problem order by example) as place
  from problems
)

select null as problem, count(*) as amount, null as example, 0 as place
from events
union all
select problem, amount, example, place
from counted_problems
where place <= 5
order by problem nulls first, place
