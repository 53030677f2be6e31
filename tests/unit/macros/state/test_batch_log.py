import re

from hypothesis import given
from hypothesis import strategies as st

from ..laws import LAW
from ..render import Macros

MACROS = Macros()
leaves = st.none() | st.booleans() | st.integers() | st.text()
documents = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


@given(documents)
@LAW
def test_reads_back(document):
    properties = MACROS.to_chunks({"document": document})
    assert MACROS.from_chunks(properties) == {"document": document}


def test_long_documents_are_cut(macros):
    document = {"text": "ü" * 10_000}
    properties = macros.to_chunks(document)
    count = int(properties["dbt_changelog.log.chunks"])
    assert count == len(properties) - 1 > 1
    assert all(len(value) < 4000 for value in properties.values())
    assert macros.from_chunks(properties) == document


def test_nothing_looks_like_a_secret(macros):
    properties = macros.to_chunks({"url": "token", "password": "secret", "access.key": "s3://"})
    assert all(re.fullmatch("[0-9a-f]+", value) for value in properties.values())
    assert set(properties) == {"dbt_changelog.log.chunks", "dbt_changelog.log.0"}


def test_same_document_same_properties(macros):
    assert macros.to_chunks({"a": 1, "b": 2}) == macros.to_chunks({"b": 2, "a": 1})


def test_a_table_of_someone_else(macros):
    assert macros.from_chunks({}) is None
    assert macros.from_chunks({"delta.minReaderVersion": "3"}) is None


def test_other_properties_do_not_matter(macros):
    properties = {"owner": "ada", "dbt_changelog.log.7": "00", **macros.to_chunks({"id": 1})}
    assert macros.from_chunks(properties) == {"id": 1}


def test_log_is_read_back():
    log = macros_with_log(batch()).read_batch_log(MODEL.plan()["relations"]["state"])
    assert log["batch"] == {"id": 2, "position": POSITION}
    assert log["plan"]["uid"] == "model.shop.customers"
    assert log["plan"]["op_mapping"]["INSERT"] == "INSERT"


def test_images_keep_their_names_in_the_log():
    model = Model({**CASES["images"].config, "before": "BEFORE"}, IMAGES)
    macros = macros_of(model)
    log = macros.from_chunks(macros.log_properties(model.plan(), batch()))
    assert (log["plan"]["before"], log["plan"]["after"]) == ("before", "after")
