"""Old shapes of events, brought up to the shapes of today, one version at a time.

An event type starts with schema 1. A new shape of `SeatTaken` is the dataclass changed, a new file
in events/, and here the step from the old to the new: `("SeatTaken", 1): function`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""The data of one schema version to the data of the next."""


UPCASTS: Mapping[tuple[str, int], Upcast] = {}
"""By event type and the schema version that it starts from; nothing was released that needs one."""


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
