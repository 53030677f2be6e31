import pytest

from ..plans import WHERE
from ..render import CompilerError


def test_valid_names(macros):
    macros.check_argument_names(WHERE, {"op": "code", "before": "b"}, ["before", "op"])


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("op_maping", "op_mapping"),
        ("opmapping", "op_mapping"),
        ("OP_MAPPING", "op_mapping"),
        ("uniquekey", "unique_key"),
        ("unique_keys", "unique_key"),
        ("sequence", "sequence_by"),
        ("invalid_op", "invalid_op_handling"),
        ("befor", "before"),
        ("consume_full_delete", "consume_full_deletes"),
    ],
)
def test_names_the_nearest(macros, invalid, name, near):
    valid = list(macros.decode_defaults())
    with invalid(name, "there is no such argument"):
        macros.check_argument_names(WHERE, {name: 1}, valid)
    with pytest.raises(CompilerError, match=f"To fix: use '{near}'.$"):
        macros.check_argument_names(WHERE, {name: 1}, valid)


def test_names_all_when_none_is_near(macros):
    with pytest.raises(CompilerError, match="To fix: use one of before, op; a config of your own"):
        macros.check_argument_names(WHERE, {"xyz": 1}, ["op", "before"])
