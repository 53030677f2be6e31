import pytest

from ..render import CompilerError
from .project import operation


def test_find_model_names_the_models():
    macros, _ = operation()
    with pytest.raises(CompilerError) as caught:
        macros.find_model("other")
    assert str(caught.value) == (
        "Invalid 'model' in this operation: 'other' is not a from_changelog model. They are: "
        "customers.\nTo fix: write --args '{model: customers}'."
    )


def test_find_model_in_an_empty_project():
    macros, _ = operation(graph={"nodes": {}})
    with pytest.raises(CompilerError, match="To fix: write --args '{model: NAME}'"):
        macros.find_model("customers")
