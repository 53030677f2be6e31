"""tests/reference is an unchanged copy: where its original lies beside the checkout, they agree."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
COPY = ROOT / "tests" / "reference"
ORIGINAL = ROOT.parent / "shared" / "reference"


@pytest.mark.skipif(not ORIGINAL.is_dir(), reason="the original of tests/reference is not here")
@pytest.mark.parametrize("name", sorted(path.name for path in COPY.glob("*.py")))
def test_reference_is_current(name: str) -> None:
    copy, original = COPY / name, ORIGINAL / name
    assert original.is_file(), f"the original has no {name} any more: delete tests/reference/{name}"
    if copy.read_bytes() != original.read_bytes():
        newer = original.stat().st_mtime > copy.stat().st_mtime
        pytest.fail(
            f"the original of tests/reference/{name} is {'newer' if newer else 'different'}: "
            "copy it, unchanged, and let the laws say what it means for the macros"
        )
