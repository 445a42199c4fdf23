"""What a build with PBEM_COMPILED=1 gains: `./run bench compiled [--rounds 3]`.

It builds the wheel, and has the best level of each game think in it and in the checkout by turns;
the plays a second are the medians of the rounds. Needs a C compiler.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any
from zipfile import ZipFile

from pbem.games import GAMES

ROOT = Path(__file__).parents[1]


def built(folder: Path) -> Path:
    """A wheel with machine code, unpacked: the folder in which its pbem lies."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    said = subprocess.run(
        [*command, str(folder)],
        cwd=ROOT,
        env={**os.environ, "PBEM_COMPILED": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    if said.returncode:
        raise RuntimeError(said.stdout[-3000:] + said.stderr[-3000:])
    (wheel,) = folder.glob("*.whl")
    with ZipFile(wheel) as files:
        files.extractall(folder / "site")
    return folder / "site"


def thoughts(ruleset: str, where: Path) -> Any:
    """What the pbem of a folder makes of a game: see _thoughts.py."""
    script = ["-P", str(ROOT / "bench" / "_thoughts.py"), ruleset]
    sample = ROOT / "events" / "samples" / f"{ruleset}.jsonl"
    said = subprocess.run(
        [sys.executable, *script, str(sample)],
        env={**os.environ, "PYTHONPATH": str(where)},
        check=True,
        stdout=subprocess.PIPE,
    )
    return json.loads(said.stdout)


def main() -> None:
    """Build, think by turns, and print a line a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_known_args()[0].rounds
    with tempfile.TemporaryDirectory() as folder:
        site = built(Path(folder))
        for ruleset, game in GAMES.items():
            pairs = [(thoughts(ruleset, ROOT), thoughts(ruleset, site)) for _ in range(rounds)]
            plain = median(one["each"] for one, _ in pairs)
            compiled = median(one["each"] for _, one in pairs)
            same = all(one["told"] == other["told"] for one, other in pairs)
            sys.stdout.write(
                f"{game.title}: {plain:,.0f} plays a second, compiled {compiled:,.0f},"
                f" {compiled / plain:.1f} times; {'the same' if same else 'OTHER'} moves\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
