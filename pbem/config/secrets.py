"""Secrets that stand outside the settings: in files, or behind a command."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import Final

from pbem.errors import ConfigError

COMMAND_SECONDS: Final = 60


def open_to_others(file: Path) -> str:
    """Who else can read a file that holds a secret, and what to do; nothing if nobody can.

    A group may, where the file is another user's: so root gives it to the service and no more.
    """
    try:
        found = file.stat()
    except OSError:
        return ""  # whoever reads it says so
    ours = found.st_uid == os.geteuid()
    others = stat.S_IRWXO | (stat.S_IRWXG if ours else 0)
    mode = "600" if ours else "o="
    return (
        f"other users can read {file}: run `chmod {mode} {file}`" if found.st_mode & others else ""
    )


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
