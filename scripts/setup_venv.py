"""Make .venv with the versions of requirements.lock and with this project, importable from src/."""

import subprocess
import sys
import venv
from pathlib import Path

from check_machine import fail

ROOT = Path(__file__).resolve().parent.parent
VENV_PYTHON = ROOT / ".venv" / "bin" / "python"


def pip_install(*args: str) -> None:
    command = [str(VENV_PYTHON), "-m", "pip", "install", "--quiet", *args]
    result = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    sys.stderr.write(result.stderr)
    if result.returncode:
        errors = [line for line in result.stderr.splitlines() if line.startswith("ERROR:")]
        said = errors[-1] if errors else f"exit status {result.returncode}"
        fail(
            "package registry",
            f"pip could not install {' '.join(args)} and says '{said}', "
            "valid is any registry that has the versions of requirements.lock",
            "check the network, or point pip at your registry with PIP_INDEX_URL or pip.conf, "
            "and run make setup again",
        )


if __name__ == "__main__":
    # pip comes last into a new .venv, so one that was cut short is made again.
    if not VENV_PYTHON.with_name("pip").exists():
        print("Making .venv ...", flush=True)
        venv.create(ROOT / ".venv", with_pip=True)
    print("Installing requirements.lock into .venv ...", flush=True)
    pip_install("--requirement", "requirements.lock")
    # No build isolation: setuptools is in the lock, so nothing more is fetched.
    pip_install("--no-build-isolation", "--no-deps", "--editable", ".")
