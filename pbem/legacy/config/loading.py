"""From the file and the environment to settings, or to words that say what is wrong and where."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pbem.legacy.config.sections import Section
from pbem.legacy.config.settings import PREFIX, Origins, Settings, setting_names
from pbem.errors import ConfigError

# --- origins -------------------------------------------------------------------------------------
# Where each setting stands: in a line of the file, or in a variable of the environment.

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


# --- loading -------------------------------------------------------------------------------------
# From the file and the environment to settings, or to words that say what is wrong.

DEFAULT_FILE: Final = Path("config.toml")
SECRETS: Final = ("password", "client_secret")


def find_file(given: Path | None) -> Path:
    """The file of the settings: the one given, else $PBEM_CONFIG, else ./config.toml; absolute."""
    return (given or Path(os.environ.get(FILE_VARIABLE) or DEFAULT_FILE)).expanduser().absolute()


def load_settings(given: Path | None = None) -> Settings:
    """Read the file and the environment.

    Relative paths are relative to the file's folder. Without a file the environment alone will do,
    but only where nobody named a file. Raises ConfigError, which names each wrong setting and where
    it stands.
    """
    file = find_file(given)
    table, origins = _read_toml(file, needed=given is not None or not in_environment())
    origins = {**origins, **overlay(table)}
    try:
        settings = Settings(**table)
    except ValidationError as error:
        raise ConfigError("; ".join(_in_words(one, origins) for one in error.errors())) from None
    return _anchored(settings, file.parent).with_origins(origins)


def fault_of(section: str, name: str, value: object) -> str:
    """What is wrong with a value for a setting, before it is written; nothing if it will do."""
    kind = Settings.model_fields[section].annotation
    try:
        kind(**{name: value})  # type: ignore[misc] # each section is a class
    except ValidationError as error:
        return "; ".join(_in_words(one, {}) for one in error.errors()).removeprefix(": ")
    return ""


def _read_toml(file: Path, *, needed: bool) -> tuple[dict[str, Any], Origins]:
    try:
        text = file.read_text(encoding="utf-8")
        return tomllib.loads(text), lines_of(text, file)
    except FileNotFoundError:
        if needed:
            raise ConfigError(f"there is no {file}; `pbem init` writes one") from None
        return {}, {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is no TOML: {error}") from None


def _in_words(error: ErrorDetails, origins: Origins) -> str:
    """Which setting, what is wrong, what to do, and where it stands."""
    name = ".".join(str(part) for part in error["loc"])
    words = _fault(error, name)
    if error["type"] == "value_error":  # of a whole table: it names those that are at odds
        at = {key: origins.get(f"{name}.{key}") for key in dict.fromkeys(re.findall(r"\w+", words))}
        where = "; ".join(f"{key}: {origin}" for key, origin in at.items() if origin)
    else:
        where = origins.get(name) or origins.get(name.partition(".")[0], "")
    return f"{words} ({where})" if where else words


def _fault(error: ErrorDetails, name: str) -> str:
    match error["type"]:
        case "extra_forbidden":
            known = [*Settings.model_fields, *setting_names()]
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else "; see config.example.toml"
            return f"{name} is no setting{hint}"
        case "value_error":
            return f"{name}: {error['ctx']['error']}"
        case "model_type" | "model_attributes_type" | "dict_type":
            return f"{name} is a table: write [{name}] and its settings below"
        case _:
            said = error["msg"].replace("Input should", "it should")
            shown = "wrong" if name.endswith(SECRETS) else repr(error["input"])
            return f"{name} is {shown}: {said}"


def _anchored(settings: Settings, folder: Path) -> Settings:
    """The same with every path absolute."""
    sections: dict[str, Section] = {}
    for name in Settings.model_fields:
        section: Section = getattr(settings, name)
        paths = {
            key: folder / value.expanduser() for key, value in section if isinstance(value, Path)
        }
        sections[name] = section.model_copy(update=paths)
    return settings.model_copy(update=sections)
