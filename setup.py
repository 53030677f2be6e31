"""What setuptools writes while it builds goes into a folder of its own, not into the checkout."""

import atexit
import shutil
from tempfile import mkdtemp

from setuptools import setup

FOLDER = mkdtemp(prefix="dbt-changelog-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
setup(options={"build": {"build_base": FOLDER}, "egg_info": {"egg_base": FOLDER}})
