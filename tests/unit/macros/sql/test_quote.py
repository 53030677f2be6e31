import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..laws import LAW
from ..render import Macros

MACROS = Macros()


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("id", "`id`"),
        ("a b", "`a b`"),
        ("a.b", "`a.b`"),
        ("a`b", "`a``b`"),
        ("`", "````"),
        ("select", "`select`"),
        ("a'b\"c", "`a'b\"c`"),
        ("a\\b", "`a\\b`"),
        ("ключ", "`ключ`"),
    ],
)
def test_quoted(macros, name, quoted):
    assert macros.quote(name) == quoted


@given(st.text(min_size=1))
@LAW
def test_reads_back(name):
    quoted = MACROS.quote(name)
    assert re.fullmatch("`(?:[^`]|``)*`", quoted)
    assert quoted[1:-1].replace("``", "`") == name


def test_names_in_a_row(macros):
    assert macros.csv(["id", "a`b"]) == "`id`, `a``b`"
    assert macros.csv([]) == ""


def test_around_each_name(macros):
    text = macros.csv(["id", "line"], prefix="_row.", suffix=" is not null", separator=" and ")
    assert text == "_row.`id` is not null and _row.`line` is not null"


TOKEN = re.compile(r"\\u(?P<code>[0-9a-f]{4})|\\(?P<escaped>[\\'nr])|(?P<plain>[^\\'\n\r])")


def as_read(literal: str) -> str:
    """What Spark reads: the escapes that we write, and nothing else may stand in it."""
    assert literal[0] == literal[-1] == "'"
    inside, text, place = literal[1:-1], "", 0
    while place < len(inside):
        token = TOKEN.match(inside, place)
        assert token, inside[place:]
        code, escaped, plain = token.group("code", "escaped", "plain")
        escapes = {"n": "\n", "r": "\r"}
        text += chr(int(code, 16)) if code else plain or escapes.get(escaped, escaped)
        place = token.end()
    return text


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("", "''"),
        ("c", "'c'"),
        ("it's", r"'it\'s'"),
        ("''", r"'\'\''"),
        ("a\\", r"'a\\'"),
        ("\\'", r"'\\\''"),
        ("\\n", r"'\\n'"),
        ("a\nb\rc", r"'a\nb\rc'"),
        ('"`;--', "'\"`;--'"),
        (7, "'7'"),
    ],
)
def test_literal(macros, text, literal):
    assert macros.literal(text) == literal


@given(st.text() | st.text(alphabet="\\'\nnru0024$ {}"))
@LAW
def test_a_literal_reads_back(text):
    assert as_read(MACROS.literal(text)) == text


def test_literals(macros):
    assert macros.literals(["c", "it's", ""]) == r"'c', 'it\'s', ''"
    assert macros.literals([]) == ""
