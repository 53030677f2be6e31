with source_events as (

select * from bronze.customers

),

messages as (
  select
    * except (`value`),
    from_json(
      cast(`value` as string),
      'type string, isDdl boolean, es bigint, data array<struct<`id` string, `name` string, `price` variant, `at` string>>, old array<map<string, variant>>, _dbtc_unread string',
      map('columnNameOfCorruptRecord', '_dbtc_unread')
    )
      as _dbtc_message
  from source_events
  where octet_length(`value`) > 0
),

envelopes as (
  select
    * except (_dbtc_message),
    _dbtc_message.`type` as `type`,
    _dbtc_message.`isDdl` as `isDdl`,
    _dbtc_message.`es` as `es`,
    _dbtc_message.`data` as `data`,
    _dbtc_message.`old` as `old`,
    _dbtc_message._dbtc_unread
  from messages tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
),

message_items as (
  select
    * except (`data`, `old`, `_dbtc_item`, `_dbtc_place`),
    coalesce(_dbtc_place, 0) as _place,
    _dbtc_item
      as `data`,
    get(`old`, _dbtc_place)
      as `old`
  from envelopes
  lateral view outer posexplode(`data`)
    as _dbtc_place, _dbtc_item
),

event_texts as (
  select
    * except (`_dbtc_unread`),
    array(
      if(data is not null, named_struct(
        'id', if(map_contains_key(old, 'id'), string(old['id']), string(data.`id`)),
        'name', if(map_contains_key(old, 'name'), string(old['name']), string(data.`name`)),
        'price', if(map_contains_key(old, 'price'), string(old['price']), string(data.`price`)),
        'at', if(map_contains_key(old, 'at'), string(old['at']), string(data.`at`))
      ), null),
      if(data is not null, named_struct(
        'id', data.`id`,
        'name', data.`name`,
        'price', case schema_of_variant(data.`price`)
          when 'STRING' then
            string(data.`price`)
          when 'VOID' then null
          else to_json(data.`price`)
        end,
        'at', data.`at`
      ), null)
    ) as _dbtc_texts,
    case
      when _dbtc_unread is not null then
        concat('unreadable: ', left(_dbtc_unread, 200))
      else type
    end as _op
  from message_items
  where not coalesce(isDdl and type <> 'TRUNCATE', false)  -- DDL
    and not coalesce(type in ('QUERY', 'GTID', 'XACOMMIT', 'XAROLLBACK'), false)  -- statements and transactions
),

read_images as (
  select
    * except (_dbtc_texts),
    zip_with(
      _dbtc_texts,
      transform(_dbtc_texts, _dbtc_text -> if(_dbtc_text is null, null, named_struct(
        'id', try_cast(_dbtc_text.`id` as int),
        'name', _dbtc_text.`name`,
        'price', if(
          _dbtc_text.`price` rlike '^ *[-+]?0*[0-9]{0,8}([.][0-9]{0,2}0*)? *$'
            or _dbtc_text.`price` rlike '[eE]'
              and try_cast(_dbtc_text.`price` as decimal(38, 30)) = try_cast(_dbtc_text.`price` as decimal(10,2)),
          try_cast(_dbtc_text.`price` as decimal(10,2)),
          null
        ),
        'at', if(_dbtc_text.`at` rlike '^[-+]?[0-9]+$', null, try_cast(_dbtc_text.`at` as timestamp))
      ))),
      (_dbtc_text, _dbtc_image) -> named_struct(
        'image', _dbtc_image,
        'unread', case
          when _dbtc_text.`id` is not null and _dbtc_image.`id` is null then
            concat('unreadable id: ', _dbtc_text.`id`)
          when _dbtc_text.`price` is not null and _dbtc_image.`price` is null then
            concat('unreadable price: ', _dbtc_text.`price`)
          when _dbtc_text.`at` is not null and _dbtc_image.`at` is null then
            concat('unreadable at: ', _dbtc_text.`at`)
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
