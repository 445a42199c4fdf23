"""Secrets outside of the settings: in files, behind a command, and the keys of addresses."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem.errors import ConfigError

# --- secrets -------------------------------------------------------------------------------------
# Secrets that stand outside the settings: in files, or behind a command.

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


@dataclass(slots=True)
class ReplacedSecret:
    """A secret in a file that a provider replaces now and then.

    Where the file cannot be written the last one holds as long as this does, or until somebody
    puts another one into the file.
    """

    file: Path
    setting: str
    _there: str = field(default="", init=False, repr=False)
    _newer: str = field(default="", init=False, repr=False)

    def read(self) -> str:
        """The secret as it is now, whoever replaced it last; ConfigError if there is none."""
        there = read_secret(self.file, self.setting)
        if there != self._there:
            self._there, self._newer = there, ""
        return self._newer or there

    def replace(self, secret: str) -> None:
        """Use this one from now on; ConfigError if it could not be written."""
        self._newer = secret
        try:
            lines = self.file.read_text(encoding="utf-8").splitlines()[1:]
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{self.setting} cannot be read: {error}") from None
        _replace(self.file, "\n".join([secret, *lines]) + "\n")


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


# --- keys ----------------------------------------------------------------------------------------
# The file of the keys: of the reply addresses, and of the log.

FIRST_KEY: Final = "a"

SEED_BYTES: Final = 32
"""Of a key that the log is signed with (Ed25519)."""


@dataclass(frozen=True, slots=True)
class AddressKeys:
    """The keys of the reply addresses by their ids; new addresses are made with `current`.

    `log` are the seeds that checkpoints of the log are signed with, by their numbers: with the
    last one now, with the others before. Where there are none no checkpoint is made.
    """

    current: str
    secrets: Mapping[str, bytes] = field(repr=False)
    log: Mapping[int, bytes] = field(default_factory=dict, repr=False)

    @property
    def log_seed(self) -> bytes | None:
        """What the log is signed with now."""
        return self.log[max(self.log)] if self.log else None


def load_keys(file: Path) -> AddressKeys:
    """Read the keys; ConfigError if they are missing, broken, or open to other users."""
    try:
        with file.open("rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            table = tomllib.load(opened)
        secrets = {str(key): bytes.fromhex(value) for key, value in table["keys"].items()}
        current = str(table["current"])
        log = {int(key): _seed(value) for key, value in table.get("log", {}).items()}
    except FileNotFoundError:
        raise ConfigError(
            f"there is no {file}; `pbem init` makes one, `pbem restore` brings back the old one"
        ) from None
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(f"{file} is no file of keys: {error}; restore it from a backup") from None
    if current not in secrets:
        raise ConfigError(f"{file} has no key {current!r}; restore it from a backup")
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(f"other users can read {file}: run `chmod 600 {file}`")
    return AddressKeys(current, secrets, log)


def _seed(text: str) -> bytes:
    seed = bytes.fromhex(text)
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a key of the log has {SEED_BYTES} bytes")
    return seed


def write_keys(file: Path, keys: AddressKeys) -> None:
    """Write a new file that only its owner reads; FileExistsError rather than lose old keys."""
    write_private(file, _text(keys))


def replace_keys(file: Path, keys: AddressKeys) -> None:
    """Put other keys into the file in one step; ConfigError if it cannot be written."""
    _replace(file, _text(keys))


def _text(keys: AddressKeys) -> str:
    lines = [
        "# The keys of the reply addresses. Without them every mail that was sent is a dead end,",
        "# and with them anybody can forge an address: keep them secret, and in the backup.",
        f'current = "{keys.current}"',
        "",
        "[keys]",
        *(f'{key} = "{secret.hex()}"' for key, secret in sorted(keys.secrets.items())),
    ]
    if keys.log:
        lines += [
            "",
            "# What checkpoints of the log are signed with: the last now, the others before.",
            "[log]",
            *(f'{number} = "{seed.hex()}"' for number, seed in sorted(keys.log.items())),
        ]
    return "\n".join(lines) + "\n"


# --- files ---------------------------------------------------------------------------------------


def write_private(file: Path, content: str | bytes) -> None:
    """Write a new file that only its owner reads, to the disk; FileExistsError if there is one."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as opened:  # noqa: PTH123 - a descriptor, no path
        opened.write(content.encode() if isinstance(content, str) else content)
        opened.flush()
        os.fsync(opened.fileno())


def _replace(file: Path, text: str) -> None:
    """Put another text into a file in one step: whoever reads it sees the old or the new one.

    The file keeps its owner and its mode, so that a service which runs as another user can still
    read it. Raises ConfigError.
    """
    file = file.resolve()  # a link stays one
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        before = file.stat()
        unfinished.unlink(missing_ok=True)
        write_private(unfinished, text)
        if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            os.chown(unfinished, before.st_uid, before.st_gid)
        unfinished.chmod(stat.S_IMODE(before.st_mode))
        unfinished.replace(file)
        _flush(file.parent)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error}") from None
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _flush(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
