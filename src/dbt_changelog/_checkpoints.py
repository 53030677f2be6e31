"""The folder that has the checkpoints of a model, and what lies beside them."""

from __future__ import annotations

import re
from typing import Any


class Folder:
    """A folder of any file system that Spark knows."""

    def __init__(self, session: Any, location: str) -> None:
        self._paths = session._jvm.org.apache.hadoop.fs.Path
        self._io = session._jvm.org.apache.commons.io.IOUtils
        self._root = location
        conf = session._jsparkSession.sessionState().newHadoopConf()
        self._files = self._paths(location).getFileSystem(conf)

    def path(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root

    def names(self, name: str) -> list[str]:
        path = self._paths(self.path(name))
        if not self._files.exists(path):
            return []
        names = (found.getPath().getName() for found in self._files.listStatus(path))
        return sorted(name for name in names if not name.startswith("."))

    def checkpoints(self) -> list[str]:
        """Those that this package made, by their names, and nothing else that may lie here."""
        return [name for name in self.names("") if re.fullmatch("[0-9a-f]{8}", name)]

    def last_number(self, name: str) -> int:
        return max((int(found) for found in self.names(name) if found.isdigit()), default=-1)

    def read(self, name: str) -> str | None:
        """The text of a file, None if there is none; '' of one that is not wholly written.

        A process that was killed between a file and its checksum leaves such a one for good.
        """
        path = self._paths(self.path(name))
        try:
            stream = self._files.open(path)
        except Exception:
            if self._files.exists(path):
                raise
            return None
        try:
            text: str = self._io.toString(stream, "UTF-8")
            return text
        except Exception as error:
            cause = getattr(error, "java_exception", None)
            if cause is None or cause.getClass().getSimpleName() != "ChecksumException":
                raise
            return ""
        finally:
            stream.close()

    def write(self, name: str, text: str) -> None:
        stream = self._files.create(self._paths(self.path(name)), True)
        try:
            stream.write(bytearray(text, "utf-8"))
        finally:
            stream.close()

    def remove(self, name: str) -> None:
        self._files.delete(self._paths(self.path(name)), True)


class Passed:
    """Which micro-batches had no rows, so that the state has nothing of them.

    A file without contents, whose name says it: {the last one that the state has}_{the last one
    after it that is passed}. Such a file is never half written.
    """

    def __init__(self, folder: Folder, checkpoint: str) -> None:
        self._folder, self._root = folder, f"{checkpoint}/passed"

    def found(self) -> dict[str, int]:
        pairs = sorted(tuple(map(int, name.split("_"))) for name in self._folder.names(self._root))
        return {str(after): to for after, to in pairs}

    def note(self, after: str, to: int) -> None:
        before = self._folder.names(self._root)
        self._folder.write(f"{self._root}/{after}_{to}", "")
        for name in before:
            self._folder.remove(f"{self._root}/{name}")
