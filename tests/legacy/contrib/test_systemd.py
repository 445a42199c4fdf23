"""The units in contrib/systemd: systemd's own tools look at them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

FOLDER: Final = Path(__file__).parents[3] / "contrib" / "systemd"
UNITS: Final = sorted(FOLDER.iterdir())
PROGRAM: Final = "/opt/pbem/bin/pbem"

EXPOSED: Final = 20
"""The most that `systemd-analyze security` may rate a unit, of 100."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *words], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units, where the program that they start is there."""
    for unit in UNITS:
        text = unit.read_text().replace(PROGRAM, "/bin/true")
        (tmp_path / unit.name).write_text(text)
    return tmp_path


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_finds_no_fault_in_a_unit(unit: Path, installed: Path) -> None:
    done = analyze("verify", str(installed / unit.name))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@needs_systemd
def test_systemd_would_find_one(installed: Path) -> None:
    unit = installed / "pbem.service"
    unit.write_text(unit.read_text().replace("Type=notify", "Type=notified"))
    assert "notified" in analyze("verify", str(unit)).stderr


@needs_systemd
@pytest.mark.parametrize("name", [unit.name for unit in UNITS if unit.suffix == ".service"])
def test_a_service_has_few_rights(name: str, installed: Path) -> None:
    done = analyze("security", "--offline=true", f"--threshold={EXPOSED}", str(installed / name))
    assert done.returncode == 0, done.stdout.splitlines()[-1]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_says_where_it_belongs(unit: Path) -> None:
    assert unit.read_text().startswith(f"# /etc/systemd/system/{unit.name}: ")


def test_every_service_is_as_shut_in_as_the_others() -> None:
    def shut_in(unit: Path) -> list[str]:
        after = unit.read_text().partition("NoNewPrivileges=yes\n")[2]
        return after.partition("\n\n[")[0].splitlines()

    kinds = {tuple(shut_in(unit)) for unit in UNITS if unit.suffix == ".service"}
    assert len(kinds) == 1
    assert len(kinds.pop()) > 15


def test_the_service_is_looked_at_often_enough_for_its_watchdog() -> None:
    from pbem.legacy.runners.watch import LOOKS

    found = re.search(r"^WatchdogSec=(\d+)$", (FOLDER / "pbem.service").read_text(), re.MULTILINE)
    assert found is not None
    assert int(found[1]) > LOOKS * 4
