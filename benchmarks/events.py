"""Change events of a table of orders: the same rows for the same seed, whatever the machine.

The first `keys` events are a snapshot of all keys, the rest are updates and 5 % deletes of random
keys. In a batch one event in 20 is the insert of a new key. The sequence, lsn, is the number of the
event, so there are no ties.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyspark.sql import DataFrame, SparkSession

COLUMNS = {
    "id": "bigint",
    "customer": "string",
    "status": "string",
    "amount": "decimal(12, 2)",
    "quantity": "int",
    "is_paid": "boolean",
    "ordered_at": "timestamp",
    "note": "string",
    "lsn": "bigint",
}
PAYLOAD = tuple(COLUMNS)
ROW = ", ".join(f"{name} {type_}" for name, type_ in COLUMNS.items())
# the schema of an event as JSON
IMAGE = f"struct<{', '.join(f'{name}: {type_}' for name, type_ in COLUMNS.items())}>"
EVENT = f"op string, lsn bigint, before {IMAGE}, after {IMAGE}"
# the keys of the events but the inserts of new ones: which of `keys`, given a number below 10^9
KEY_RANGES = {
    "uniform": "{random} * {keys} div 1000000000",
    # 2 % of the keys, in the middle
    "narrow": "{keys} * 49 div 100 + {random} * ({keys} div 50) div 1000000000",
    # half of the events are of 6 % of the keys
    "skewed": "bigint(pow({random} / 1e9, 4) * {keys})",
}


@dataclass(frozen=True)
class Sizes:
    events: int
    keys: int
    batch: int
    seed: int
    key_range: str = "uniform"

    def start(self, batch: int) -> int:
        return self.events + batch * self.batch

    def of(self, **changes: object) -> Sizes:
        return replace(self, **changes)  # type: ignore[arg-type]


def first_events(spark: SparkSession, sizes: Sizes) -> DataFrame:
    op = f"case when lsn < {sizes.keys} then 'r' when {_random('op', 20)} = 0 then 'd' else 'u' end"
    key_range = "skewed" if sizes.key_range == "skewed" else "uniform"
    key = f"if(lsn < {sizes.keys}, lsn, {_key(key_range, sizes)})"
    return _events(spark.range(sizes.events), sizes.seed, op, key)


def batch_events(spark: SparkSession, sizes: Sizes, batch: int) -> DataFrame:
    op = f"case when lsn % 20 = 0 then 'c' when {_random('op', 20)} = 0 then 'd' else 'u' end"
    key = f"if(lsn % 20 = 0, {sizes.keys} + lsn, {_key(sizes.key_range, sizes)})"
    return _events(spark.range(sizes.start(batch), sizes.start(batch + 1)), sizes.seed, op, key)


def json_events(events: DataFrame) -> DataFrame:
    """The events as Debezium's envelopes, the image before made from the one after."""
    row = f"struct({', '.join(PAYLOAD)})"
    after = f"case when op <> 'd' then {row} end"
    before = f"case when op in ('u', 'd') then {row} end"
    options = "map('ignoreNullFields', 'false')"
    source = "struct('postgresql' as connector, lsn) as source"
    envelope = f"struct(op, lsn, {before} as before, {after} as after, {source})"
    return events.selectExpr("lsn", f"to_json({envelope}, {options}) as value")


def _key(key_range: str, sizes: Sizes) -> str:
    return KEY_RANGES[key_range].format(random=_random("id", 1_000_000_000), keys=sizes.keys)


def _random(name: str, limit: int) -> str:
    return f"pmod(xxhash64(lsn, seed, '{name}'), {limit})"


def _events(numbers: DataFrame, seed: int, op: str, key: str) -> DataFrame:
    return numbers.selectExpr("id as lsn", f"{seed} as seed").selectExpr(
        f"{op} as op",
        f"{key} as id",
        f"concat('customer ', {_random('customer', 100_000)}) as customer",
        f"element_at(array('new', 'sent', 'done'), int({_random('status', 3)} + 1)) as status",
        f"cast({_random('amount', 1_000_000)} / 100 as decimal(12, 2)) as amount",
        f"int({_random('quantity', 100)}) as quantity",
        f"{_random('is_paid', 2)} = 0 as is_paid",
        "timestamp_seconds(1700000000 + lsn) as ordered_at",
        f"if({_random('has_note', 3)} = 0, null, sha1(string(lsn))) as note",
        "lsn",
    )
