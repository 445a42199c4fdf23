"""The verbs about moves and the board: played, tried, taken back, decided in advance, looked at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pbem.games.game import Ply
from pbem.legacy.mail.verbs.if_lines import AROUND, WORD, branch_of, clean
from pbem.legacy.mail.verbs.verb import Order, Verb, any_text, bare
from pbem.legacy.matches.branches import ANY, Branch

# --- orders --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move(Order):
    """A block of game text; `explicit` where a verb said that it is one."""

    text: str
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Standing(Order):
    """A decision in advance, as the game has them; its text as typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Try(Order):
    """Show the board as it would be."""

    text: str


@dataclass(frozen=True, slots=True)
class If(Order):
    """What to play if the others play so, as typed."""

    branch: Branch


@dataclass(frozen=True, slots=True)
class HalfIf(Order):
    """Moves behind `if` of which no `then` says which are the answer."""


@dataclass(frozen=True, slots=True)
class SaidIf(Order):
    """A decision in advance behind `say`: one of the two is not meant."""


@dataclass(frozen=True, slots=True)
class ShowConditions(Order):
    """What I have decided so."""


@dataclass(frozen=True, slots=True)
class DropConditions(Order):
    """Nothing of it any more."""


@dataclass(frozen=True, slots=True)
class ShowBoard(Order):
    """The board, now or after a ply; `whole`: all of it in words."""

    public = True
    ply: Ply | None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Why(Order):
    """Say whether a move is legal, and by which rule not."""

    text: str


@dataclass(frozen=True, slots=True)
class Hint(Order):
    """What can I play, and, against nobody but bots, what should I?"""


@dataclass(frozen=True, slots=True)
class Undo(Order):
    """Take my move back."""


@dataclass(frozen=True, slots=True)
class Now(Order):
    """Let my move go out at once."""


@dataclass(frozen=True, slots=True)
class ShowHistory(Order):
    """The list of plies."""

    public = True


@dataclass(frozen=True, slots=True)
class ShowClocks(Order):
    """The clocks of all seats, and what they go by."""


@dataclass(frozen=True, slots=True)
class ShowChanges(Order):
    """What changed between two plies."""

    first: Ply
    last: Ply


# --- how the rest of a line is read ---------------------------------------------------------------


_DROP: Final = ("clear", "drop", "off", "none", "empty", "delete")


def condition(rest: str) -> Order | None:
    """What stands behind `if`; None for a sentence that only begins so."""
    branch = branch_of(f"if {rest}")
    return If(branch) if branch is not None else None


def queue(rest: str) -> Order | None:
    """What stands behind `queue`: nothing, `clear`, conditions, or a move for any case."""
    words = rest.casefold().strip(AROUND)
    if not words:
        return ShowConditions()
    if words in _DROP:
        return DropConditions()
    for text in (rest, f"if {rest}"):
        if (branch := branch_of(text)) is not None:
            return If(branch)
    if WORD.search(rest):
        return None
    return If(Branch((ANY,), clean(rest)))


def board(rest: str) -> Order | None:
    """A ply, or nothing, or `all`: then nothing is left out."""
    if rest.casefold() in ("all", "everything"):
        return ShowBoard(None, whole=True)
    number = rest.removeprefix("#").strip()
    if not number:
        return ShowBoard(None)
    if number.isascii() and number.isdigit() and len(number) < 6:  # noqa: PLR2004 - plies have few digits
        return ShowBoard(Ply(int(number)))
    return None


_PLIES: Final = re.compile(
    r"#?([0-9]{1,5})(?:\s*(?:-|,|\.\.|to|and)\s*|\s+)#?([0-9]{1,5})", re.IGNORECASE
)


def changes(rest: str) -> Order | None:
    """`N M` in either order."""
    found = _PLIES.fullmatch(rest)
    if found is None:
        return None
    first, last = sorted(int(number) for number in found.groups())
    return ShowChanges(Ply(first), Ply(last))


# --- verbs ----------------------------------------------------------------------------------------


VERBS: Final = (
    Verb(name="try", also=("preview",), order=any_text(Try), examples=("try {move}",),
         needs_match=True, moves=True),
    Verb(name="if", order=condition,
         examples=("if {move} then {answer}", "if any then {move}", "if any then resign yes"),
         needs_match=True, moves=True),
    Verb(name="queue", also=("premove",), order=queue,
         examples=("queue", "queue clear", "premove {move}"), needs_match=True, moves=True),
    Verb(name="board", also=("show",), order=board, examples=("board", "board 12", "board all"),
         needs_match=True, over_game=True),
    Verb(name="why", order=any_text(Why), examples=("why {move}",), needs_match=True,
         moves=True),
    Verb(name="hint", also=("give me a hint",), order=bare(Hint()), examples=("hint",),
         needs_match=True),
    Verb(name="undo", also=("takeback",), order=bare(Undo()), examples=("undo",),
         needs_match=True),
    Verb(name="now", also=("send now", "send it now"), order=bare(Now()),
         examples=("now",), needs_match=True),
    Verb(name="history", also=("moves",), order=bare(ShowHistory()), examples=("history",),
         needs_match=True),
    Verb(name="time", also=("clock",), order=bare(ShowClocks()), examples=("time",),
         needs_match=True),
    Verb(name="diff", also=("changes",), order=changes, examples=("diff 3 7",),
         needs_match=True),
)  # fmt: skip
