import pytest

from ..render import Macros


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("int", "bigint", True),
        ("tinyint", "int", True),
        ("float", "double", True),
        ("int", "int", False),
        ("decimal(10,2)", "decimal(10,2)", False),
        ("decimal(10,2)", "decimal(12,2)", True),
        ("decimal(10,2)", "decimal(12,4)", True),
        ("decimal(10,2)", "decimal(12,5)", False),
        ("decimal(10,2)", "decimal(10,1)", False),
        ("bigint", "int", False),
        ("int", "double", False),
        ("string", "int", False),
        ("struct<a:int>", "struct<a:bigint>", False),
    ],
)
def test_every_value_keeps_its_meaning(old, new, expected):
    assert Macros().is_widening(old, new) is expected
