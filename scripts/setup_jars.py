"""Resolve the packages of spark-packages.txt once, with Spark's own Ivy, into .work/jars.

Sessions then start with spark.jars instead of spark.jars.packages: faster and silent.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from check_machine import check_java, fail

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "spark-packages.txt"
WORK = ROOT / ".work"
JARS, IVY, LOG = WORK / "jars", WORK / "ivy", WORK / "ivy.log"
SETTINGS_VARIABLE = "DBT_CHANGELOG_IVY_SETTINGS"


def wanted_packages() -> list[str]:
    lines = (line.strip() for line in PACKAGES.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def spark_home() -> Path:
    spark = find_spec("pyspark")
    assert spark and spark.origin
    return Path(spark.origin).parent


def shipped_artifacts() -> list[str]:
    """The jars pyspark has itself: first on the class path anyway, so not fetched a second time."""
    jars = (spark_home() / "jars").glob("*.jar")
    return sorted({re.sub(r"-\d.*$", "", jar.stem) for jar in jars})


def ivy_settings() -> list[str]:
    path = os.environ.get(SETTINGS_VARIABLE)
    if not path:
        return []
    if not Path(path).is_file():
        fail(
            SETTINGS_VARIABLE,
            f"'{path}' is not a file, valid is the path of an ivysettings.xml",
            f"correct it, or unset {SETTINGS_VARIABLE} to use Spark's own repositories",
        )
    return ["--conf", f"spark.jars.ivySettings={path}"]


def resolve(packages: Sequence[str], without: Sequence[str], target: str) -> None:
    """Run Ivy by submitting a class that only prints a version: no session, one process."""
    excludes = ",".join(f"*:{artifact}" for artifact in without)
    command = [str(spark_home() / "bin" / "spark-submit"), "--packages", ",".join(packages)]
    command += ["--conf", f"spark.jars.ivy={IVY}"]
    command += ["--conf", f"spark.jars.excludes={excludes}"] if excludes else []
    command += [*ivy_settings(), "--driver-java-options", "-XX:TieredStopAtLevel=1"]
    command += ["--class", "org.apache.hadoop.util.VersionInfo", "spark-internal"]
    WORK.mkdir(exist_ok=True)
    with LOG.open("w") as log:
        environment = os.environ | {"SPARK_HOME": str(spark_home())}
        result = subprocess.run(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    if result.returncode:
        said = LOG.read_text(errors="replace")
        missing = set(re.findall(r"(?:unresolved dependency|download failed): ([^\s:!]+)", said))
        fail(
            "Spark packages",
            f"Spark's Ivy could not resolve {', '.join(sorted(missing) or packages)} "
            "(.work/ivy.log has its words), valid are packages that the repositories in use have",
            "check the network, or name your own repository: DEFAULT_ARTIFACT_REPOSITORY=<address "
            f"of a Maven repository> or {SETTINGS_VARIABLE}=<path of an ivysettings.xml>, "
            f"and run {target} again",
        )


def fetch(
    packages: Sequence[str], folder: Path, without: Sequence[str], target: str = "make setup"
) -> None:
    """The jars of these packages into a folder, unless it has them; none of the artifacts in
    `without`."""
    record = folder / "resolved.txt"
    state = "\n".join([f"pyspark {version('pyspark')}", *packages, ""])
    if not (record.is_file() and record.read_text() == state):
        check_java()
        print(f"Resolving into {folder.relative_to(ROOT)}: {', '.join(packages)} ...", flush=True)
        shutil.rmtree(IVY, ignore_errors=True)
        resolve(packages, without, target)
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(exist_ok=True)
        (IVY / "jars").rename(folder)
        shutil.rmtree(IVY)
        record.write_text(state)
    record.touch()


if __name__ == "__main__":
    fetch(wanted_packages(), JARS, shipped_artifacts())
