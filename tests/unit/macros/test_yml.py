"""What a user calls has an entry in its folder's yml, which says what it is and fits the code."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import yaml
from dbt.parser.schemas import is_valid_type

from .render import PACKAGE, ROOT, sources

FOLDERS = ["functions", "generic_tests", "materializations", "operations"]


@cache
def entries() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for file in sorted((ROOT / "macros").rglob("*.yml")):
        for entry in yaml.safe_load(file.read_text())["macros"]:
            assert entry["name"] not in found, f"{entry['name']} has two entries"
            found[entry["name"]] = {**entry, "folder": file.parent.name}
    return found


def is_internal(entry: dict[str, Any]) -> bool:
    """Called by a hook or a model of ours."""
    return entry.get("docs") == {"show": False}


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_macro_for_users_has_an_entry(folder) -> None:
    macros = {s.name for s in sources().values() if s.folder == folder and s.name[0] != "_"}
    assert {name for name, entry in entries().items() if entry["folder"] == folder} == macros


def test_no_other_macro_has_one() -> None:
    assert {entry["folder"] for entry in entries().values()} == set(FOLDERS)


def test_each_entry_says_what_it_gives() -> None:
    for name, entry in entries().items():
        assert entry["description"].strip()[0].isupper(), name
        assert entry["description"].strip().endswith((".", "'")), name
        assert "\n" not in entry["description"].strip(), name


def test_arguments_are_those_of_the_code() -> None:
    for name, entry in entries().items():
        given = entry.get("arguments", [])
        if is_internal(entry):
            assert given == [], f"{name} is internal: its arguments are in the code"
        elif sources()[name].kind != "materialization":
            assert [argument["name"] for argument in given] == sources()[name].arguments, name
        for argument in given:
            assert is_valid_type(argument["type"]), f"{name}: {argument}"
            assert argument["description"], f"{name}: {argument}"


def test_each_macro_is_used_or_for_users() -> None:
    models = sorted((ROOT / "models").rglob("*.sql"))
    callers = "".join(file.read_text() for file in [ROOT / "dbt_project.yml", *models])
    used = {name for source in sources().values() for name in source.uses}
    unused = [
        source.name
        for source in sources().values()
        if source.name not in used
        and f"{PACKAGE}.{source.name}(" not in callers
        and (source.name not in entries() or is_internal(entries()[source.name]))
    ]
    assert unused == []
