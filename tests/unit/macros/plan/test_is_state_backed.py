import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import changelog_reference as reference

from ..laws import LAW
from ..plans import WHERE
from ..render import Macros

MACROS = Macros()
SIDES = [(None, None), ("before", "after"), (None, "after"), ("before", None), ("image", "image")]
kinds = st.sampled_from([*reference.KINDS, *(", ".join(sorted(g)) for g in reference.GROUPS)])
mappings = st.none() | st.dictionaries(st.sampled_from("cruxd"), kinds, min_size=1)


def is_state_backed(macros, op_mapping, before=None, after=None, state_ttl=None):
    plan = macros.decode_args(
        WHERE,
        {"op_mapping": op_mapping, "before": before, "after": after, "state_ttl": state_ttl},
    )
    images = before is not None or after is not None
    return macros.is_state_backed(
        {**plan, "images": images, "one_image": images and before == after}
    )


@given(mappings, st.sampled_from(SIDES), st.sampled_from([None, "0", "1 hour"]))
@LAW
def test_agrees_with_the_reference(op_mapping, sides, state_ttl):
    mapping = reference.parse_op_mapping(op_mapping, "from")
    expected = reference.needs_state(mapping, *sides, state_ttl)
    assert is_state_backed(MACROS, op_mapping, *sides, state_ttl) == expected


@pytest.mark.parametrize(
    ("op_mapping", "before", "after", "expected"),
    [
        (None, None, None, False),
        ({"u": "UPDATE_BEFORE, UPDATE_AFTER"}, None, None, True),
        ({"u": "UPDATE_BEFORE, UPDATE_AFTER"}, "before", "after", False),
        ({"u": "UPDATE_BEFORE, UPDATE_AFTER"}, "row", "row", True),
        ({"u": "INSERT, UPDATE_AFTER"}, "before", "after", True),
        ({"u": "UPDATE_BEFORE"}, None, "after", True),
        ({"u": "UPDATE_BEFORE"}, "row", "row", False),
        ({"u": "UPDATE_AFTER"}, None, "after", False),
    ],
)
def test_named_mappings(macros, op_mapping, before, after, expected):
    assert is_state_backed(macros, op_mapping, before, after) == expected
