"""All kinds of notices, and their way to JSON and back: what the outbox keeps of a mail."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final, get_args, get_origin, get_type_hints

from pbem import errors
from pbem.names import MatchId
from pbem.legacy.notices import (
    checks,
    courtesies,
    news,
    personal,
    replies,
    seats,
    second_thoughts,
    tournaments,
)
from pbem.legacy.notices.news import Invitation
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.replies import DailyDigest

FAMILIES: Final = (
    seats,
    news,
    second_thoughts,
    courtesies,
    replies,
    checks,
    personal,
    tournaments,
)
"""The files in which notices stand."""

KINDS: Final[Mapping[str, type[Notice]]] = {
    name: kind
    for family in FAMILIES
    for name, kind in vars(family).items()
    if isinstance(kind, type) and issubclass(kind, Notice) and kind.__module__ == family.__name__
}
"""Every class of notice by its name, as it stands in the outbox."""

_TUPLES: Final[dict[type[Any], Mapping[str, type[Any] | None]]] = {}
"""The fields of a class that are tuples, looked for when it is first read."""


def dump(notices: Sequence[Notice]) -> str:
    """A mail's notices as one line of JSON: a list of objects, each with its class as `notice`."""
    items = [
        {"notice": type(notice).__name__}
        | {field.name: getattr(notice, field.name) for field in fields(notice)}
        for notice in notices
    ]
    return json.dumps(items, ensure_ascii=False, separators=(",", ":"), default=_plain)


def load(text: str) -> tuple[Notice, ...]:
    """The notices that `dump` wrote. Facts come back as JSON has them: lists, not tuples.

    Raises ValueError for anything else: a row of another edition is shunted, never guessed.
    """
    try:
        return tuple(_read(KINDS[item.pop("notice")], item) for item in json.loads(text))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no notices: {error!r} in {text[:200]}") from error


def _plain(value: Any) -> dict[str, Any]:
    """What JSON does not know: the fields of a class, or a mapping."""
    if isinstance(value, Mapping):
        return dict(value)
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _read(kind: type[Any], item: dict[str, Any]) -> Any:
    """A notice or a part of one; JSON loses that a list was a tuple, and the class of its items."""
    if kind not in _TUPLES:
        _TUPLES[kind] = _tuples(kind)
    for name, of in _TUPLES[kind].items():
        if name in item:
            value = item[name]
            item[name] = tuple(value) if of is None else tuple(_read(of, one) for one in value)
    return kind(**item)


def _tuples(kind: type[Any]) -> Mapping[str, type[Any] | None]:
    """The fields of a class that are tuples, each with the class of its items, if that is ours."""
    hints = get_type_hints(kind, localns=vars(errors)).items()
    items = {name: get_args(hint)[0] for name, hint in hints if get_origin(hint) is tuple}
    return {
        name: of if is_dataclass(of) and isinstance(of, type) else None
        for name, of in items.items()
    }


# --- asked ---------------------------------------------------------------------------------------
# Which matches a digest wants answers about: with several, every line begins with a name.


def asked_about(notices: Sequence[Notice]) -> tuple[MatchId, ...]:
    """The matches that wait for the reader or invite, in order; none if it is no digest."""
    if not notices or not isinstance(notices[0], DailyDigest):
        return ()
    invited = (notice.match for notice in notices if isinstance(notice, Invitation))
    return tuple(dict.fromkeys([*notices[0].matches, *invited]))
