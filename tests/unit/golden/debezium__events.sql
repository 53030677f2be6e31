with source_events as (

select * from bronze.customers

),

messages as (
  select
    * except (`value`),
    from_json(
      cast(`value` as string),
      'op string, before struct<`id` int, `name` string, `price` variant, `at` string>, after struct<`id` int, `name` string, `price` variant, `at` string>, source struct<lsn bigint, sequence string, file string, pos bigint, row int, commit_lsn string, change_lsn string, event_serial_no string, scn string, commit_scn string, rs_id string, ssn string, vgtid string, ts_hlc string, commit_ts bigint, ts_us bigint, mod_number string>, transaction struct<transaction_epoch string, transaction_rank string, total_order string>, ts_ms string, status string, ddl string, tableChanges string, payload struct<op string, before struct<`id` int, `name` string, `price` variant, `at` string>, after struct<`id` int, `name` string, `price` variant, `at` string>, source struct<lsn bigint, sequence string, file string, pos bigint, row int, commit_lsn string, change_lsn string, event_serial_no string, scn string, commit_scn string, rs_id string, ssn string, vgtid string, ts_hlc string, commit_ts bigint, ts_us bigint, mod_number string>, transaction struct<transaction_epoch string, transaction_rank string, total_order string>, ts_ms string, status string, ddl string, tableChanges string>, _dbtc_unread string',
      map('columnNameOfCorruptRecord', '_dbtc_unread')
    )
      as _dbtc_message
  from source_events
  where octet_length(`value`) > 0
),

envelopes as (
  select
    * except (_dbtc_message),
    coalesce(_dbtc_message.payload.`op`, _dbtc_message.`op`) as `op`,
    coalesce(_dbtc_message.payload.`before`, _dbtc_message.`before`) as `before`,
    coalesce(_dbtc_message.payload.`after`, _dbtc_message.`after`) as `after`,
    coalesce(_dbtc_message.payload.`source`, _dbtc_message.`source`) as `source`,
    coalesce(_dbtc_message.payload.`transaction`, _dbtc_message.`transaction`) as `transaction`,
    coalesce(_dbtc_message.payload.`ts_ms`, _dbtc_message.`ts_ms`) as `ts_ms`,
    coalesce(_dbtc_message.payload.`status`, _dbtc_message.`status`) as `status`,
    coalesce(_dbtc_message.payload.`ddl`, _dbtc_message.`ddl`) as `ddl`,
    coalesce(_dbtc_message.payload.`tableChanges`, _dbtc_message.`tableChanges`) as `tableChanges`,
    _dbtc_message._dbtc_unread
  from messages tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
),

event_texts as (
  select
    * except (`before`, `after`, `_dbtc_unread`),
    transform(
      array(before, after),
      _dbtc_image -> if(_dbtc_image is not null, named_struct(
        'id', _dbtc_image.`id`,
        'name', _dbtc_image.`name`,
        'price', case schema_of_variant(_dbtc_image.`price`)
          when 'STRING' then
            if(concat('"', string(_dbtc_image.`price`), '"') rlike '^"([0-9eE+]{4})+"$',
              concat('"', string(_dbtc_image.`price`), '"'), string(_dbtc_image.`price`))
          when 'VOID' then null
          else to_json(_dbtc_image.`price`)
        end,
        'at', _dbtc_image.`at`
      ), null)
    ) as _dbtc_texts,
    case
      when source.commit_ts is not null then ''
      when source.lsn is not null then ''
      when source.file is not null then lpad(substring_index(source.file, '.', -1), 20, '0')
      when source.commit_lsn is not null then lpad(source.commit_lsn, greatest(22, length(source.commit_lsn)), '0')
      when source.scn is not null then ''
      when source.vgtid is not null then lpad(transaction.transaction_epoch, 20, '0')
      when source.ts_hlc is not null then source.ts_hlc
      when source.mod_number is not null then ''
    end as _order_1,
    case
      when source.commit_ts is not null then cast(source.commit_ts as decimal(38, 0))
      when source.lsn is not null then cast(source.lsn as decimal(38, 0))
      when source.file is not null then cast(source.pos as decimal(38, 0))
      when source.commit_lsn is not null then 0
      when source.scn is not null then cast(coalesce(source.commit_scn, source.scn) as decimal(38, 0))
      when source.vgtid is not null then cast(transaction.transaction_rank as decimal(38, 0))
      when source.ts_hlc is not null then 0
      when source.mod_number is not null then cast(source.ts_us as decimal(38, 0))
    end as _order_2,
    if(op = 'r', 0, 1) as _order_3,
    case
      when source.commit_ts is not null then ''
      when source.lsn is not null then ''
      when source.file is not null then lpad(source.row, 10, '0')
      when source.commit_lsn is not null then concat(lpad(coalesce(source.change_lsn, ''), greatest(22, length(coalesce(source.change_lsn, ''))), '0'), lpad(coalesce(source.event_serial_no, ''), 10, '0'))
      when source.scn is not null then concat(lpad(source.scn, 20, '0'), coalesce(trim(source.rs_id), ''), lpad(coalesce(source.ssn, ''), 10, '0'))
      when source.vgtid is not null then lpad(transaction.total_order, 20, '0')
      when source.ts_hlc is not null then ''
      when source.mod_number is not null then concat(lpad(source.sequence, 20, '0'), lpad(source.mod_number, 10, '0'))
    end as _order_4,
    case
      when _dbtc_unread is not null then
        concat('unreadable: ', left(_dbtc_unread, 200))
      else op
    end as _op
  from envelopes
  where not coalesce(op = 'm', false)  -- messages of the source
    and not coalesce(op is null and status in ('BEGIN', 'END'), false)  -- transactions
    and not coalesce(op is null and coalesce(ddl, tableChanges) is not null, false)  -- DDL
    and not coalesce(op is null and source is null and ts_ms is not null, false)  -- heartbeats
),

