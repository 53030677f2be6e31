import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..laws import LAW
from ..plans import CASES, IMAGES, Model
from ..render import Macros
from ..runs import Runs

MACROS = Macros()
leaves = st.none() | st.booleans() | st.integers() | st.text()
documents = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


def read(macros, properties):
    log = macros.parse_batch_log(properties)
    assert log.pop("file_format") == "parquet"
    return log


@given(documents)
@LAW
def test_reads_back(document):
    properties = MACROS._to_chunks({"document": document})
    assert read(MACROS, properties) == {"document": document}


@given(documents)
@LAW
def test_a_comment_is_one_line_that_says_the_same(document):
    comment = MACROS._to_comment({"document": document, "expression": "a\r\n--\u2028*/ ${b} \\"})
    assert comment.isascii() and len(comment.splitlines()) == 1 and "${" not in comment
    head, _, text = comment.partition(": ")
    assert head == "log" and not text.endswith("\\")
    assert json.loads(text)["document"] == document


def test_long_documents_are_cut(macros):
    document = {"text": "ü" * 10_000}
    properties = macros._to_chunks(document)
    count = int(properties["dbt_changelog.log.chunks"])
    assert count == len(properties) - 1 > 1
    assert all(len(value) < 4000 for value in properties.values())
    assert read(macros, properties) == document


def test_nothing_looks_like_a_secret(macros):
    properties = macros._to_chunks({"url": "token", "password": "secret", "access.key": "s3://"})
    assert all(re.fullmatch("[0-9a-f]+", value) for value in properties.values())
    assert set(properties) == {"dbt_changelog.log.chunks", "dbt_changelog.log.0"}


def test_same_document_same_properties(macros):
    assert macros._to_chunks({"a": 1, "b": 2}) == macros._to_chunks({"b": 2, "a": 1})


def test_a_table_of_someone_else(macros):
    assert macros.parse_batch_log({}) is None
    assert macros.parse_batch_log({"delta.minReaderVersion": "3"}) is None


def test_other_properties_do_not_matter(macros):
    properties = {"owner": "ada", "dbt_changelog.log.7": "00", **macros._to_chunks({"id": 1})}
    assert read(macros, properties) == {"id": 1}


@pytest.mark.parametrize("name", ["default_op_mapping", "iceberg", "images", "keyless"])
def test_a_run_finds_what_the_last_one_left(name):
    runs = Runs(CASES[name])
    run = runs.run(end=10)
    log = run.macros.read_batch_log(run.plan["relations"]["batch_log"])
    assert log["batch"] == {"id": 1, "position": run.batch["position"]}
    assert log["file_format"] == run.plan["storage"]["file_format"]
    assert log["plan"]["uid"] == "model.shop.customers"
    kinds = {entry["code"]: ", ".join(entry["kinds"]) for entry in run.plan["op_mapping"]}
    assert log["plan"]["op_mapping"] == kinds


def test_images_keep_their_names_in_the_log():
    run = Runs(Model({**CASES["images"].config, "before": "BEFORE"}, IMAGES)).run()
    log = run.macros.read_batch_log(run.plan["relations"]["state"])
    assert (log["plan"]["before"], log["plan"]["after"]) == ("before", "after")
