"""`./run`: a pbem command works where it is called."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).parents[1]
OWN = Path(sys.executable).parent.parent == ROOT / ".venv" and (ROOT / ".venv/stamp").exists()

pytestmark = pytest.mark.skipif(not OWN, reason="these tests were not started by ./run")


def called(folder: Path, *words: str, code: int = 0) -> str:
    """What `run` says, called in a folder."""
    environment = {name: value for name, value in os.environ.items() if "PBEM" not in name}
    done = subprocess.run(
        [ROOT / "run", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_init_writes_where_it_is_called(tmp_path: Path) -> None:
    service = tmp_path / "my club"
    service.mkdir()
    (service / "typing.py").write_text("raise SystemExit('imported from the caller')")
    called(service, "init", "--yes", "--address", "games@example.org", "--maildir", "mail")
    assert {path.name for path in service.iterdir()} >= {"config.toml", "keys.toml", "pbem.db"}
    assert f"{service}/mail/in" in called(service, "pbem", "check")
    assert f"{service}/mail/in" in called(service, "check")
    assert not (ROOT / "config.toml").exists()


def test_check_with_options_tries_the_service() -> None:
    assert "Cannot read config.toml" in called(ROOT, "check", "--loop", code=1)


def test_files_are_named_from_where_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "my.toml").write_text('site.address = "games@example.org"')
    said = called(tmp_path, "--config", "mine/my.toml", "status", code=1)
    assert f"{tmp_path}/mine/keys.toml" in said


UV: Final = r"""#!/bin/sh
echo "$@" >>"$(dirname "$0")/asked"
case "$*" in
*freeze*)
    echo "-e file://{checkout}"
    echo "-e file:///games/pbem-mine"
    echo "pbem-chess @ file:///games/pbem-chess"
    echo "typer==0.1"
    ;;
*pbem-mine*) exit 1 ;;
esac
"""


def test_games_from_folders_stay_when_the_environment_grows(tmp_path: Path) -> None:
    checkout, tools = tmp_path / "checkout", tmp_path / "tools"
    for folder in (checkout / ".venv" / "bin", checkout / "requirements", tools):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "run", checkout)
    for name in ("pyproject.toml", "requirements/demo.lock", "requirements/dev.lock"):
        shutil.copy(ROOT / name, checkout / name)
    (checkout / ".venv" / "stamp").write_text("demo 1 1\n")
    programs = {checkout / ".venv/bin/python": "#!/bin/sh\n"}
    programs[tools / "uv"] = UV.replace("{checkout}", str(checkout))
    for path, text in programs.items():
        path.write_text(text)
        path.chmod(0o755)
    done = subprocess.run(
        [checkout / "run", "dev"],
        env=dict(os.environ) | {"PATH": f"{tools}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    asked = (tools / "asked").read_text().splitlines()
    synced = next(n for n, line in enumerate(asked) if line.startswith("pip sync"))
    later = [line.partition("--no-deps ")[2] for line in asked[synced + 1 :]]
    assert later == [
        "--no-build-isolation --editable .",
        "--editable file:///games/pbem-mine",
        "pbem-chess @ file:///games/pbem-chess",
    ]
    assert done.stderr == "run: -e file:///games/pbem-mine is not installed any more\n"
    assert (checkout / ".venv" / "stamp").read_text().startswith("dev ")
