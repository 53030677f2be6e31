"""What a linter would find in the macros if there was one: Jinja is silent about all of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from jinja2 import nodes

from .render import ENVIRONMENT, PACKAGE, ROOT, Source, dbt_names, sources

# what is text of its arguments, and what it may take from dbt
PURE = {
    **dict.fromkeys(["diff", "encode", "formats", "kernels"], {"modules"}),
    **{"decode": {"modules", "local_md5"}, "program": {"tojson"}, "sql": {"exceptions"}},
}


def where(source: Source) -> str:
    return f"{source.path.relative_to(ROOT)}: {source.name}"


def test_each_macro_compiles() -> None:
    for source in sources().values():
        ENVIRONMENT.compile(source.text, filename=str(source.path))


def test_each_name_is_known() -> None:
    known = dbt_names() | {PACKAGE}
    unknown = {where(s): s.free_names - known | s.uses - set(sources()) for s in sources().values()}
    assert {place: names for place, names in unknown.items() if names} == {}


def test_each_argument_is_used() -> None:
    unused = {
        where(source): set(source.arguments) - source.read_names
        for source in sources().values()
        if source.kind != "materialization"
    }
    assert {place: names for place, names in unused.items() if names} == {}


def test_each_call_fits_the_signature() -> None:
    assert [wrong for source in sources().values() for wrong in wrong_calls(source)] == []


def wrong_calls(source: Source) -> Iterator[str]:
    for call in source.calls:
        assert isinstance(call.node, nodes.Getattr)
        called = sources()[call.node.attr]
        positional, by_name = call.args, [pair.key for pair in call.kwargs]
        given = called.arguments[: len(positional)] + by_name
        complete = call.dyn_args is not None or call.dyn_kwargs is not None
        if (
            (len(positional) > len(called.arguments) and not called.takes_any_position)
            or len(set(given)) < len(given)
            or not (called.takes_any_keyword or set(given) <= set(called.arguments))
            or not (complete or set(called.required) <= set(given))
        ):
            yield f"{where(source)} calls {called.name}({', '.join(given)})"


def test_sql_is_text_of_its_arguments() -> None:
    impure = {
        where(source): source.free_names - {PACKAGE, "return", *PURE[source.folder]}
        for source in sources().values()
        if source.folder in PURE
    }
    assert {place: names for place, names in impure.items() if names} == {}


def test_private_macros_stay_in_their_file() -> None:
    users = defaultdict(set)
    for user in sources().values():
        for name in user.uses:
            users[name].add(user.path)
    for private in sources().values():
        if private.name.startswith("_"):
            assert users[private.name] == {private.path}, where(private)


def test_hooks_and_models_name_macros() -> None:
    models = sorted((ROOT / "models").rglob("*.sql"))
    text = "".join(file.read_text() for file in [ROOT / "dbt_project.yml", *models])
    assert set(re.findall(rf"{PACKAGE}\.(\w+)\(", text)) <= set(sources())
