"""The file of the reply addresses' keys."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem.errors import ConfigError

FIRST_KEY: Final = "a"


@dataclass(frozen=True, slots=True)
class AddressKeys:
    """The keys of the reply addresses by their ids; new addresses are made with `current`."""

    current: str
    secrets: Mapping[str, bytes] = field(repr=False)


def load_keys(file: Path) -> AddressKeys:
    """Read the keys; ConfigError if they are missing, broken, or open to other users."""
    try:
        with file.open("rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            table = tomllib.load(opened)
        secrets = {str(key): bytes.fromhex(value) for key, value in table["keys"].items()}
        current = str(table["current"])
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
    return AddressKeys(current, secrets)


def write_keys(file: Path, keys: AddressKeys) -> None:
    """Write a new file that only its owner reads; FileExistsError rather than lose old keys."""
    lines = [
        "# The keys of the reply addresses. Without them every mail that was sent is a dead end,",
        "# and with them anybody can forge an address: keep them secret, and in the backup.",
        f'current = "{keys.current}"',
        "",
        "[keys]",
        *(f'{key} = "{secret.hex()}"' for key, secret in sorted(keys.secrets.items())),
    ]
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as opened:  # noqa: PTH123 - a descriptor, no path
        opened.write("\n".join(lines) + "\n")
        opened.flush()
        os.fsync(opened.fileno())
