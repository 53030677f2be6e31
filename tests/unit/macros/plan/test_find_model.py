import pytest

from ..project import operation
from ..render import CompilerError


@pytest.mark.parametrize(("name", "near"), [("other", "NAME"), ("custmers", "customers")])
def test_find_model_names_the_models(name, near):
    macros, _ = operation()
    with pytest.raises(CompilerError) as caught:
        macros.find_model(name)
    assert str(caught.value) == (
        f"Invalid 'model' in this operation: '{name}' is not a from_changelog model. They are: "
        f"customers.\nTo fix: write --args '{{model: {near}}}'"
        f"{' with the name of such a model' if near == 'NAME' else ''}."
    )


def test_find_model_in_an_empty_project():
    macros, _ = operation(graph={"nodes": {}})
    with pytest.raises(CompilerError, match="from_changelog model. The project has none.\n"):
        macros.find_model("customers")


@pytest.mark.parametrize(("name", "version"), [("customers", 2), ("customers.v1", 1)])
def test_a_name_alone_is_the_latest_version(name, version):
    macros, _ = operation()
    node = macros.changelog_nodes()[0]
    nodes = {
        f"model.shop.customers.v{v}": {**node, "version": v, "latest_version": 2} for v in (1, 2, 3)
    }
    macros, _ = operation(graph={"nodes": nodes})
    assert macros.find_model(name)["version"] == version
