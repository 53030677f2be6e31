"""Python models in the session of this process: dbt-spark itself sends them to Databricks only."""

from __future__ import annotations

import linecache
from typing import Any

from dbt.adapters.base.impl import PythonJobHelper
from dbt_common.exceptions import DbtRuntimeError

from dbt_changelog._session import current_session, view_of


class SessionJob(PythonJobHelper):
    """Runs what dbt made of a Python model, and the lines that write its table."""

    def __init__(self, parsed_model: dict[str, Any], credential: Any) -> None:
        self._name = str(parsed_model["unique_id"])

    def submit(self, compiled_code: str) -> Any:
        run_code(self._name, compiled_code)


def frame_view(name: str, compiled_code: str) -> str:
    """Run a Python model; its frame, streaming or not, by the name of a view of its own."""
    scope = run_code(name, compiled_code)
    session = scope["spark"]
    frame = scope["model"](scope["dbtObj"](session.table), session)
    if hasattr(frame, "to_spark"):
        frame = frame.to_spark()
    elif not hasattr(frame, "createOrReplaceGlobalTempView"):
        try:
            frame = session.createDataFrame(frame)
        except Exception as error:
            raise DbtRuntimeError(
                f"Invalid result of {name}: it returns {type(frame).__name__}, and a model returns "
                "a DataFrame of Spark or pandas.\nTo fix: return one."
            ) from error
    return view_of(frame, name)


def run_code(name: str, code: str) -> dict[str, Any]:
    """The names that the code of a model defines; its errors show its lines."""
    file = f"<{name}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"spark": current_session(), "__name__": name}
    exec(compile(code, file, "exec"), scope)
    return scope
