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


def packages(*names):
    """The macros of a project `shop` with a model customers in each of these packages."""
    macros, _ = operation()
    (node,) = macros.changelog_nodes()
    nodes = {f"model.{name}.customers": {**node, "package_name": name} for name in names}
    return operation(graph={"nodes": nodes})[0]


@pytest.mark.parametrize(
    ("name", "package"),
    [("customers", "shop"), ("shop.customers", "shop"), ("a_lib.customers", "a_lib")],
)
def test_a_name_alone_is_the_model_of_the_project(name, package):
    assert packages("a_lib", "shop").find_model(name)["package_name"] == package


def test_a_model_of_the_project_that_is_of_another_kind_hides_one_of_a_package():
    """Nobody means the rows of a package's customers by the name of an own table."""
    macros, _ = operation()
    (node,) = macros.changelog_nodes()
    table = {**node, "config": {**node["config"], "materialized": "table"}, "package_name": "shop"}
    lib = {**node, "package_name": "a_lib"}
    graph = {"nodes": {"model.a_lib.customers": lib, "model.shop.customers": table}}
    macros, _ = operation(graph=graph)
    words = "'customers' is not a from_changelog model. They are: a_lib.customers"
    with pytest.raises(CompilerError, match=words):
        macros.find_model("customers")
    assert macros.find_model("a_lib.customers")["package_name"] == "a_lib"


def test_a_name_that_only_several_packages_have_is_an_error():
    macros = packages("z_lib", "a_lib")
    assert macros.find_model("z_lib.customers")["package_name"] == "z_lib"
    with pytest.raises(CompilerError) as caught:
        macros.find_model("customers")
    assert str(caught.value) == (
        "Invalid 'model' in this operation: several packages have a model 'customers': a_lib, "
        "z_lib.\nTo fix: write --args '{model: a_lib.customers}' with the package before the name."
    )
