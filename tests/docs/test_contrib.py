"""What is in contrib/: no tool finds a fault, and the names of metrics are those of the checks."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from pbem.server.health import check_health
from pbem.server.listener import format_metrics
from pbem.server.sending_limits import SendingLimits
from pbem.service.app import App
from tests.server.conftest import app, clock

__all__ = ["app", "clock"]

CONTRIB: Final = Path(__file__).parents[2] / "contrib"
UNITS: Final = sorted((CONTRIB / "systemd").glob("*.service"))
PROGRAM: Final = "/opt/pbem/bin/pbem"
EXPOSED: Final = 20  # the most that `systemd-analyze security` may rate a unit, of 100
HADOLINT: Final = shutil.which("hadolint", path=str(Path(sys.executable).parent))

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def run(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, input=text, capture_output=True, text=True, check=False, timeout=120
    )


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_finds_no_fault_in_a_unit(unit: Path, tmp_path: Path) -> None:
    installed = tmp_path / unit.name
    installed.write_text(unit.read_text().replace(PROGRAM, "/bin/true"))
    done = run("systemd-analyze", "verify", str(installed))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    done = run(
        "systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSED}", str(installed)
    )
    assert done.returncode == 0, done.stdout.splitlines()[-1]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_lets_processes_lower_their_priority(unit: Path) -> None:
    # `os.nice` is in @resources. If it fails, no process of bots or pictures starts.
    filters = re.findall(r"^SystemCallFilter=~(.*)$", unit.read_text(), re.MULTILINE)
    assert filters
    assert not any("@resources" in names for names in filters)


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
def test_a_linter_finds_no_fault_in_the_container() -> None:
    text = (CONTRIB / "container" / "Containerfile").read_text()
    done = run(HADOLINT or "", "--no-color", "-", text=text)
    assert (done.returncode, done.stdout) == (0, "")


def test_alarms_and_dashboard_use_metrics_that_exist(app: App) -> None:
    metrics = app.database.run(
        lambda conn: format_metrics(check_health(conn, app, SendingLimits()))
    )
    known = set(re.findall(r"^(pbem_\w+)", metrics, re.MULTILINE))
    checks = set(re.findall(r'pbem_ok\{check="(\w+)"\}', metrics))
    rules = (CONTRIB / "prometheus" / "pbem.rules.yml").read_text()
    dashboard = json.loads((CONTRIB / "grafana" / "pbem.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += re.findall(r"expr: (.*)", rules)
    assert len(queries) > 10
    assert set(re.findall(r"\bpbem_\w+", " ".join(queries))) <= known
    named = {
        name for text in re.findall(r'check[=!]~"([\w|]+)"', rules) for name in text.split("|")
    }
    assert named
    assert named <= checks
