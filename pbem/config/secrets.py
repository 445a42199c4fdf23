"""Secrets that stand outside the settings: in files, or behind a command."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from pbem.errors import ConfigError

COMMAND_SECONDS: Final = 60


def read_secret(file: Path, setting: str) -> str:
    """The first line of a file that holds a secret; ConfigError if there is none."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{setting} cannot be read: {error}") from None
    if not lines or not lines[0].strip():
        raise ConfigError(f"{setting}: the first line of {file} is empty")
    return lines[0].strip()


def ask(argv: list[str]) -> str:
    """The first line that a command prints; ConfigError if it fails or prints nothing."""
    try:
        done = subprocess.run(  # noqa: S603 - the operator's own command, without a shell
            argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_SECONDS, check=True
        )
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip()
        raise ConfigError(f"password_command failed ({error.returncode}): {said}") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigError(f"password_command cannot be run: {error}") from None
    lines = done.stdout.decode(errors="replace").splitlines()
    if not lines or not lines[0]:
        raise ConfigError("password_command printed nothing")
    return lines[0]
