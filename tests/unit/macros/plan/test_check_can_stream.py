from types import SimpleNamespace

import pytest

from ..plans import CASES, macros_of
from ..render import CompilerError

MODEL = CASES["default_op_mapping"]


def check(**adapter):
    macros_of(MODEL, adapter=SimpleNamespace(**adapter)).check_can_stream(MODEL.node)


def test_in_a_session():
    check(changelog_connection=lambda: "session")


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("connect", "over Spark Connect a micro-batch is handed to a worker of the server"),
        ("thrift", "is run by the process that has Spark, and this profile has method: thrift"),
        ("http", "is run by the process that has Spark, and this profile has method: http"),
    ],
)
def test_over_a_server(invalid, method, words):
    with invalid("materialized", words):
        check(changelog_connection=lambda: method)


def test_the_way_out_over_a_server():
    with pytest.raises(CompilerError) as caught:
        check(changelog_connection=lambda: "thrift")
    assert "materialized='from_changelog', for example with read=" in str(caught.value)


def test_without_the_pip_module(invalid):
    with invalid("materialized", "a stream needs the pip module of this package"):
        check()
