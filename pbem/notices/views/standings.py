"""The tables of tournaments as lines of at most 72 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pbem.names import PlayerId
from pbem.notices.tournaments import GroupShown, RowShown, tables_of
from pbem.notices.views.clean import clean

NAME: Final = 20
"""Columns of the longest name; with six opponents in brackets, points and more a row has 66."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Why one of two with as many points stands before the other: the values of both."""

    by: str
    upper: str
    lower: str
    points: str
    values: tuple[str, str]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table: its rows in columns, and how equal points were decided, from the first."""

    number: int
    lines: tuple[str, ...]
    decisions: tuple[Decision, ...]


def tabled(notice: object, names: Mapping[PlayerId, str]) -> tuple[TableView, ...]:
    """The tables that a notice has."""
    return tuple(table_view(group, names) for group in tables_of(notice))


def table_view(group: GroupShown, names: Mapping[PlayerId, str]) -> TableView:
    """A table in words and numbers; who is forgotten has a question mark for a name."""
    crossed = any(row.cells for row in group.rows)
    lines = _crosstable(group, names) if crossed else _list(group, names)
    return TableView(group.number, tuple(lines), tuple(_decisions(group, names)))


def _crosstable(group: GroupShown, names: Mapping[PlayerId, str]) -> Iterator[str]:
    wide = max((len(_cell(cell)) for row in group.rows for cell in row.cells), default=1)
    head = " ".join(f"{at:>{wide}}" for at in range(1, len(group.rows) + 1))
    called = [_name(row, names) for row in group.rows]
    longest = max(map(len, called))
    yield f"{'':3} {'':{longest}} {head}   ={'':3} SB"
    for row, name in zip(group.rows, called, strict=True):
        cells = " ".join(f"{_cell(cell):>{wide}}" for cell in row.cells)
        points, berger = part(row.points, 2), part(row.berger, 4)
        yield f"{row.place:>2}. {name:{longest}} {cells} {points:>5} {berger:>6}".rstrip()


def _list(group: GroupShown, names: Mapping[PlayerId, str]) -> Iterator[str]:
    for row in group.rows:
        yield f"{row.place:>3}. {_name(row, names)}"


def _name(row: RowShown, names: Mapping[PlayerId, str]) -> str:
    return clean(names.get(row.player, "?"), NAME - 2) + " *" * row.gone


def _cell(cell: str) -> str:
    inner = cell.strip("()")
    shown = part(int(inner), 2) if inner.isdigit() else inner
    return f"({shown})" if inner != cell else shown


_PARTS: Final = {0: "", 1: "¼", 2: "½", 3: "¾"}


def part(value: int, of: int) -> str:
    """A number that is counted in halves or quarters, as 2½."""
    whole, rest = divmod(value, of)
    sign = _PARTS[rest * 4 // of]
    return sign if sign and not whole else f"{whole}{sign}"


def _decisions(group: GroupShown, names: Mapping[PlayerId, str]) -> Iterator[Decision]:
    """TR-5.2: of each two neighbours with as many points what set them apart, in numbers."""
    for upper, lower in pairwise(group.rows):
        nothing = lower.by == "shared" and not lower.points  # as before anything is played
        if lower.by != "points" and lower.cells and not nothing:
            yield Decision(
                by=lower.by,
                upper=clean(names.get(upper.player, "?"), NAME),
                lower=clean(names.get(lower.player, "?"), NAME),
                points=part(lower.points, 2),
                values=_values(lower.by, upper, lower),
            )


def _values(by: str, upper: RowShown, lower: RowShown) -> tuple[str, str]:
    match by:
        case "direct":
            return part(upper.direct, 2), part(lower.direct, 2)
        case "berger":
            return part(upper.berger, 4), part(lower.berger, 4)
        case "time_outs":
            return str(upper.time_outs), str(lower.time_outs)
        case _:
            return "", ""
