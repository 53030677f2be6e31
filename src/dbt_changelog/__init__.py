"""The Python half of the dbt package dbt_changelog: changelogs on Apache Spark."""

from dbt_changelog._plugin import ChangelogPlugin

__version__ = "0.1.0"

# dbt looks for this name in every module whose name begins with dbt_
plugins = [ChangelogPlugin]
