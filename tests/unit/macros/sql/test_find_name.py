import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..laws import LAW
from ..render import Macros


@pytest.mark.parametrize(
    ("name", "found"), [("ID", "Id"), ("id", "Id"), ("name", "name"), ("i", None), ("Ünit", "ünit")]
)
def test_as_the_list_spells_it(macros, name, found):
    assert macros.find_name(name, ["Id", "name", "ünit"]) == found


MACROS = Macros()
NAMES = list(MACROS.decode_defaults())


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("sequence", "sequence_by"),
        ("SEQUENCE_BY", "sequence_by"),
        ("tie_handing", "tie_handling"),
        ("invalid_handling", "invalid_op_handling"),
        ("sequence_bi", "sequence_by"),
        ("xyz", None),
        ("merge_update_columns", None),
        ("strategy", None),
        ("keys", None),
    ],
)
def test_nearest(macros, name, near):
    assert macros.nearest_name(name, NAMES) == near


def test_names_of_other_letters_are_not_near(macros):
    assert macros.nearest_name("merge_update_columns", ["column_types"]) is None
    assert macros.nearest_name("orders", ["customers"]) is None
    assert macros.nearest_name("lns", ["op", "id", "lsn"]) == "lsn"


def test_none_of_none(macros):
    assert macros.nearest_name("id", []) is None


@given(st.sampled_from([name for name in NAMES if len(name) > 5]), st.data())
@LAW
def test_a_missing_letter_is_found(name, data):
    place = data.draw(st.integers(0, len(name) - 1))
    assert MACROS.nearest_name(name[:place] + name[place + 1 :], NAMES) == name


@given(st.text(min_size=1), st.lists(st.text(min_size=1)))
@LAW
def test_gives_one_of_the_names(name, names):
    assert MACROS.nearest_name(name, names) in [None, *names]
