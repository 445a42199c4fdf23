"""What a turn passes, in functions, files and calls: no more than now, and ever less.

A change that makes a figure larger says why; one that makes it smaller lets its cap fall.
`python -m tests.whole.way_of_a_turn --functions logger` shows the way (turn_cases.py: what counts).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tests.whole.turn_cases import Figures, figures, line, ways

CAPS: Final = {
    "logger": Figures(479, 108, 1225.2, 92, 17),
    "landrush": Figures(515, 110, 1436.9, 113, 22),
    "logan_stones": Figures(494, 109, 1366.7, 87, 17),
    "looney_ludo": Figures(513, 109, 1646.3, 142, 18),
    "receipt": Figures(483, 114, 1014.6, 88, 16),
    "window": Figures(294, 81, 571.9, 73, 15),
    "invitation": Figures(585, 123, 1813.6, 44, 12),
    "page": Figures(516, 114, 1625.9, 135, 22),
}

SLACK: Final = 0.03
"""How much of a cap may be left unused."""


def faults_of(name: str, found: Figures) -> Iterator[str]:
    """The figures of a row that are above their cap, or far below it."""
    for what, figure, cap in zip(Figures._fields, found, CAPS[name], strict=True):
        if figure > cap:
            yield f"{name}: {what} are {figure:g}, and may be {cap:g}"
        elif figure < cap * (1 - SLACK):
            yield f"{name}: {what} are {figure:g}: let the cap of {cap:g} fall"


@pytest.mark.sqlite
def test_a_turn_goes_no_longer_way_than_it_did() -> None:
    found = {name: figures(calls) for name, calls in ways().items()}
    assert found.keys() == CAPS.keys()
    faults = {name: list(faults_of(name, row)) for name, row in found.items()}
    told = [*(one for some in faults.values() for one in some), "The lines of the table are now:"]
    told += [line(name, found[name]) for name, some in faults.items() if some]
    assert not any(faults.values()), "\n".join(told)
