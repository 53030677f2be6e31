"""make dbt-1.12: the integration project, its stream too, with dbt-core 1.12 in a session.

dbt-core 1.12 stands in an environment of its own, .work/dbt-1.12/venv, without the parser in Rust
that it requires and does not use unless --use-v2-parser asks for it. The packages that are not
dbt's are those of .venv, by links. All that is written lies in .work/dbt-1.12.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import distribution
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / ".work" / "dbt-1.12"
VENV, SHARED = WORK / "venv", WORK / "shared"
PYTHON, READY, LOCK = VENV / "bin" / "python", VENV / "ready", ROOT / "requirements.lock"
DBT_CORE = "dbt-core==1.12.6"
LEFT_OUT = ("dbt-core", "dbt-core-experimental-parser")
OURS = re.compile(r"dbt|__editable__|_distutils_hack|distutils-precedence|pip\b")


def fail(what: str, problem: str, fix: str) -> NoReturn:
    sys.exit(f"Invalid {what} for make dbt-1.12: {problem}.\nTo fix: {fix}.")


def pip(*arguments: str) -> None:
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", *arguments]
    if subprocess.run(command).returncode:
        fail(
            "package registry",
            "pip could not install what dbt-core 1.12 requires, see above",
            "check the network, or point pip at your registry with PIP_INDEX_URL or pip.conf",
        )


def requirements(name: str) -> list[str]:
    """What a distribution of the environment requires, but for extras and what is left out."""
    code = f"import importlib.metadata as m; print(*m.requires({name!r}), sep='\\n')"
    found = subprocess.run([str(PYTHON), "-c", code], check=True, capture_output=True, text=True)
    return [line for line in found.stdout.splitlines() if is_wanted(line)]


def is_wanted(requirement: str) -> bool:
    """Neither of an extra, nor the parser, nor dbt-core itself, which is there."""
    name = re.match(r"[\w.-]+", requirement)
    return "extra ==" not in requirement and name is not None and name[0] not in LEFT_OUT


def wanted_state() -> str:
    return f"{DBT_CORE}\n{LOCK.read_text()}"


def make_venv() -> None:
    """The environment: first links to what .venv has, then what pip adds."""
    shutil.rmtree(VENV, ignore_errors=True)
    shutil.rmtree(SHARED, ignore_errors=True)
    SHARED.mkdir(parents=True)
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not OURS.match(entry.name) and entry.suffix != ".pth":
            (SHARED / entry.name).symlink_to(entry)
    venv.create(VENV, with_pip=True, symlinks=True)
    (packages,) = VENV.glob("lib/python3*/site-packages")
    # dbt finds the plugin of this package by its name, on the path
    (packages / "shared.pth").write_text(f"{SHARED}\n{ROOT / 'src'}\n")
    pip("--no-deps", DBT_CORE, f"dbt-spark=={distribution('dbt-spark').version}")
    # what .venv has stays as it is, if dbt-core 1.12 takes it
    versions = WORK / "constraints.txt"
    lines = LOCK.read_text().splitlines()
    versions.write_text("\n".join(line for line in lines if not line.startswith("dbt-core==")))
    wanted = {line for name in ("dbt-core", "dbt-spark") for line in requirements(name)}
    pip("--constraint", str(versions), *sorted(wanted))
    READY.write_text(wanted_state())


def main() -> None:
    if not list((ROOT / ".work" / "jars").glob("*.jar")):
        fail("set-up", "there are no jars in .work/jars", "run make setup")
    if not READY.is_file() or READY.read_text() != wanted_state():
        print(f"Making an environment with {DBT_CORE} in .work/dbt-1.12 ...", flush=True)
        print(f"pip will miss {LEFT_OUT[1]}, which is left out", flush=True)
        make_venv()
    work = WORK / "run"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    (work / "jars").symlink_to("../../jars")
    script = Path(__file__).with_name("whole_project.py")
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    command = [str(PYTHON), str(script), "dev", str(work)]
    sys.exit(subprocess.run(command, env=environment).returncode)


if __name__ == "__main__":
    main()