read_images as (
  select
    * except (_dbtc_texts),
    zip_with(
      _dbtc_texts,
      transform(_dbtc_texts, _dbtc_text -> if(_dbtc_text is null, null, named_struct(
        'id', _dbtc_text.`id`,
        'name', _dbtc_text.`name`,
        'price', case
          when _dbtc_text.`price` like '"%' then null
          when _dbtc_text.`price` rlike '^[-+]?[0-9]*[.]?[0-9]+([eE][-+]?[0-9]+)?$' then
            if(
              _dbtc_text.`price` rlike '^ *[-+]?0*[0-9]{0,8}([.][0-9]{0,2}0*)? *$'
                or _dbtc_text.`price` rlike '[eE]'
                  and try_cast(_dbtc_text.`price` as decimal(38, 30)) = try_cast(_dbtc_text.`price` as decimal(10,2)),
              try_cast(_dbtc_text.`price` as decimal(10,2)),
              null
            )
          when _dbtc_text.`price` rlike '^[A-Za-z0-9+/]+={0,2}$' and length(_dbtc_text.`price`) % 4 = 0 then
            try_cast(concat(string(if(
              length(hex(unbase64(_dbtc_text.`price`))) > 16,
              cast(conv(lpad(left(hex(unbase64(_dbtc_text.`price`)), length(hex(unbase64(_dbtc_text.`price`))) - 16), 16, if(hex(unbase64(_dbtc_text.`price`)) >= '8', 'F', '0')), 16, -10) as decimal(20, 0))
                  * 18446744073709551616
                + cast(conv(right(hex(unbase64(_dbtc_text.`price`)), 16), 16, 10) as decimal(20, 0)),
              cast(conv(lpad(hex(unbase64(_dbtc_text.`price`)), 16, if(hex(unbase64(_dbtc_text.`price`)) >= '8', 'F', '0')), 16, -10) as decimal(38, 0))
            )), 'E-2') as decimal(10,2))
        end,
        'at', if(
          _dbtc_text.`at` rlike '^[-+]?[0-9]+$',
          timestamp_micros(
            case
              when source.lsn is null and abs(try_cast(_dbtc_text.`at` as bigint)) > 253402300799999999
                then try_cast(_dbtc_text.`at` as bigint) div 1000
              when try_cast(_dbtc_text.`at` as bigint) = 0
                or abs(try_cast(_dbtc_text.`at` as bigint)) > 253402300799999
                or source.lsn is not null
                  and try_cast(_dbtc_text.`at` as bigint) not between 1000000000000 and 2000000000000
                  and try_cast(_dbtc_text.`at` as bigint) not between 253402214400000 and 253402300799999
                then try_cast(_dbtc_text.`at` as bigint)
            end
          ),
          try_cast(_dbtc_text.`at` as timestamp)
        )
      ))),
      (_dbtc_text, _dbtc_image) -> named_struct(
        'image', _dbtc_image,
        'unread', case
          when _dbtc_text.`price` is not null and _dbtc_image.`price` is null then
            concat(
              'unreadable price: ',
              _dbtc_text.`price`,
              if(_dbtc_text.`price` like '"%', ' (set meta.unit)', '')
            )
          when _dbtc_text.`at` is not null and _dbtc_image.`at` is null then
            concat(
              'unreadable at: ',
              _dbtc_text.`at`,
              if(_dbtc_text.`at` rlike '^[-+]?[0-9]+$', ' (set meta.unit)', '')
            )
        end
      )
    ) as _dbtc_images
  from event_texts
),

events as (
  select
    * except (_dbtc_images, _op),
    _dbtc_images[0].image as before,
    _dbtc_images[1].image as after,
    coalesce(_dbtc_images[0].unread, _dbtc_images[1].unread, _op) as _op
  from read_images
)

select *
from events
