import pytest

from ..plans import CASES, Model, macros_of

IMAGES = CASES["images"].columns
SIDES = {"before": "before", "after": "after"}
PAIR = "array('UPDATE_BEFORE', 'UPDATE_AFTER')"


def kinds(mapping, upserts_only, **config):
    """What becomes of each code, as SQL by the codes."""
    model = Model({**SIDES, "op_mapping": mapping, **config}, IMAGES)
    text = macros_of(model).row_kind_sql(dict(model.plan(), moves=False), upserts_only)
    cases = [line.strip() for line in text.split("\n")[1:-1]]
    return dict(case.removeprefix("when `op` in ").split(" then ") for case in cases)


@pytest.mark.parametrize(
    ("mapped", "found"),
    [("UPDATE_BEFORE, UPDATE_AFTER", PAIR), ("INSERT", "array('INSERT')")],
)
def test_a_changelog_has_them_all(mapped, found):
    mapping = {"a": mapped, "p": "UPDATE_BEFORE, UPDATE_AFTER"}
    assert kinds({**mapping, "b": "UPDATE_BEFORE"}, False)["('b')"] == "array('UPDATE_BEFORE')"
    assert found in kinds(mapping, False).values()


@pytest.mark.parametrize(
    ("mapped", "left"),
    [
        ("UPDATE_BEFORE, UPDATE_AFTER", "UPDATE_AFTER"),
        ("INSERT, UPDATE_AFTER", "UPDATE_AFTER"),
        ("DELETE", "DELETE"),
        ("UPDATE_BEFORE", "UPDATE_BEFORE"),
    ],
)
def test_contents_need_the_last(mapped, left):
    assert kinds({"a": mapped}, True)["('a')"] == f"'{left}'"


def test_update_before_without_an_image_says_nothing():
    mapping = {"b": "UPDATE_BEFORE", "u": "UPDATE_AFTER"}
    assert kinds(mapping, True, before=None)["('b')"] == "array()"
    assert kinds(mapping, True)["('b')"] == "'UPDATE_BEFORE'"


def test_codes_of_one_kind_share_a_case():
    assert kinds({"c, r": "INSERT", "i": "INSERT"}, True) == {"('c', 'i', 'r')": "'INSERT'"}
