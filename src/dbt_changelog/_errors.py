"""An error of Spark, Delta or Iceberg as the message that helps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

# Spark's raise_error: the words are ours. Delta hides them in 32,000 characters of plan; a Thrift
# server puts the name of the class between two of these.
OURS = re.compile(
    r"\[USER_RAISED_EXCEPTION\] (?:\S+: \[USER_RAISED_EXCEPTION\] )?(.*?)(?: SQLSTATE: P0001|\Z)",
    re.DOTALL,
)
HEADING = re.compile(r"(?:Runtime|Database) Error(?: in .*)?")
OTHER_RUN = re.compile(
    r"DELTA_METADATA_CHANGED|DELTA_PROTOCOL_CHANGED|DELTA_CONCURRENT_\w+"
    r"|MetadataChangedException|ProtocolChangedException|Concurrent\w+Exception"
    r"|TABLE_OR_VIEW_ALREADY_EXISTS|DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION"
    # Iceberg: two that commit at once; rows or files that a MERGE read and another one changed
    r"|CommitFailedException|AlreadyExistsException|Found (?:new )?conflicting [\w ]*files"
    r"|Missing required files to delete"
)
# what changes() reads of a table: vacuum deletes files that the log of the table still names
VERSIONS = re.compile(
    r'range \{"relation": "([^"]+)".*?(?:table_changes\(| version as of )', re.DOTALL
)
GONE = re.compile(r"FILE_NOT_EXIST|FileNotFoundException|DELTA_CHANGE_DATA_FEED_INCOMPATIBLE\w+")
# the tables that a statement of ours writes; a log is the one that has columns listed after it
TABLE = re.compile(r"\b(?:table|into) (\S+__(?:state(?:_\d+_\w{8})?|changes)\b|\S+(?= \(\n  `))")
# what names the table in a statement, what its error says, and what to tell
KNOWN = [
    (
        VERSIONS,
        GONE,
        "The table {table} no longer has all that this run reads ({reason}): it was vacuumed, or "
        "its columns changed. Nothing was written.\n"
        "To fix: run this model with --full-refresh: it appends the difference as one batch, and "
        "goes on from there; then run it more often than the table forgets its changes.",
    ),
    (
        TABLE,
        re.compile(r"DELTA_TABLE_LOCATION_MISMATCH"),
        "Invalid 'location_root': {table} lies elsewhere ({reason}), and no statement moves a "
        "table that is there. Nothing was written.\n"
        "To fix: set it back; or rename the tables of the model, and run again: it begins anew.",
    ),
    (
        TABLE,
        OTHER_RUN,
        "Another run wrote {table} while this one did ({reason}). Nothing is lost: this run wrote "
        "nothing, and the next one reads its range again.\n"
        "To fix: run the model again; let one run of it end before the next begins.",
    ),
]


def explain(error: BaseException, sql: str) -> str | None:
    """What to tell the user of an error that `sql` got; None: it says enough, or is not ours."""
    for text in _texts(error):
        if ours := OURS.search(text):
            return ours[1]
        for statement, words, message in KNOWN:
            if (table := statement.search(sql)) and (reason := words.search(text)):
                return message.format(table=table[1], reason=reason[0])
    return None


def first_line(message: str) -> str:
    """What an error says, without dbt's heading, and the plan and the trace below it."""
    lines = (line.strip() for line in message.splitlines())
    line = next((line for line in lines if line and not HEADING.fullmatch(line)), "no reason given")
    return line.rstrip(".;") if len(line) <= 300 else line[:300] + " .."


def _texts(error: BaseException) -> Iterator[str]:
    """The messages of an error and of what caused it, in Python and in the JVM."""
    cause: BaseException | None = error
    while cause is not None:
        # pyspark asks the JVM for the text, and that fails for some of Delta's classes
        with suppress(Exception):
            # dbt's errors indent their text
            yield getattr(cause, "msg", None) or str(cause)
        java = getattr(cause, "_origin", None) or getattr(cause, "java_exception", None)
        while java is not None:
            yield java.toString()
            java = java.getCause()
        cause = cause.__cause__
