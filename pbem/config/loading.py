"""From the file and the environment to settings, or to words that say what is wrong."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pbem.config.origins import FILE_VARIABLE, in_environment, lines_of, overlay
from pbem.config.settings import Origins, Section, Settings, setting_names
from pbem.errors import ConfigError

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
