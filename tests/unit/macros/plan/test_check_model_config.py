from types import SimpleNamespace

import pytest

from ..plans import FLAT, WHERE, Model, macros_of


@pytest.mark.parametrize(
    ("argument", "words", "config"),
    [
        ("op_maping", "there is no such argument", {"op_maping": {}}),
        ("contents", "this version does not have it yet", {"contents": "table"}),
        ("lookback", "it is of the microbatch strategy", {"lookback": 3}),
        ("incremental_strategy", "it would be ignored", {"incremental_strategy": "merge"}),
        ("sql_header", "it would be ignored", {"sql_header": "set x = 1"}),
        ("file_format", "'hudi' is not one of delta, iceberg", {"file_format": "hudi"}),
    ],
)
def test_refused(invalid, argument, words, config):
    with invalid(argument, words):
        Model(config, FLAT).plan()


def test_a_python_model_has_no_ranges(invalid):
    model = Model({"read": {"column": "lsn"}}, FLAT)
    with invalid("read", "a Python model is read as a whole"):
        macros_of(model).check_model_config(
            "from_changelog model 'customers'", {**model.node, "language": "python"}
        )


def test_configs_of_dbt_are_left_alone():
    plan = Model({"tags": ["a"], "meta": {"x": 1}, "grants": {}, "schema": "s"}, FLAT).plan()
    assert plan["kernel"] == "last_write_wins"


@pytest.mark.parametrize(
    "config",
    [
        {"of_another_package": 1},
        {"format": "orc"},
        {"incremental_strategy": "merge", "lookback": 3, "sql_header": "set x = 1"},
    ],
)
def test_what_a_project_says_of_all_its_models_is_no_error(config):
    model = Model(config, FLAT)
    said = {name: None for name in model.node["config"] if name not in config}
    shared = {f"+{name}": value for name, value in config.items()}
    adapter = SimpleNamespace(config=SimpleNamespace(project_name="shop", models=shared))
    macros_of(model, adapter=adapter).check_model_config(
        WHERE, {**model.node, "config_call_dict": said}
    )


def test_none_is_unset():
    Model({"op_maping": None, "watermark": None, "incremental_strategy": None}, FLAT).plan()
