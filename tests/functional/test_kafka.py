"""A stream of Debezium's events from a Kafka broker, which is killed and started again, as the
stream is: the contents are those of the source database, and each change is in the changelog once.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway
from setup_jars import spark_home
from setup_kafka import FOLDER
from setup_kafka import __file__ as SETUP

from .service import Service, kill
from .test_shop import read_lines

MODEL = """
{{ config(materialized='changelog_stream', function='from_changelog', unique_key='id',
          sequence_by='lsn', before='before', after='after', changelog=true, state_ttl='0',
          checkpoint_location='ROOT/checkpoint', op_mapping={
            'c, r': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}) }}
{% set row = 'id bigint, name string, email string, tier string, updated_at timestamp' %}

with parsed as (

    select
        from_json(
            cast(value as string),
            'op string, before struct<{{ row }}>, after struct<{{ row }}>,'
                || ' source struct<lsn bigint>',
            map('mode', 'FAILFAST')
        ) as event
    from {{ dbt_changelog.stream(format='kafka', options={
        'kafka.bootstrap.servers': '127.0.0.1:PORT',
        'subscribePattern': 'shop[.]public[.].*',
        'startingOffsets': 'earliest',
        'maxOffsetsPerTrigger': 400,
    }) }}
    where topic = 'shop.public.customers' and value is not null

)

select event.op, event.before, event.after, event.source.lsn from parsed
"""
ROWS_TEST = """
with expected as (
  select
    cast(customer.id as bigint) as id,
    customer.name,
    customer.email,
    customer.tier,
    cast(customer.updated_at as timestamp) as updated_at
  from (
    select from_json(
      value,
      'id string, name string, email string, tier string, updated_at string',
      map('mode', 'FAILFAST')
    ) as customer
    from text.`ROOT/rows.jsonl`
  )
)
(select * from {{ ref('customers') }} except all select * from expected)
union all
(select * from expected except all select * from {{ ref('customers') }})
"""
CHANGELOG = "ref('customers').incorporate(path={'identifier': 'customers__changelog'})"
CHANGES_TEST = """
with expected as (
  select change.*
  from (
    select from_json(value, 'id bigint, lsn bigint, kind string', map('mode', 'FAILFAST')) as change
    from text.`ROOT/changes.jsonl`
  )
),
changes as (
  select id, _sequence as lsn, _row_kind as kind from {{ CHANGELOG }}
)
(select * from changes except all select * from expected)
union all
(select * from expected except all select * from changes)
"""
FOLDS_TEST = """{{ dbt_changelog.test_changelog_matches_table(
    model=CHANGELOG, table=ref('customers'), unique_key='id') }}"""
TOPICS = ("shop.public.customers", "shop.public.orders")
KINDS = {"c": ["INSERT"], "r": ["INSERT"], "u": ["UPDATE_BEFORE", "UPDATE_AFTER"], "d": ["DELETE"]}
BROKER = """
process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:{controller}
log.dirs={folder}/data
auto.create.topics.enable=false
offsets.topic.replication.factor=1
"""


@pytest.fixture(scope="module")
def jars() -> str:
    """The class path of a broker and its clients, fetched if it is not there."""
    done = subprocess.run([sys.executable, SETUP], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"the jars of Kafka can't be fetched: {done.stderr.strip()}")
    (scala,) = (spark_home() / "jars").glob("scala-library-*.jar")
    return f"{FOLDER}/broker/*:{scala}"


def free_ports(count: int) -> list[int]:
    """Of different sockets that are open at once, so that no two are equal."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def java(*arguments: str) -> list[str]:
    home = os.environ.get("JAVA_HOME")
    return [f"{home}/bin/java" if home else "java", "-Xmx256m", *arguments]


