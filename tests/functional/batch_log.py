"""Reads the batch log that a state table keeps in its properties."""

from __future__ import annotations

import json
from typing import Any

from .project import Project


def batch_log(project: Project, model: str) -> dict[str, Any]:
    """`model` may have a schema before its name."""
    rows = project.sql(f"show tblproperties {model}__state")
    properties = {row.key: row.value for row in rows}
    count = int(properties["dbt_changelog.log.chunks"])
    text = "".join(properties[f"dbt_changelog.log.{place}"] for place in range(count))
    return json.loads(bytes.fromhex(text))
