"""Other people's text made harmless: one line of printable characters, or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, TypeVar

NAME: Final = 32
"""The most characters of a name that are shown."""

LINE: Final = 72
"""The most characters of what was typed that are repeated."""

Told = TypeVar("Told")


def clean(text: str, limit: int | None = None) -> str:
    """One line: controls, bidi and zero-width marks dropped, runs of blanks made one, then cut."""
    if not (text.isascii() and text.isprintable()):
        # What is not printable is control, format, surrogate, unassigned, or a separator.
        text = "".join(char if char.isprintable() else " " * char.isspace() for char in text)
    text = " ".join(text.split())
    return text if limit is None or len(text) <= limit else f"{text[: limit - 3].rstrip()}..."


def clean_lines(text: str) -> str:
    """Several lines, each clean; blank ones at the ends dropped."""
    return "\n".join(clean(line) for line in text.strip().splitlines())


def clean_facts(notice: Told) -> Told:
    """A notice with every text in it clean: typed lines and facts repeat what players wrote."""
    changes: dict[str, Any] = {}
    for field in fields(notice):  # type: ignore[arg-type]
        value = getattr(notice, field.name)
        if isinstance(value, str):
            changes[field.name] = clean(value, LINE)
        elif not isinstance(value, int | None):
            changes[field.name] = _clean(value)
    return replace(notice, **changes)  # type: ignore[type-var]


def _clean(value: Any) -> Any:
    match value:
        case str():
            return clean(value, LINE)
        case Mapping():
            return {key: _clean(item) for key, item in value.items()}
        case Sequence():
            return tuple(_clean(item) for item in value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return clean_facts(value)
        case _:
            return value
