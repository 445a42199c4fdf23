"""From the file and the environment to settings, or to words that say what is wrong."""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pbem.config.settings import PREFIX, Section, Settings, setting_names
from pbem.errors import ConfigError

DEFAULT_FILE: Final = Path("config.toml")
FILE_VARIABLE: Final = "PBEM_CONFIG"
SECRETS: Final = ("password", "client_secret")


def find_file(given: Path | None) -> Path:
    """The file of the settings: the one given, else $PBEM_CONFIG, else ./config.toml; absolute."""
    return (given or Path(os.environ.get(FILE_VARIABLE) or DEFAULT_FILE)).expanduser().absolute()


def load_settings(given: Path | None = None) -> Settings:
    """Read the file and the environment.

    Relative paths are relative to the file's folder. Without a file the environment alone will do,
    but only where nobody named a file. Raises ConfigError, which names each wrong setting.
    """
    file = find_file(given)
    table = _read_toml(file, needed=given is not None or not _from_environment())
    _refuse_unknown_sections()
    try:
        settings = _made(table)
    except ValidationError as error:
        lines = [_in_words(one) for one in error.errors()]
        raise ConfigError(f"{file}: " + "; ".join(lines)) from None
    return _anchored(settings, file.parent)


def _made(table: dict[str, object]) -> Settings:
    if not _from_environment():
        return Settings(**table)  # type: ignore[arg-type] # pydantic checks it, that is the point
    from pbem.config.environment import overlaid  # it is slow to import

    return overlaid(table)


def fault_of(section: str, name: str, value: object) -> str:
    """What is wrong with a value for a setting, before it is written; nothing if it will do."""
    kind = Settings.model_fields[section].annotation
    try:
        kind(**{name: value})  # type: ignore[misc] # each section is a class
    except ValidationError as error:
        return "; ".join(_in_words(one) for one in error.errors()).removeprefix(": ")
    return ""


def _read_toml(file: Path, *, needed: bool) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if needed:
            raise ConfigError(f"there is no {file}; `pbem init` writes one") from None
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is no TOML: {error}") from None


def _from_environment() -> list[str]:
    return [name for name in os.environ if name.upper().startswith(PREFIX) and "__" in name]


def _refuse_unknown_sections() -> None:
    """Pydantic sees only variables of sections that it knows; a slip in the section is silent."""
    for variable in _from_environment():
        section = variable[len(PREFIX) :].partition("__")[0].lower()
        if section not in Settings.model_fields:
            near = difflib.get_close_matches(section, Settings.model_fields, 1)
            hint = f"; did you mean {PREFIX}{near[0].upper()}__?" if near else ""
            raise ConfigError(f"the environment variable {variable} names no setting{hint}")


def _in_words(error: ErrorDetails) -> str:
    """Which setting, what is wrong, what to do."""
    name = ".".join(str(part) for part in error["loc"])
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
