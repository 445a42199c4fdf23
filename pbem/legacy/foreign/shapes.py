"""The shape that a value must have: what the type hints of the record and of our classes say."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from pbem.games.game import Game

_FACTS: Final = {"Fact": Any}
"""The hint of facts names itself; what they are is looked at elsewhere."""


@cache
def given_by(hook: str) -> Any:
    """What a function of the record gives, as a type hint."""
    return get_args(get_type_hints(Game, localns=_FACTS)[hook])[-1]


@cache
def fields_of(kind: type) -> Mapping[str, Any]:
    """The fields of a class of ours, with their type hints."""
    return get_type_hints(kind, localns=_FACTS)


def fits(found: object, hint: Any) -> bool:
    """Whether a value has this shape; what its fields are was looked at when it was made."""
    hint = getattr(hint, "__supertype__", hint)
    origin, within = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(fits(found, one) for one in within)
    if origin is tuple and within[1:] != (Ellipsis,):
        if not isinstance(found, tuple) or len(found) != len(within):
            return False
        return all(fits(one, kind) for one, kind in zip(found, within, strict=True))
    if origin in (tuple, Sequence):
        return isinstance(found, tuple) and all(fits(one, within[0]) for one in found)
    kind = origin or hint or type(None)
    if kind is float:
        return type(found) in (int, float)
    return type(found) is kind if kind in (bool, int) else isinstance(found, kind)
