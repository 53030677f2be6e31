"""Reads the batch log that a state table keeps in its properties."""

from __future__ import annotations

import json
from typing import Any

from .project import Project


def batch_log(project: Project, model: str) -> dict[str, Any]:
    """`model` may have a schema before its name."""
    return table_log(project, f"{model}__state")


def table_log(project: Project, table: str) -> dict[str, Any]:
    rows = project.sql(f"show tblproperties {table}")
    properties = {row.key: row.value for row in rows}
    count = int(properties["dbt_changelog.log.chunks"])
    text = "".join(properties[f"dbt_changelog.log.{place}"] for place in range(count))
    return json.loads(bytes.fromhex(text))


def changed_log(project: Project, table: str, text: str, other: str) -> str:
    """The log in the properties of a table with another text in it, for a tblproperties clause."""
    rows = project.sql(f"show tblproperties {table}")
    properties = {r.key: r.value for r in rows if r.key.startswith("dbt_changelog.log.")}
    document = bytes.fromhex(properties["dbt_changelog.log.0"]).decode()
    assert text in document
    changed = document.replace(text, other)
    properties["dbt_changelog.log.0"] = changed.encode().hex()
    properties.update(plain_words(json.loads(changed)))
    return ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())


def plain_words(log: dict[str, Any]) -> dict[str, str]:
    """What stands in plain text beside a log: a run sees by it whether another one came first."""
    under_way = log.get("planned") or log
    run, batch = under_way.get("run"), under_way["batch"]["id"]
    words = {"dbt_changelog.run": f"{run} {batch}"} if run else {}
    return words | {"dbt_changelog.batch": str(log["batch"]["id"])}
