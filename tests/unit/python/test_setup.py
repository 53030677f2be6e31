"""Every way in which set-up stops says what is wrong and what to do. No network, no session."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NO_REGISTRY = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0"}
NO_REPOSITORY = """<ivysettings>
  <settings defaultResolver="empty"/>
  <resolvers>
    <filesystem name="empty"><artifact pattern="{folder}/[artifact].jar"/></filesystem>
  </resolvers>
</ivysettings>
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout without .venv and .work."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "spark-packages.txt"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def executable(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def error_of(*command: object, **environment: str) -> str:
    """Run a command that must fail, and return what it says."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "JAVA_"))}
    result = subprocess.run(
        [str(word) for word in command], env=kept | environment, capture_output=True, text=True
    )
    assert result.returncode != 0, result.stdout
    assert "Traceback" not in result.stderr
    return result.stderr


def check_machine(checkout: Path, **environment: str) -> str:
    return error_of(sys.executable, checkout / "scripts" / "check_machine.py", **environment)


def test_this_machine_passes(checkout: Path) -> None:
    script = str(checkout / "scripts" / "check_machine.py")
    assert subprocess.run([sys.executable, script]).returncode == 0


def test_no_such_python(checkout: Path) -> None:
    said = error_of("make", "-C", checkout, "PYTHON=no-such-python", "setup")
    assert said.startswith(
        "Invalid PYTHON for make setup: there is no command 'no-such-python', "
        "valid are Python 3.10 to 3.13.\n"
        "To fix: install one of these and name it: make PYTHON=python3.11 setup.\n"
    )


@pytest.mark.parametrize("version", [(2, 7), (3, 9), (3, 14)])
def test_wrong_python(checkout: Path, version: tuple[int, int]) -> None:
    script = checkout / "scripts" / "check_machine.py"
    code = f"import sys, runpy; sys.version_info = {version}; runpy.run_path({str(script)!r}"
    said = error_of(sys.executable, "-c", f"{code}, run_name='__main__')")
    assert said == (
        f"Invalid Python for make setup: {sys.executable} is Python {version[0]}.{version[1]}, "
        "valid are 3.10, 3.11, 3.12, 3.13.\n"
        "To fix: install one of these and name it: make PYTHON=python3.11 setup.\n"
    )


def test_no_venv_module(checkout: Path) -> None:
    (checkout / "ensurepip.py").write_text("raise ImportError(\"No module named 'ensurepip'\")")
    said = check_machine(checkout, PYTHONPATH=str(checkout))
    assert "has no working venv module (No module named 'ensurepip')" in said
    assert "-venv), or name another Python: make PYTHON=python3.11 setup.\n" in said


def test_no_java_on_path(checkout: Path) -> None:
    assert check_machine(checkout, PATH=str(checkout)) == (
        "Invalid Java for make setup: there is no java on PATH and JAVA_HOME is not set, "
        "valid are Java 17 and 21.\n"
        "To fix: install Java 17 (on Debian and Ubuntu: apt-get install openjdk-17-jre-headless), "
        "or set JAVA_HOME to the folder of one.\n"
    )


def test_no_java_in_java_home(checkout: Path) -> None:
    said = check_machine(checkout, JAVA_HOME=str(checkout))
    assert f"there is no {checkout}/bin/java and JAVA_HOME is {checkout}, valid are" in said


@pytest.mark.parametrize("version", ["1.8.0_392", "11.0.2", "25.0.1"])
def test_wrong_java(checkout: Path, version: str) -> None:
    executable(checkout / "bin" / "java", f"echo 'openjdk version \"{version}\"' >&2")
    said = check_machine(checkout, PATH=f"{checkout}/bin")
    assert f"java is Java {version} and JAVA_HOME is not set, valid are Java 17 and 21.\n" in said
    said = check_machine(checkout, JAVA_HOME=str(checkout))
    assert f"{checkout}/bin/java is Java {version} and JAVA_HOME is {checkout}, valid" in said


@pytest.mark.parametrize("version", ["17.0.15", "21", "21-ea"])
def test_valid_java(checkout: Path, version: str) -> None:
    executable(checkout / "bin" / "java", f"echo 'openjdk version \"{version}\"' >&2")
    script = str(checkout / "scripts" / "check_machine.py")
    environment = os.environ | {"JAVA_HOME": str(checkout)}
    assert subprocess.run([sys.executable, script], env=environment).returncode == 0


def test_java_that_does_not_start(checkout: Path) -> None:
    executable(checkout / "bin" / "java", "echo Unable to locate a Java Runtime; exit 1")
    said = check_machine(checkout, JAVA_HOME=str(checkout))
    assert "bin/java -version says 'Unable to locate a Java Runtime' and" in said


def test_registry_out_of_reach(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text("no-such-package-of-dbt-changelog==1.0\n")
    executable(checkout / ".venv" / "bin" / "python", f'exec {sys.executable} "$@"')
    executable(checkout / ".venv" / "bin" / "pip", "exit 1")
    said = error_of(sys.executable, checkout / "scripts" / "setup_venv.py", **NO_REGISTRY)
    assert (
        "Invalid package registry for make setup: pip could not install --requirement "
        "requirements.lock and says 'ERROR: No matching distribution found for "
        "no-such-package-of-dbt-changelog==1.0', valid is any registry that has the versions of "
        "requirements.lock.\n"
        "To fix: check the network, or point pip at your registry with PIP_INDEX_URL or pip.conf, "
        "and run make setup again.\n"
    ) in said


def test_unknown_ivy_settings(checkout: Path) -> None:
    script = checkout / "scripts" / "setup_jars.py"
    assert error_of(sys.executable, script, DBT_CHANGELOG_IVY_SETTINGS="no/such.xml") == (
        "Invalid DBT_CHANGELOG_IVY_SETTINGS for make setup: 'no/such.xml' is not a file, "
        "valid is the path of an ivysettings.xml.\n"
        "To fix: correct it, or unset DBT_CHANGELOG_IVY_SETTINGS to use Spark's own repositories.\n"
    )


def test_jars_that_no_repository_has(checkout: Path) -> None:
    settings = checkout / "ivysettings.xml"
    settings.write_text(NO_REPOSITORY.format(folder=checkout))
    (checkout / "spark-packages.txt").write_text("# One.\nio.delta:no-such-jar:1.0\n")
    script = checkout / "scripts" / "setup_jars.py"
    said = error_of(sys.executable, script, DBT_CHANGELOG_IVY_SETTINGS=str(settings))
    assert said == (
        "Invalid Spark packages for make setup: Spark's Ivy could not resolve "
        "io.delta#no-such-jar;1.0 (.work/ivy.log has its words), valid are packages that the "
        "repositories in use have.\n"
        "To fix: check the network, or name your own repository: DEFAULT_ARTIFACT_REPOSITORY="
        "<address of a Maven repository> or DBT_CHANGELOG_IVY_SETTINGS=<path of an "
        "ivysettings.xml>, and run make setup again.\n"
    )
    assert not (checkout / ".work" / "jars").exists()


def test_jars_of_kafka_that_no_repository_has(checkout: Path) -> None:
    settings = checkout / "ivysettings.xml"
    settings.write_text(NO_REPOSITORY.format(folder=checkout))
    script = checkout / "scripts" / "setup_kafka.py"
    said = error_of(sys.executable, script, DBT_CHANGELOG_IVY_SETTINGS=str(settings))
    assert "could not resolve org.apache.spark#spark-sql-kafka-0-10_2.13;" in said
    assert said.endswith("and run make kafka again.\n")


def test_jars_are_resolved_once(checkout: Path) -> None:
    """A second run with the same list does nothing: it would fail, since there is no Java."""
    record = checkout / ".work" / "jars" / "resolved.txt"
    record.parent.mkdir(parents=True)
    record.write_text(f"pyspark {version('pyspark')}\nio.delta:delta-spark_4.1_2.13:4.4.0\n")
    script = checkout / "scripts" / "setup_jars.py"
    (checkout / "spark-packages.txt").write_text("io.delta:delta-spark_4.1_2.13:4.4.0\n")
    environment = os.environ | {"PATH": str(checkout)}
    assert subprocess.run([sys.executable, str(script)], env=environment).returncode == 0


def test_pip_install_leaves_nothing_in_the_checkout(tmp_path: Path) -> None:
    names = ("*.egg-info", "build", ".git", ".venv", ".work", "dbt_packages", "__pycache__")
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*names))
    before = {path.relative_to(folder) for path in folder.rglob("*")}

    def run(*command: str) -> None:
        subprocess.run((sys.executable, *command), cwd=folder, check=True, capture_output=True)

    pip = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation")
    run(*pip, "--no-index", "--target", str(tmp_path / "installed"), ".")
    assert (tmp_path / "installed/dbt_changelog/__init__.py").exists()
    # as pip does for --editable
    build = "from setuptools.build_meta import build_editable; build_editable('../wheels')"
    run("-c", build)
    assert list((tmp_path / "wheels").glob("*.whl"))
    assert {path.relative_to(folder) for path in folder.rglob("*")} - before == set()


def test_what_the_docs_install_can_be_installed() -> None:
    """Nothing of this package is in a registry: each command names the checkout."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = re.findall(r"^(\w+) = \[", re.split(r"^\[", project, flags=re.M)[3], re.M)
    assert "session" in extras
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    commands = [
        found
        for page in pages
        for found in re.findall(r"`pip install ([^`]+)`", page.read_text(encoding="utf-8"))
    ]
    assert len(commands) > 3
    for command in commands:
        (extra,) = re.fullmatch(r"'?\.\./dbt_changelog(?:\[(\w+)\])?'?", command).groups()
        assert extra is None or extra in extras, command


def test_the_docs_name_the_connector_of_the_kafka_test() -> None:
    (connector,) = runpy.run_path(str(ROOT / "scripts" / "setup_kafka.py"))["CONNECTOR"]
    page = ROOT / "docs" / "reference" / "changelog_stream.md"
    assert connector in page.read_text(encoding="utf-8")


def test_the_readme_names_the_jars_of_the_tests() -> None:
    coordinates = re.findall(
        r"^(io\.delta|org\.apache\.iceberg)(:\S+)$", (ROOT / "spark-packages.txt").read_text(), re.M
    )
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(coordinates) == 2
    assert all("".join(found) in text for found in coordinates)
