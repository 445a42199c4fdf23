"""Whether the tests notice faults: `python -m tests.mutants.run [NAME...]`; no part of the suite.

Each mutant changes one text of one module in a copy of the tree, and the tests that it names must
fail then. It is told what survived, and what is stale: a text that is not found any more, or not
once, or a test that fails without the change. Each of them makes the exit code 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests.mutants.mutant import Mutant
from tests.mutants.mutants import MUTANTS

ROOT: Final = Path(__file__).parents[2]
LEFT_OUT: Final = (".git", ".venv*", ".tools", ".*_cache", ".hypothesis", "__pycache__", "dist")
PROCESSES: Final = 2
SECONDS: Final = 600
"""For one run of tests: a mutant may well make one hang, which is noticed, too."""

FAILED: Final = 1
"""What pytest ends with where a test has failed; more is an error of another kind."""


class Tree:
    """A copy of the tree, in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(*LEFT_OUT))
        # Compiled modules are known by size and second of writing: a run of tests takes longer.
        self._environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self._sound: dict[tuple[str, ...], bool] = {}

    def tests(self, *names: str) -> int:
        """The exit code of pytest for these tests; that of failed ones if they take too long."""
        words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *names]
        try:
            return subprocess.run(
                words,
                cwd=self.root,
                env=self._environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=SECONDS,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return FAILED

    def is_sound(self, *names: str) -> bool:
        """Whether these tests pass as long as nothing is changed: else they kill nothing."""
        if names not in self._sound:
            self._sound[names] = self.tests(*names) == 0
        return self._sound[names]

    def verdict(self, mutant: Mutant) -> str:
        """What becomes of a mutant: killed, survived, or why it says nothing."""
        path = self.root / mutant.file
        if not path.is_file():
            return f"STALE: there is no {mutant.file}"
        text = path.read_text(encoding="utf-8")
        if (times := text.count(mutant.old)) != 1:
            return f"STALE: its text stands {times} times in {mutant.file}"
        if not self.is_sound(*mutant.tests):
            return f"STALE: without it {' '.join(mutant.tests)} fail"
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        try:
            match self.tests(*mutant.tests):
                case 0:
                    return "SURVIVED"
                case code if code == FAILED:
                    return "killed"
                case code:
                    return f"STALE: pytest ends with {code} for {' '.join(mutant.tests)}"
        finally:
            path.write_text(text, encoding="utf-8")


def tell(name: str, verdict: str) -> None:
    """One line for one mutant, at once."""
    sys.stdout.write(f"{name:32} {verdict}\n")
    sys.stdout.flush()


def try_all(folder: Path, mutants: list[Mutant]) -> list[str]:
    """The verdict of each of some mutants, in one copy of the tree."""
    tree, verdicts = Tree(folder), []
    for mutant in mutants:
        verdicts.append(tree.verdict(mutant))
        tell(mutant.name, verdicts[-1])
    return verdicts


def chosen(names: list[str]) -> list[Mutant]:
    """The mutants of these names, or all."""
    unknown = set(names) - {mutant.name for mutant in MUTANTS}
    if unknown:
        sys.exit(f"there is no mutant called {', '.join(sorted(unknown))}")
    return [mutant for mutant in MUTANTS if not names or mutant.name in names]


def main() -> None:
    """Try those that are asked for, in two copies side by side."""
    mutants = chosen(sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="pbem-mutants-") as folder:
        folders = [Path(folder) / str(number) for number in range(PROCESSES)]
        for one in folders:
            one.mkdir()
        # Those that share their tests are tried in one copy, where these pass once unchanged.
        tests = list(dict.fromkeys(mutant.tests for mutant in mutants))
        shares: list[list[Mutant]] = [[] for _ in folders]
        for mutant in mutants:
            shares[tests.index(mutant.tests) % PROCESSES].append(mutant)
        with ThreadPoolExecutor(PROCESSES) as pool:
            verdicts = [one for many in pool.map(try_all, folders, shares) for one in many]
    found = Counter(verdict.partition(":")[0] for verdict in verdicts)
    told = ", ".join(f"{number} {what}" for what, number in sorted(found.items()))
    sys.stdout.write(f"{told}\n")
    sys.exit(0 if set(found) == {"killed"} else 1)


if __name__ == "__main__":
    main()
