"""Check that this machine can run `make setup`, and say what to do where it can not.

Standard library and old syntax only: it must run on the Pythons that it refuses.
"""

from __future__ import print_function

import os
import re
import subprocess
import sys

PYTHONS = ("3.10", "3.11", "3.12", "3.13")
JAVAS = ("17", "21")


def fail(what, problem, fix):
    """Stop set-up: what is wrong with which value, which are valid, what to do."""
    sys.exit("Invalid %s for make setup: %s.\nTo fix: %s." % (what, problem, fix))


def check_python():
    found = "%d.%d" % sys.version_info[:2]
    if found not in PYTHONS:
        fail(
            "Python",
            "%s is Python %s, valid are %s" % (sys.executable, found, ", ".join(PYTHONS)),
            "install one of these and name it: make PYTHON=python3.11 setup",
        )


def check_venv():
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        version = "%d.%d" % sys.version_info[:2]
        fail(
            "Python",
            "%s has no working venv module (%s), valid is a Python with venv and ensurepip"
            % (sys.executable, error),
            "install it (on Debian and Ubuntu: apt-get install python%s-venv), "
            "or name another Python: make PYTHON=python3.11 setup" % version,
        )


def check_java():
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else "java"
    where = "JAVA_HOME is %s" % home if home else "JAVA_HOME is not set"
    valid = "valid are Java " + " and ".join(JAVAS)
    fix = "install Java 17 (on Debian and Ubuntu: apt-get install openjdk-17-jre-headless), "
    fix += "or set JAVA_HOME to the folder of one"
    try:
        command = subprocess.Popen(
            [java, "-version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        output = command.communicate()[0].decode("utf-8", "replace")
    except OSError:
        place = java if home else "java on PATH"
        fail("Java", "there is no %s and %s, %s" % (place, where, valid), fix)
    version = re.search(r'version "((?:1\.)?(\d+)[^"]*)"', output)
    if command.returncode or not version:
        problem = "%s -version says %r and %s, %s" % (java, output.strip()[:200], where, valid)
        fail("Java", problem, fix)
    if version.group(2) not in JAVAS:
        fail("Java", "%s is Java %s and %s, %s" % (java, version.group(1), where, valid), fix)


if __name__ == "__main__":
    check_python()
    check_venv()
    check_java()
