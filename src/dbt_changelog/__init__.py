"""The Python half of the dbt package dbt_changelog: changelogs on Apache Spark."""

__version__ = "0.1.0"
