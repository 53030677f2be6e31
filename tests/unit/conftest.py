"""Shared by the tests that need no Spark."""

from __future__ import annotations

from pathlib import Path

import hypothesis.configuration
import pytest

ROOT = Path(__file__).resolve().parents[2]
hypothesis.configuration.set_hypothesis_home_dir(ROOT / ".work" / "hypothesis")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-goldens",
        action="store_true",
        help="write tests/unit/golden anew from the macros instead of comparing with it",
    )
