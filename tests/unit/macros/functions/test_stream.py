"""What a source that SQL has no words for is given: its options, all of them as text."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from dbt.adapters.spark.relation import SparkRelation

from ..plans import CASES, macros_of

MODEL = CASES["default_op_mapping"]


def options_of(**options: Any) -> dict[str, str]:
    given = []
    adapter = SimpleNamespace(
        changelog_connection=lambda: "session",
        changelog_source=lambda name, format, texts, schema: given.append(texts) or "a_view",
    )
    stream = macros_of(MODEL, adapter=adapter).stream
    assert stream(format="kafka", options=options) == "a_view"
    return given[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("earliest", "earliest"),
        (400, "400"),
        (0.5, "0.5"),
        (True, "true"),
        (False, "false"),
        ({"customers": {"0": 23, "1": -2}}, '{"customers": {"0": 23, "1": -2}}'),
        ({"customers": [0, 1]}, '{"customers": [0, 1]}'),
        ('{"customers":{"0":23}}', '{"customers":{"0":23}}'),
    ],
)
def test_an_option_is_text(value: Any, text: str) -> None:
    assert options_of(startingOffsets=value) == {"startingOffsets": text}


def test_the_name_of_a_source_is_quoted_as_the_source_says() -> None:
    quoting = {"database": False, "schema": False, "identifier": True}
    source = SparkRelation.create(schema="bronze", identifier="my-events", quote_policy=quoting)
    adapter = SimpleNamespace(changelog_connection=lambda: "session")
    assert macros_of(MODEL, adapter=adapter).stream(source) == "stream bronze.`my-events`"
