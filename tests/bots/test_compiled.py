"""Machine code (PBEM_COMPILED=1): it is in the wheel, and says what these modules in Python say."""

from __future__ import annotations

import re
import sysconfig
import tomllib
from pathlib import Path
from shutil import which

import pytest

from bench.compiled import ROOT, built, thoughts
from pbem.games import GAMES

COMPILER = (sysconfig.get_config_var("CC") or "cc").split()[0]
HEADER = Path(sysconfig.get_paths()["include"]) / "Python.h"
FROZEN = re.compile(r"^@dataclass\(.*frozen=True.*\)\nclass (\w+)", re.MULTILINE)
PATTERNS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"][
    "targets"
]["wheel"]["hooks"]["custom"]["compiled"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_each_module_that_is_to_be_compiled_is_there(pattern: str) -> None:
    assert list(ROOT.glob(pattern))


def test_nothing_that_is_to_be_compiled_defines_what_could_not_be_read_again() -> None:
    files = [path for pattern in PATTERNS for path in ROOT.glob(pattern)]
    frozen = [found[1] for path in files for found in FROZEN.finditer(path.read_text("utf-8"))]
    assert frozen == ["Effort"]  # which stays in its process


@pytest.mark.slow
@pytest.mark.skipif(not which(COMPILER), reason=f"there is no C compiler ({COMPILER})")
@pytest.mark.skipif(not HEADER.exists(), reason="Python's headers are not installed")
def test_a_compiled_build_replays_and_thinks_as_the_checkout_does(tmp_path: Path) -> None:
    site = built(tmp_path)
    asked = {
        str(path.relative_to(ROOT).with_suffix("")).replace("/", ".")
        for pattern in PATTERNS
        for path in ROOT.glob(pattern)
    }
    compiled: set[str] = set()
    for ruleset in GAMES:
        plain, other = thoughts(ruleset, ROOT), thoughts(ruleset, site)
        assert plain["compiled"] == []
        compiled.update(other["compiled"])
        assert all(plain["told"])
        for mine, its in zip(plain["told"], other["told"], strict=True):
            assert mine == its
    assert compiled == asked
