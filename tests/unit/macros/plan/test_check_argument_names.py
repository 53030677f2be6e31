from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import pytest
from dbt.adapters.spark.impl import SparkConfig
from dbt.artifacts.resources import ModelConfig

from ..plans import WHERE
from ..render import CompilerError, Macros


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
    with pytest.raises(
        CompilerError, match="To fix: leave it out; the arguments are: before, op.$"
    ):
        macros.check_argument_names(WHERE, {"xyz": 1}, ["op", "before"])


def fix_of(macros, name):
    """The way out for a config of a model that is not known."""
    known, ours = macros.model_config_names(), list(macros.decode_defaults())
    with pytest.raises(CompilerError) as caught:
        macros.check_argument_names(WHERE, {name: 1}, ours, known)
    return str(caught.value).partition("\nTo fix: ")[2]


def test_what_dbt_writes_into_the_config_of_a_python_model_is_no_mistake(macros):
    """Where it calls dbt.config.get() or meta_get()."""
    names = [f"{kind}_keys_{what}" for kind in ("config", "meta") for what in ("used", "defaults")]
    given = dict.fromkeys([*names, "submission_method"], [])
    macros.check_argument_names(WHERE, given, [], macros.model_config_names())


@pytest.mark.parametrize("name", ["merge_update_columns", "incremental_predicates", "owner"])
def test_a_config_of_another_kind_is_compared_with_nothing(macros, name):
    fix = fix_of(macros, name)
    assert fix.startswith("leave it out, or put it into meta if it is your own; the arguments")
    assert "tblproperties" not in fix


@pytest.mark.parametrize(
    ("name", "near"), [("op_maping", "op_mapping"), ("fileformat", "file_format"), ("tag", "tags")]
)
def test_a_typing_error_may_be_of_a_config_of_dbt(macros, name, near):
    assert fix_of(macros, name) == f"use '{near}', or put it into meta if it is your own."


def test_every_config_of_dbt_is_known(macros):
    known = macros.model_config_names()
    every = {field.metadata.get("alias", field.name) for field in fields(ModelConfig)}
    every |= {field.name for field in fields(SparkConfig)}
    # merge_update_columns would be ignored, and what it asks for would not happen
    every -= {"_extra", "unique_key", "merge_update_columns"}
    assert every <= {*known["used"], *known["idle"]}
    macros.check_argument_names(WHERE, dict.fromkeys(every, 1), [], known)


# what a model says itself, beside what dbt_project.yml says of it and of others
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
