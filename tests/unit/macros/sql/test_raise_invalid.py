import pytest

from ..render import CompilerError


def test_form_of_errors(macros):
    with pytest.raises(CompilerError) as caught:
        macros.raise_invalid("model 'm'", "op", "it is wrong", "make it right")
    assert str(caught.value) == "Invalid 'op' in model 'm': it is wrong.\nTo fix: make it right."
