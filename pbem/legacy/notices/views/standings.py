"""The tables of tournaments as rows, with what decided among equal points in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pbem.names import PlayerId
from pbem.legacy.notices.tournaments import GroupShown, RoundShown, RowShown, rounds_of, tables_of
from pbem.legacy.notices.views.clean import clean

NAME: Final = 20
"""Columns of the longest name, with what stands behind it, where the table leaves as many."""

ROOM: Final = 72 - 7 - 8 - 6
"""Columns of a row for its name and cells, beside place, points and one mark of six."""

LONG: Final = 14
"""Rows of the longest list that mails show whole."""

FIRST, AROUND = 8, 2
"""Of a longer one so many of the first rows, and so many on each side of the reader's."""

MATCHES: Final = 16
"""Pairs of a round of a cup that mails show."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableRow:
    """A player in a table; without a name it stands for rows that are left out.

    `to` is the group to which they go after the season, 0 if it is the same.
    """

    place: int
    name: str
    you: bool = False
    gone: bool = False
    cells: tuple[str, ...] = ()
    points: str = ""
    berger: str = ""
    to: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """Why one of two with as many points stands before the other: the values of both.

    `reckoned` is the sum by which each came about, where it is one.
    """

    by: str
    upper: str
    lower: str
    points: str
    values: tuple[str, str]
    reckoned: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class TableView:
    """A table from the first place, and how equal points were decided.

    `weighed`: what a row got of each opponent, times their points, has decided something.
    `annulled`: what stands in brackets counts for nobody.
    """

    number: int
    rows: tuple[TableRow, ...]
    decisions: tuple[Decision, ...]
    weighed: bool
    annulled: bool

    @property
    def crossed(self) -> bool:
        """Whether it tells what each got of each other."""
        return any(row.cells for row in self.rows)


@dataclass(frozen=True, slots=True)
class PairView:
    """Two who meet in a cup, or one who meets nobody; `winner`: who goes on, as soon as known.

    `you` is the number of the reader's name among them from 0, None where it is not there.
    """

    names: tuple[str, ...]
    winner: str
    you: int | None = None


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round of a cup, by its number; `last` is that of the final."""

    number: int
    last: int
    pairs: tuple[PairView, ...]


# --- tables --------------------------------------------------------------------------------------


def tabled(notice: object, names: Mapping[PlayerId, str]) -> tuple[TableView, ...]:
    """The tables that a notice has, as its mail shows them."""
    you: PlayerId | None = getattr(notice, "player", None)
    return tuple(table_view(group, names, you, whole=False) for group in tables_of(notice))


def table_view(
    group: GroupShown,
    names: Mapping[PlayerId, str],
    you: PlayerId | None = None,
    *,
    whole: bool = True,
) -> TableView:
    """A table in words and numbers; who is forgotten has a question mark for a name."""
    decisions = tuple(_decisions(group, names))
    weighed = any(one.by != "direct" for one in decisions)
    widths = [len(shown_cell(cell)) for row in group.rows for cell in row.cells]
    cells = len(group.rows) * (max(widths) + 2) if widths else 0
    room = ROOM - cells - 7 * weighed
    rows = tuple(_row(row, names, you, min(NAME, max(room, 8))) for row in group.rows)
    return TableView(
        number=group.number,
        rows=rows if whole or len(rows) <= LONG else tuple(_shortened(rows)),
        decisions=decisions,
        weighed=weighed,
        annulled=any(cell.startswith("(") for row in group.rows for cell in row.cells),
    )


def _row(row: RowShown, names: Mapping[PlayerId, str], you: PlayerId | None, room: int) -> TableRow:
    return TableRow(
        place=row.place,
        name=clean(names.get(row.player, "?"), room),
        you=row.player == you,
        gone=row.gone,
        cells=tuple(map(shown_cell, row.cells)),
        points=part(row.points, 2),
        berger=part(row.berger, 4),
        to=row.to,
    )


def _shortened(rows: Sequence[TableRow]) -> Iterator[TableRow]:
    """The first rows and those around the reader's, with a sign where others are left out."""
    own = next((at for at, row in enumerate(rows) if row.you), 0)
    kept = [at for at in range(len(rows)) if at < FIRST or abs(at - own) <= AROUND]
    for before, at in pairwise([-1, *kept, len(rows)]):
        if at > before + 1:
            yield TableRow(place=0, name="")
        if at < len(rows):
            yield rows[at]


def shown_cell(cell: str) -> str:
    """A cell of a row: halves as points, a sign as it is."""
    inner = cell.strip("()")
    shown = part(int(inner), 2) if inner.isdigit() else inner
    return f"({shown})" if inner != cell else shown


_PARTS: Final = {0: "", 1: "¼", 2: "½", 3: "¾"}


def part(value: int, of: int) -> str:
    """A number that is counted in halves or quarters, as 2½."""
    whole, rest = divmod(value, of)
    sign = _PARTS[rest * 4 // of]
    return sign if sign and not whole else f"{whole}{sign}"


# --- ties ----------------------------------------------------------------------------------------


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
                reckoned=(reckoned(upper, group), reckoned(lower, group))
                if lower.by == "berger"
                else ("", ""),
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


def reckoned(row: RowShown, group: GroupShown) -> str:
    """TR-5.4: the sum that Sonneborn-Berger is; empty where it is no sum."""
    terms = []
    for other, cell in zip(group.rows, row.cells, strict=True):
        if cell.isdigit() and int(cell) and other.points:
            points = part(other.points, 2)
            terms.append(points if cell == "2" else f"{part(int(cell), 2)} × {points}")
    plain = len(terms) == 1 and "×" not in terms[0]
    return "" if plain else " + ".join(terms)


# --- cups ----------------------------------------------------------------------------------------


def paired(notice: object, names: Mapping[PlayerId, str]) -> tuple[RoundView, ...]:
    """The rounds that a notice has, as its mail shows them: who else meets nobody is left out."""
    you: PlayerId | None = getattr(notice, "player", None)
    shown = []
    for one in rounds_of(notice):
        whole = round_view(one, names, you)
        pairs = [pair for pair in whole.pairs if len(pair.names) > 1 or pair.you is not None]
        pairs.sort(key=lambda pair: pair.you is None)
        shown.append(RoundView(whole.number, whole.last, tuple(pairs[:MATCHES])))
    return tuple(shown)


def round_view(
    one: RoundShown, names: Mapping[PlayerId, str], you: PlayerId | None = None
) -> RoundView:
    """A round with names."""
    return RoundView(
        one.number,
        one.last,
        tuple(
            PairView(
                names=tuple(clean(names.get(who, "?"), NAME) for who in pair.players),
                winner="" if pair.winner is None else clean(names.get(pair.winner, "?"), NAME),
                you=pair.players.index(you) if you in pair.players else None,
            )
            for pair in one.pairs
        ),
    )