class Broker:
    """One that keeps its data in a folder, and its port when it is started again."""

    def __init__(self, folder: Path, jars: str) -> None:
        self.folder, self.jars = folder, jars
        self.port, controller = free_ports(2)
        folder.mkdir()
        self.config = folder / "server.properties"
        self.config.write_text(
            BROKER.format(port=self.port, controller=controller, folder=folder), encoding="utf-8"
        )
        format_it = ("kafka.tools.StorageTool", "format", "-t", "AAAAAAAAAAAAAAAAAAAAAQ", "-c")
        subprocess.run(
            java("-cp", jars, *format_it, str(self.config)), check=True, capture_output=True
        )

    def start(self) -> None:
        log = self.folder / "said.txt"
        with log.open("a") as said:
            self.process = subprocess.Popen(
                java("-cp", self.jars, "kafka.Kafka", str(self.config)),
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        end = time.monotonic() + 120
        while True:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            assert self.process.poll() is None and time.monotonic() < end, log.read_text()[-4000:]
            time.sleep(0.2)

    def kill(self) -> None:
        kill(self.process)


@contextmanager
def started(broker: Broker) -> Iterator[Broker]:
    broker.start()
    try:
        yield broker
    finally:
        if broker.process.poll() is None:
            broker.kill()


class Producer:
    """Kafka's own client, in a Java process that ends with this one, as Kafka Connect sets it."""

    def __init__(self, broker: Broker) -> None:
        port, token = launch_gateway(classpath=broker.jars, die_on_exit=True, enable_auth=True)
        self.gateway = JavaGateway(
            gateway_parameters=GatewayParameters(port=port, auth_token=token, auto_convert=True)
        )
        clients = self.gateway.jvm.org.apache.kafka.clients
        serializer = "org.apache.kafka.common.serialization.StringSerializer"
        place = {"bootstrap.servers": f"127.0.0.1:{broker.port}"}
        admin = clients.admin.Admin.create(place)
        admin.createTopics([clients.admin.NewTopic(name, 3, 1) for name in TOPICS]).all().get()
        admin.close()
        self.record = clients.producer.ProducerRecord
        self.producer = clients.producer.KafkaProducer(
            place
            | {
                "key.serializer": serializer,
                "value.serializer": serializer,
                "acks": "all",
                "max.in.flight.requests.per.connection": "1",
                "enable.idempotence": "false",
            }
        )
        self.count = 0

    def send(self, events: list[dict[str, Any]]) -> None:
        """Until the broker has them all. A null record has no value."""
        sent = []
        for event in events:
            key, value = (
                None if event[name] is None else json.dumps(event[name], ensure_ascii=False)
                for name in ("key", "value")
            )
            sent.append(self.producer.send(self.record(event["topic"], key, value)))
        self.producer.flush()
        for each in sent:
            each.get()
        self.count += len(events)


@contextmanager
def producing(broker: Broker) -> Iterator[Producer]:
    producer = Producer(broker)
    try:
        yield producer
    finally:
        producer.gateway.shutdown()


def is_customer(event: dict[str, Any]) -> bool:
    return event["topic"] == "shop.public.customers"


def changes_of(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the changelog must have of them: all but updates that change nothing."""
    changes = []
    for event in events:
        value = event["value"]
        if not is_customer(event) or value is None or value["before"] == value["after"]:
            continue
        for kind in KINDS[value["op"]]:
            image = value["before" if kind in ("UPDATE_BEFORE", "DELETE") else "after"]
            changes.append({"id": image["id"], "lsn": value["source"]["lsn"], "kind": kind})
    return changes


class Shop(Service):
    """The customers of the shop, read from its topics."""

    def __init__(self, root: Path, broker: Broker) -> None:
        files = {
            "models/customers.sql": MODEL,
            "tests/rows.sql": ROWS_TEST,
            "tests/changes.sql": CHANGES_TEST.replace("CHANGELOG", CHANGELOG),
            "tests/folds.sql": FOLDS_TEST.replace("CHANGELOG", CHANGELOG),
        }
        places = {"ROOT": str(root), "PORT": str(broker.port)}
        for name, place in places.items():
            files = {path: text.replace(name, place) for path, text in files.items()}
        super().__init__(root, files, FOLDER / "connector")
        self.landed: list[dict[str, Any]] = []

    def begun_again(self, is_done: Callable[[], bool]) -> subprocess.Popen[bytes]:
        """As a supervisor does: SPARK-55271 may end it once, after the batch that was killed."""
        stream = self.stream()
        try:
            self.wait_until(is_done, stream)
        except AssertionError:
            if stream.poll() is None or '"scala.Option.get()" is null' not in self.said():
                raise
            stream = self.stream()
            self.wait_until(is_done, stream)
        return stream

    def read_so_far(self) -> int:
        """How many records the checkpoint has as read."""
        folders = list((self.root / "checkpoint").glob("*/commits"))
        if not folders:
            return 0
        (folder,) = folders
        last = max((int(path.name) for path in folder.iterdir() if path.name.isdigit()), default=-1)
        if last < 0:
            return 0
        offsets = (folder.parent / "offsets" / str(last)).read_text().splitlines()[-1]
        return sum(sum(partitions.values()) for partitions in json.loads(offsets).values())

    def check_after(self, batch: int) -> None:
        events = [event for n in range(1, batch + 1) for event in read_lines(f"batch_{n}.jsonl")]
        for name, lines in (
            ("rows", read_lines(f"customers_{batch}.jsonl")),
            ("changes", changes_of(events)),
        ):
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (self.root / f"{name}.jsonl").write_text(text, encoding="utf-8")
        self.dbt("test", "--target", "dev")


@pytest.mark.thorough
def test_debezium_events_from_a_broker_that_is_killed(tmp_path: Path, jars: str) -> None:
    with (
        started(Broker(tmp_path / "kafka", jars)) as broker,
        producing(broker) as producer,
    ):
        shop = Shop(tmp_path, broker)

        def land(batch: int) -> None:
            producer.send(read_lines(f"batch_{batch}.jsonl"))

        def all_is_read() -> bool:
            return shop.read_so_far() == producer.count

        # what is there, and an end
        land(1)
        land(2)
        assert any(is_customer(e) and e["value"] is None for e in read_lines("batch_2.jsonl"))
        shop.dbt("run", "--target", "dev")
        assert all_is_read()
        shop.check_after(2)

        # the broker is gone in the middle of what there is to read; the stream waits for it
        stream = shop.stream()
        land(3)
        before = shop.read_so_far()
        shop.wait_until(lambda: shop.read_so_far() > before, stream)
        broker.kill()
        time.sleep(20)
        assert stream.poll() is None, shop.said()[-4000:]
        broker.start()
        shop.wait_until(all_is_read, stream)

        # the stream is gone in the middle of what there is to read
        land(4)
        before = shop.read_so_far()
        shop.wait_until(lambda: shop.read_so_far() > before, stream)
        kill(stream)
        assert shop.read_so_far() < producer.count
        land(5)
        stream = shop.begun_again(all_is_read)
        shop.end(stream)
        shop.check_after(5)

        # all of it once more, in one micro-batch: the changelog has no difference to tell
        shop.dbt("run", "--full-refresh", "--target", "dev")
        assert all_is_read()
        shop.check_after(5)
