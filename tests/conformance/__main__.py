"""make conformance CASES=folder: run the cases, print what fails, exit 1 when something does."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.spark import WORK

from .cases import read_cases
from .runner import CASES, run_cases
from .session import spark_session


def main() -> int:
    parser = argparse.ArgumentParser(prog="make conformance", description=__doc__)
    parser.add_argument("--cases", type=Path, nargs="?", const=CASES, default=CASES)
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="as make test runs them")
    parser.add_argument("--format", choices=["delta", "iceberg"], default="delta")
    given = parser.parse_args()
    cases = [case for case in read_cases(given.cases) if given.only in case.name]
    if not cases:
        print(f"Invalid CASES for make conformance: there is no case in {given.cases}.")
        print("To fix: name a folder with case files, or leave it out.")
        return 2
    root = WORK / "conformance"
    with spark_session() as spark:
        report = run_cases(
            *(cases, spark, root, "conformance", given.threads, given.quick),
            progress=_progress,
            file_format=given.format,
        )
    report.write(root / "target" / "conformance.jsonl")
    for line in report.lines():
        print(line)
    return 1 if report.count("failed") else 0


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
