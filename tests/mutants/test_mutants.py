"""No mutant is stale: the text that it changes stands where it says, once, and its tests are there.

Whether the tests notice it is tried by `python -m tests.mutants.run`.
"""

from __future__ import annotations

from tests.mutants.mutants import MUTANTS
from tests.mutants.run import ROOT


def test_no_mutant_is_stale() -> None:
    stale = []
    for mutant in MUTANTS:
        path = ROOT / mutant.file
        times = path.read_text(encoding="utf-8").count(mutant.old) if path.is_file() else 0
        if times != 1 or not all((ROOT / name.split("::")[0]).exists() for name in mutant.tests):
            stale.append(f"{mutant.name}: its text stands {times} times in {mutant.file}")
    assert stale == []
