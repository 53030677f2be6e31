"""A text in sequence_by: '9' is above '10'."""

import pytest

from ..plans import CONTENTS, FLAT, Model, macros_of

CONFIG = {"op_mapping": {"c": "INSERT"}}


def warnings(sequence_by, type_, columns=FLAT, sequence="string"):
    """What making a plan warns of; `sequence`: the type that Spark finds for an expression."""
    model = Model({**CONFIG, "sequence_by": sequence_by}, {**columns, "lsn": type_})
    macros = macros_of(model)
    plan = model.plan()
    macros.warn_of_text_sequence(plan, sequence or model.decoded["_sequence"])
    return macros.warnings


@pytest.mark.parametrize(
    "type_",
    [
        *("string", "varchar(20)", "char(3)", "string collate UTF8_LCASE"),
        *("struct<file:string,n:int>", "array<string>", "struct<at:struct<n:int,s:char(2)>>"),
    ],
)
def test_a_column(type_):
    (warning,) = warnings("LSN", type_, sequence=type_)
    is_nested = "<" in type_
    words = "`lsn` of sequence_by is a text, and of texts '9' is later than '10'"
    assert (words.replace("is a", "has a") if is_nested else words) in warning
    way_out = (
        "list its fields, those that are texts as casts"
        if is_nested
        else ("such as cast(`lsn` as bigint); or cast(`lsn` as string), if it is meant")
    )
    assert way_out in warning


def test_a_path():
    columns = {**FLAT, "source": {"lsn": "string"}}
    (warning,) = warnings("source.lsn", "bigint", columns)
    assert "source.lsn of sequence_by is a text" in warning


def test_each_of_several():
    columns = {**FLAT, "file": "string"}
    (warning,) = warnings(["lsn", "file"], "bigint", columns, "struct<_1:bigint,_2:string>")
    assert "`file`" in warning
    found = warnings(["file", "lsn"], "string", columns, "struct<_1:string,_2:string>")
    assert len(found) == 2
    nested = "struct<_1:bigint,_2:struct<a:int,b:string>>"
    (warning,) = warnings(["lsn", "file"], "bigint", columns, nested)
    assert "`file`" in warning


@pytest.mark.parametrize(
    ("sequence_by", "sequence"),
    [
        ("lsn", "bigint"),
        ("cast(lsn as string)", "string"),
        ("lower(lsn)", "string"),
        ("lsn || ''", "string"),
        (["cast(lsn as string)", "id"], "struct<_1:string,_2:int>"),
        ("lsn", "struct<string:int>"),
    ],
)
def test_what_is_no_text_or_meant(sequence_by, sequence):
    assert warnings(sequence_by, "string", sequence=sequence) == []


def test_a_plan_is_warned_of_once():
    model = Model({**CONFIG}, {**FLAT, "lsn": "string"})
    macros = macros_of(model)
    macros.from_changelog_plan(model.node, model.query, CONTENTS)
    assert len(macros.warnings) == 1
