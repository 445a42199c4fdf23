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
    "logger": Figures(496, 111, 1093.4, 93, 17),
    "landrush": Figures(531, 113, 1268, 111, 22),
    "logan_stones": Figures(511, 112, 1177.6, 93, 18),
    "looney_ludo": Figures(530, 112, 1352.9, 142, 18),
    "receipt": Figures(479, 111, 1022.4, 61, 9),
    "window": Figures(313, 84, 640.1, 74, 15),
    "invitation": Figures(605, 126, 2028.6, 53, 13),
    "page": Figures(557, 119, 1494.1, 136, 22),
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
