"""docs/errors.md has an entry for each message that the package can raise, and no other.

An entry is a row of a table whose first cell is the message as code, with `<..>` for its values:
`column '<name>' is not in the input. Its columns are: <names>`.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from jinja2 import nodes

from .macros.render import ROOT, Source, sources

PART = "<>"
# the arguments of a call that are its message, one after the other; None: a value
Places = dict[str, list["int | None"]]
CALLS: Places = {"raise_invalid": [2], "raise_problem": [0], "raise_error_sql": [0, None, 2]}
CALLS |= {"raise_compiler_error": [0], "warn": [0]}


def texts(node: nodes.Node, assigned: dict[str, nodes.Node]) -> set[str]:
    """What an expression can give: the words that stand in it, and PART for all else."""
    if isinstance(node, nodes.Const):
        return {str(node.value)}
    if isinstance(node, nodes.CondExpr):
        return texts(node.expr1, {}) | (texts(node.expr2, {}) if node.expr2 else set())
    if isinstance(node, nodes.Concat):
        return {"".join(words) for words in itertools.product(*(texts(n, {}) for n in node.nodes))}
    known = assigned.get(getattr(node, "name", ""))
    return texts(known, {}) if known else {PART}


def macro_messages(source: Source, calls: Places) -> Iterator[str]:
    """The messages of a macro; one that hands on an argument of its own is added to `calls`."""
    assigned = {}
    for one in source.tree.find_all(nodes.Assign):
        sides = (getattr(side, "items", [side]) for side in (one.target, one.node))
        assigned |= {getattr(name, "name", ""): value for name, value in zip(*sides, strict=False)}
    for call in source.tree.find_all(nodes.Call):
        callee = assigned.get(getattr(call.node, "name", ""), call.node)
        places = calls.get(getattr(callee, "attr", ""), [])
        parts = [call.args[place] if place is not None else nodes.Const(PART)
                 for place in places if place is None or place < len(call.args)]  # fmt: skip
        names = [getattr(part, "name", "") for part in parts]
        if names and names[0] in source.arguments:
            calls[source.name] = [source.arguments.index(names[0])]
        elif parts and not source.name.startswith("raise_"):
            for words in itertools.product(*(texts(part, assigned) for part in parts)):
                yield "".join(words)
    yield from program_messages(source)


def program_messages(source: Source) -> Iterator[str]:
    """What the steps of a program say: the problems of their guards, and their warnings."""
    for one in source.tree.find_all(nodes.Dict):
        found = {getattr(pair.key, "value", ""): pair.value for pair in one.items}
        for says, beside in (("problem", "expects"), ("text", "if"), ("may_fail", "sql")):
            if found.keys() >= {says, beside}:
                yield from (re.sub(r"{\w+}", PART, text) for text in texts(found[says], {}))


def normal(message: str) -> str:
    """Without names and the way out; parts that touch are one."""
    return re.sub(r"(<[^>]*>)+", PART, message.partition("To fix:")[0]).strip(" .\n")


def strings(node: ast.AST) -> Iterator[str]:
    """What stands in Python code as text: PART for what is put into it."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(v.value) if isinstance(v, ast.Constant) else PART for v in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield re.sub(r"{\w+}", PART, node.value)
    else:
        for child in ast.iter_child_nodes(node):
            yield from strings(child)


def raised() -> dict[str, str]:
    found, calls = {}, dict(CALLS)
    for source in [*sources().values()] * 2:
        found |= dict.fromkeys(map(normal, macro_messages(source, calls)), source.path.name)
    # the interpreter's, which says what a guard says
    found.pop(PART)
    for path in (ROOT / "src").rglob("*.py"):
        for text in strings(ast.parse(path.read_text(encoding="utf-8"))):
            if "\nTo fix: " in text:
                found[normal(text)] = path.name
    return found


def test_every_message_has_its_entry() -> None:
    page = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
    entries, found = set(map(normal, re.findall(r"^\| `([^`]+)` \|", page, re.M))), raised()
    new = "\n".join(f"| `{text}` |  ({found[text]})" for text in sorted(found.keys() - entries))
    assert not new, f"docs/errors.md lacks (put a name in each <>):\n{new}"
    old = "\n".join(sorted(entries - found.keys()))
    assert not old, f"no macro has what docs/errors.md says:\n{old}"
