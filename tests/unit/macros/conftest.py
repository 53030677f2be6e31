"""Fixtures of the tests of macros."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from .plans import WHERE
from .render import CompilerError, Macros


@pytest.fixture(scope="session")
def macros() -> Macros:
    """The macros, without a warehouse: whatever asks one fails."""
    return Macros()


@pytest.fixture(scope="session")
def invalid() -> Callable[[str, str], AbstractContextManager[Any]]:
    """with invalid('argument', 'words'): what is in it must be refused, in the form of errors."""

    @contextmanager
    def expect(argument: str, words: str = ""):
        with pytest.raises(CompilerError) as caught:
            yield
        problem, _, fix = str(caught.value).partition("\nTo fix: ")
        assert problem.startswith(f"Invalid '{argument}' in {WHERE}: "), problem
        assert words in problem, problem
        assert problem.endswith(".") and not problem.endswith(".."), problem
        assert fix.endswith(".") and "\n" not in fix, fix

    return expect
