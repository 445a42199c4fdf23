"""Where each setting stands: in a line of the file, or in a variable of the environment."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pbem.config.settings import PREFIX, Origins, setting_names
from pbem.errors import ConfigError

FILE_VARIABLE: Final = f"{PREFIX}CONFIG"
NEAR: Final = 0.9
"""How alike a variable has to be to one of ours to be a slip; all others are somebody else's."""

_BARE: Final = str.maketrans("", "", " \t\"'")
"""Takes away what may stand around the names of tables and keys."""

_LOGIN: Final = ("imap", "smtp")
_PASSWORDS: Final = ("password", "password_file", "password_command")
_TOKENS: Final = ("token_command", "token_url")
_OF_TOKENS: Final = ("client_id", "client_secret", "client_secret_file", "refresh_token_file")


def lines_of(text: str, file: Path) -> Origins:
    """The line of each table and each setting of a TOML file."""
    found: dict[str, str] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        where, plain = f"{file}, line {number}", line.translate(_BARE)
        if plain.startswith("["):
            name = plain[1:].partition("]")[0]
            table = f"{name}."
        else:
            name = table + plain.partition("=")[0]
        found.setdefault(name, where)
    return found


def in_environment() -> bool:
    """Whether any setting is given there."""
    return any(_variables())


def overlay(table: dict[str, Any]) -> Origins:
    """Put the settings of the environment over those of a file's table; where each of them stands.

    What only a login needs is left out where there is none: the units bring a password to each
    server. Raises ConfigError for a variable that is a slip.
    """
    known = {_variable(name): name for name in setting_names()}
    found: dict[str, str] = {}
    for variable, value in _variables():
        name = known.get(variable.upper())
        if name is None:
            near = difflib.get_close_matches(variable.upper(), [*known, FILE_VARIABLE], 1)
            hint = f"; did you mean {near[0]}?" if near else "; see config.example.toml"
            raise ConfigError(f"the environment variable {variable} names no setting{hint}")
        section, _, key = name.partition(".")
        inner = table.setdefault(section, {})
        if isinstance(inner, dict):  # else it is told that it has to be a table
            inner[key] = value
        found[name] = f"environment variable {variable}"
    for section in _LOGIN:
        for name in _unused(table.get(section), {*found}, section):
            del table[section][name], found[f"{section}.{name}"]
    return found


def _unused(login: object, brought: set[str], section: str) -> list[str]:
    """What the environment has brought to a login, and nothing uses."""
    if not isinstance(login, dict):
        return []
    if not login.get("user"):
        names = [*_PASSWORDS, *_TOKENS, *_OF_TOKENS]
    elif any(login.get(name) and f"{section}.{name}" not in brought for name in _TOKENS):
        names = [*_PASSWORDS]
    else:
        names = []
    return [name for name in names if f"{section}.{name}" in brought]


def _variable(name: str) -> str:
    return PREFIX + name.upper().replace(".", "__")


def _variables() -> Iterator[tuple[str, str]]:
    """The variables that are meant for us; one for another program may begin like them."""
    ours = [FILE_VARIABLE, *map(_variable, setting_names())]
    for variable, value in os.environ.items():
        name = variable.upper()
        if not name.startswith(PREFIX) or name == FILE_VARIABLE:
            continue
        if "__" in name or difflib.get_close_matches(name, ours, 1, NEAR):
            yield variable, value
