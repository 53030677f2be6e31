"""What beside() names."""

import pytest

from ..plans import CASES, CONTENTS, macros_of


def beside(name, config=None, **context):
    case = CASES["changelog"]
    node = {**case.node, "alias": "customers", "schema": "analytics", **(config or {})}
    macros = macros_of(case, graph={"nodes": {"customers": node}}, **context)
    return str(macros.beside(CONTENTS, name))


def test_a_table_beside_the_contents():
    assert beside("changelog") == f"{CONTENTS}__changelog"


@pytest.mark.parametrize(
    ("name", "schema"), [("changelog", "ice.shop"), ("state", "ice.shop"), ("current", "analytics")]
)
def test_tables_lie_where_the_model_lies_and_views_beside_its_contents(name, schema):
    config = {**CASES["changelog"].node["config"], "contents_schema": "analytics"}
    found = beside(name, {"schema": "ice.shop", "config": config})
    assert found == f"{schema}.customers__{name}"


def test_in_unit_tests_it_is_what_the_test_gives():
    assert beside("changelog", model={"resource_type": "unit_test"}) == str(CONTENTS)
