"""The Containerfile: a linter finds no fault in it, and what it copies is there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[3]
FILE: Final = ROOT / "contrib" / "container" / "Containerfile"
HADOLINT: Final = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which(
    "hadolint"
)


def lint(text: str) -> subprocess.CompletedProcess[str]:
    assert HADOLINT is not None
    return subprocess.run(
        [HADOLINT, "--no-color", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
def test_a_linter_finds_no_fault() -> None:
    done = lint(FILE.read_text())
    assert (done.returncode, done.stdout) == (0, "")
    assert "DL3002" in lint(FILE.read_text().replace("USER 2525:2525", "USER root")).stdout


def instructions(name: str) -> list[str]:
    text = re.sub(r"^#.*\n", "", FILE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return re.findall(rf"^{name} +(.+)$", text, re.MULTILINE)


def test_what_is_copied_is_there_and_not_left_out() -> None:
    ignored = FILE.with_name("Containerfile.dockerignore").read_text().splitlines()
    for copied in instructions("COPY"):
        if copied.startswith("--from"):
            continue
        *sources, _ = copied.split()
        for source in sources:
            assert (ROOT / source).exists()
            assert f"!{source.rstrip('/')}" in ignored


def test_all_that_is_installed_is_pinned() -> None:
    for command in re.findall(r"pip install[^&]*", " ".join(instructions("RUN"))):
        assert "--require-hashes" in command or "--no-deps" in command
    for lock in re.findall(r"requirements/\w+\.lock", FILE.read_text()):
        assert (ROOT / lock).exists()


def test_it_is_not_root_keeps_its_folder_and_says_how_it_is() -> None:
    assert instructions("USER") == ["2525:2525"]
    assert instructions("VOLUME") == instructions("WORKDIR")[-1:] == ["/var/lib/pbem"]
    assert '"status", "--check"' in instructions("HEALTHCHECK")[0]
    assert len(instructions("FROM")) == 2
