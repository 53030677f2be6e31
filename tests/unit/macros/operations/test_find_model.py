import pytest

from ..render import CompilerError
from .project import operation


@pytest.mark.parametrize(("name", "near"), [("other", "NAME"), ("custmers", "customers")])
def test_find_model_names_the_models(name, near):
    macros, _ = operation()
    with pytest.raises(CompilerError) as caught:
        macros.find_model(name)
    assert str(caught.value) == (
        f"Invalid 'model' in this operation: '{name}' is not a from_changelog model. They are: "
        f"customers.\nTo fix: write --args '{{model: {near}}}'"
        f"{' with one of them' if near == 'NAME' else ''}."
    )


def test_find_model_in_an_empty_project():
    macros, _ = operation(graph={"nodes": {}})
    with pytest.raises(CompilerError, match="To fix: write --args '{model: NAME}' with one"):
        macros.find_model("customers")
