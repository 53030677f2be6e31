"""Change events of a table of orders: the same rows for the same seed, whatever the machine.

The first `keys` events are a snapshot of all keys, the rest are updates and 5 % deletes of random
keys. In a batch one event in 20 is the insert of a new key; `narrow` keeps the others in 2 % of
the keys. The sequence, lsn, is the number of the event, so there are no ties.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession

PAYLOAD = ("id", "customer", "status", "amount", "quantity", "is_paid", "ordered_at", "note", "lsn")


@dataclass(frozen=True)
class Sizes:
    events: int
    keys: int
    batch: int
    seed: int
    key_range: str

    def start(self, batch: int) -> int:
        return self.events + batch * self.batch


def first_events(spark: SparkSession, sizes: Sizes) -> DataFrame:
    op = f"case when lsn < {sizes.keys} then 'r' when {_random('op', 20)} = 0 then 'd' else 'u' end"
    key = f"if(lsn < {sizes.keys}, lsn, {_random('id', sizes.keys)})"
    return _events(spark.range(sizes.events), sizes.seed, op, key)


def batch_events(spark: SparkSession, sizes: Sizes, batch: int) -> DataFrame:
    width = max(1, sizes.keys // 50) if sizes.key_range == "narrow" else sizes.keys
    op = f"case when lsn % 20 = 0 then 'c' when {_random('op', 20)} = 0 then 'd' else 'u' end"
    known_key = f"{(sizes.keys - width) // 2} + {_random('id', width)}"
    key = f"if(lsn % 20 = 0, {sizes.keys} + lsn, {known_key})"
    return _events(spark.range(sizes.start(batch), sizes.start(batch + 1)), sizes.seed, op, key)


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
