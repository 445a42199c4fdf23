"""Old shapes of events, brought up to the shapes of today, one version at a time.

An event type starts with schema 1. A new shape of `SeatTaken` is the dataclass changed, a new file
in events/, and here the step from the old to the new: `("SeatTaken", 1): function`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""The data of one schema version to the data of the next."""


def _by_protocol_1(data: dict[str, Any]) -> dict[str, Any]:
    """Before protocols had numbers there was the first."""
    return {**data, "protocol": 1}


def _of_no_letter(data: dict[str, Any]) -> dict[str, Any]:
    """Letters were not kept by their digests."""
    return {**data, "letter": ""}


def _without_a_question(data: dict[str, Any]) -> dict[str, Any]:
    """Nobody was asked about a move that was held, and their clock stood still meanwhile."""
    return {**data, "asked": False, "free": None}


UPCASTS: Mapping[tuple[str, int], Upcast] = {
    ("ChallengeIssued", 1): _by_protocol_1,
    ("SeatTaken", 1): _of_no_letter,
    ("MovePlayed", 1): _of_no_letter,
    ("MoveHeld", 1): _of_no_letter,
    ("MoveHeld", 2): _without_a_question,
}
"""By event type and the schema version that it starts from."""


def newest(name: str, upcasts: Mapping[tuple[str, int], Upcast] = UPCASTS) -> int:
    """The schema version that the dataclasses of today have."""
    version = 1
    while (name, version) in upcasts:
        version += 1
    return version


def upcast(
    name: str,
    schema: int,
    data: dict[str, Any],
    upcasts: Mapping[tuple[str, int], Upcast] = UPCASTS,
) -> dict[str, Any]:
    """Data of an earlier version as that of today."""
    while (name, schema) in upcasts:
        data = upcasts[name, schema](data)
        schema += 1
    return data
