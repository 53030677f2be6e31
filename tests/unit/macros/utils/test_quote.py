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
