"""Where a stream goes on: state and checkpoint name each other, or an error says why not."""

from types import SimpleNamespace

import pytest

from ..plans import CASES, FLAT, Model
from ..runs import REFRESH, Runs

KEYED, KEYLESS = CASES["default_op_mapping"], CASES["keyless"]
UID, TABLE, HERE = "model.shop.customers", "analytics.customers", "a1b2c3d4"


class Stream:
    """A model that is run as a stream, and what lies in the folder of its checkpoints."""

    def __init__(self, model=KEYED):
        self.runs = Runs(model)
        self.there = {"uid": None, "table": None, "running": None, "checkpoints": {}}

    def plan(self, macros):
        model = self.runs.model
        plan = macros.from_changelog_plan(model.node, model.query, model.relation)
        stream = {"checkpoint": "s3://lake/customers", "table": TABLE, "inserts": False}
        return dict(plan, stream=stream)

    def macros(self, **context):
        adapter = SimpleNamespace(
            changelog_streams=lambda _: self.there,
            config=SimpleNamespace(project_name="shop", models={}),
        )
        return self.runs.macros(adapter=adapter, **context)

    def next(self, **context):
        macros = self.macros(**context)
        return macros.next_stream(self.plan(macros))

    def micro_batch(self, number, is_empty=False):
        """What follows one micro-batch, and the checkpoint after it."""
        macros = self.macros()
        stream = macros.next_stream(self.plan(macros))
        view = f"global_temp.batch_{number}"
        macros.warehouse.tables[view] = None
        stream = macros.run_micro_batch(stream, {"id": number, "view": view, "is_empty": is_empty})
        self.at(stream["checkpoint"], number, number)
        return stream

    def at(self, name, planned, committed, **passed):
        found = {"planned": planned, "committed": committed, "passed": passed}
        mark = {"uid": UID, "table": TABLE}
        self.there = {**mark, "running": None, "checkpoints": {name: found}}


@pytest.fixture
def stream():
    found = Stream()
    found.micro_batch(3)
    return found


def test_a_new_stream_begins_a_checkpoint():
    found = Stream().next()
    assert len(found["checkpoint"]) == 8
    assert (found["refreshes"], found["batches"], found["runs_in"]) == (False, 0, None)


def test_a_stream_goes_on_at_its_checkpoint(stream):
    (checkpoint,) = stream.there["checkpoints"]
    found = stream.next()
    assert found["checkpoint"] == checkpoint
    assert found["found"]["log"]["batch"]["position"]["stream"]["value"] == "3"


def test_spark_gives_the_last_micro_batch_again(stream):
    statements = stream.runs.lake.statements
    assert stream.micro_batch(3)["batches"] == 0
    assert not [sql for sql in statements if sql.startswith(("merge", "insert", "alter"))]


def test_a_micro_batch_without_rows_writes_nothing(stream):
    statements = stream.runs.lake.statements
    found = stream.micro_batch(4, is_empty=True)
    assert (found["passed"], found["last"], found["batches"]) == (4, "3", 0)
    assert not [sql for sql in statements if sql.startswith(("merge", "insert", "alter"))]


def test_the_first_micro_batch_makes_the_model_also_without_rows():
    assert Stream().micro_batch(0, is_empty=True)["batches"] == 1


def test_a_full_refresh_begins_a_checkpoint(stream):
    before = stream.next()["checkpoint"]
    found = stream.next(**REFRESH)
    assert found["refreshes"] and found["checkpoint"] != before


def test_a_checkpoint_without_a_batch_goes_on():
    stream = Stream()
    stream.at(HERE, planned=0, committed=-1)
    assert stream.next()["checkpoint"] == HERE


def test_a_checkpoint_that_spark_has_hardly_begun_is_not_used():
    """Spark refuses one in whose folder lies any file of which it knows nothing."""
    stream = Stream()
    stream.at(HERE, planned=-1, committed=-1)
    assert stream.next()["checkpoint"] != HERE


def test_a_stream_that_runs_elsewhere_is_left_alone(stream):
    stream.there["running"] = "process 7 on lake-1"
    assert stream.next()["runs_in"] == "process 7 on lake-1"
    assert stream.next(**REFRESH)["runs_in"] == "process 7 on lake-1"


def refused(invalid, stream, argument, words):
    with invalid(argument, words):
        stream.next()
    # what all of these errors offer
    assert stream.next(**REFRESH)["refreshes"] or stream.next(**REFRESH)["found"]["log"] is None


def test_the_checkpoint_of_another_model(stream, invalid):
    stream.there["uid"] = "model.shop.orders"
    with invalid("checkpoint_location", "has the checkpoint of uid 'model.shop.orders'"):
        stream.next()


def test_the_checkpoint_of_another_table(stream, invalid):
    """Of two targets, whose models have one uid; a refresh would remove it, too."""
    stream.there["table"] = "ci.customers"
    for context in {}, REFRESH:
        with invalid("checkpoint_location", "has the checkpoint of ci.customers"):
            stream.next(**context)
    # that of a version that did not write it down
    stream.there["table"] = None
    assert stream.next()["checkpoint"] in stream.there["checkpoints"]


def test_a_lost_checkpoint(stream, invalid):
    stream.there["checkpoints"] = {}
    refused(invalid, stream, "checkpoint_location", "is not in s3://lake/customers")


def test_an_older_checkpoint(stream, invalid):
    (checkpoint,) = stream.there["checkpoints"]
    stream.at(checkpoint, planned=2, committed=1)
    refused(invalid, stream, "checkpoint_location", "or is an older one")


def test_a_lost_state(stream, invalid):
    stream.runs.lake.tables = {
        name: table for name, table in stream.runs.lake.tables.items() if "__state" not in name
    }
    stream.runs.lake.views.clear()
    refused(invalid, stream, "state", "customers__state is gone")


def test_a_state_of_an_earlier_version(stream, invalid):
    (checkpoint,) = stream.there["checkpoints"]
    stream.at(checkpoint, planned=5, committed=5)
    refused(invalid, stream, "state", "the table was restored to an earlier version")


def test_micro_batches_without_rows_are_not_missed(stream, invalid):
    (checkpoint,) = stream.there["checkpoints"]
    stream.at(checkpoint, planned=6, committed=5, **{"3": 5})
    assert stream.next()["checkpoint"] == checkpoint
    stream.at(checkpoint, planned=6, committed=6, **{"3": 5})
    refused(invalid, stream, "state", "the table was restored to an earlier version")
    # those after a later micro-batch, which this state has not
    stream.at(checkpoint, planned=6, committed=6, **{"4": 6})
    refused(invalid, stream, "state", "the table was restored to an earlier version")


def test_a_model_with_a_key_may_become_a_stream():
    stream = Stream(Model({"read": {"column": "lsn"}}, FLAT))
    stream.runs.run(10)
    assert stream.next()["refreshes"] is False


def test_events_that_count_are_not_read_by_a_stream_too(invalid):
    stream = Stream(KEYLESS)
    stream.runs.run(10)
    refused(invalid, stream, "materialized", "has batches that no stream made")
