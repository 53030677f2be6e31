"""What a model says itself, beside what dbt_project.yml says of it and of others."""

from types import SimpleNamespace
from typing import Any

import pytest

from ..render import Macros

MODELS = {
    "+incremental_strategy": "merge",
    "spaced": 1,
    "shop": {
        "+ours": 1,
        "silver": {"+ deep ": {"a": 1}, "folder": {"+elsewhere": 1}},
        "gold": {"+gold": 1},
    },
}


def own_config(package: str = "shop", **node: Any) -> dict[str, Any]:
    """own_config of a model of the project, or of a package that it installs."""
    installed = SimpleNamespace(models={"+theirs": 1})
    project = SimpleNamespace(
        project_name="shop", models=MODELS, load_dependencies=lambda: {"installed": installed}
    )
    model = {
        "package_name": package,
        "fqn": [package, "silver", "customers"],
        "config_call_dict": {},
        "config": dict(node.get("unrendered_config", {})),
        **node,
    }
    return Macros(adapter=SimpleNamespace(config=project)).own_config(model)


def test_of_its_config_call() -> None:
    call = {"op_maping": 1, "incremental_strategy": "append", "gone": None}
    assert own_config(config_call_dict=call, unrendered_config={**call}) == call


def test_of_its_entry_in_a_yml_file() -> None:
    unrendered = {"op_maping": "{{ 'x' }}", "incremental_strategy": "append"}
    own = own_config(unrendered_config=unrendered, config={"op_maping": "x", "lookback": 1})
    assert own == {"op_maping": "x"}


@pytest.mark.parametrize("name", ["incremental_strategy", "spaced", "ours", "deep"])
def test_not_of_dbt_project_yml(name: str) -> None:
    assert own_config(unrendered_config={name: 1}) == {}


@pytest.mark.parametrize("name", ["elsewhere", "gold", "theirs", "folder"])
def test_of_another_folder_is_not_of_this_one(name: str) -> None:
    assert own_config(unrendered_config={name: 1}) == {name: 1}


@pytest.mark.parametrize("name", ["incremental_strategy", "spaced", "theirs"])
def test_of_a_package_both_projects_count(name: str) -> None:
    assert own_config("installed", unrendered_config={name: 1}) == {}
