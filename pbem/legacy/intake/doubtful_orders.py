"""What of a letter that anybody may have written is kept and shown: orders, and no other text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.legacy.bots.levels import LEVELS
from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.legacy.intake.move_reading import Findings, one_move, readings_of
from pbem.legacy.mail.free_text import only_move
from pbem.legacy.mail.verbs.own import ChooseWish, Rename
from pbem.legacy.mail.verbs.playing import HalfIf, Move, SaidIf, Try, Why
from pbem.legacy.mail.verbs.seats import Join, NewGame
from pbem.legacy.mail.verbs.talking import Comment, Note, Say
from pbem.legacy.mail.verbs.verb_table import VERBS
from pbem.legacy.matches.match import Status
from pbem.legacy.players.names import is_linked, is_name
from pbem.legacy.players.wishes import BY_NAME, STOPPABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.legacy.mail.free_text import Reading, TypedOrder
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary
    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId
    from pbem.legacy.orders.context import LetterContext


# --- safe words ----------------------------------------------------------------------------------
# What may be shown of a letter that anybody may have written: words of ours, and nothing else.
#
# Whoever forges a letter must not write to its supposed writer through us: no address, name, number
# to dial or sentence of theirs stands in a mail of ours, only what could stand in a help mail,
# names of matches, squares, times and the like. All else is shown as `HIDDEN`.

HIDDEN: Final = "\u2026"
"""Stands for what is not repeated."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_VALUE: Final = re.compile(
    r"[a-z]{1,2}-?\d{1,3}|\d{1,4}[hd%]?|\d{1,2}:\d\d|\d{1,2}-\d{1,2}|\d{4}-\d\d-\d\d|\d{1,3}x\d"
    r"|\d{1,3}(?:/[+]?\d{1,3}){2}|(?:(?=[a-z]*\d)[2-9a-hj-km-np-tv-z]{5})?#?\d{0,4}",
    re.IGNORECASE,
)
"""Squares, numbers, times of day, days, time controls, names of matches with a ply."""

_SIGNS: Final = re.compile(r"[=+>,;]")
_INSIDE: Final = re.compile(r"[-_]")
_AROUND: Final = ",;:.!?\"'()"
_DIGITS: Final = 6
"""Digits of the numbers of a line that are shown: more might be dialled."""


def shown_order(typed: TypedOrder, words: Vocabulary) -> str | None:
    """An order in words of ours, or None where one of another's would be carried out unseen.

    A match that is to begin may be with anybody: how they are called is not shown, and whoever
    wrote the letter knows it.
    """
    line = " ".join(typed.typed.split())
    if isinstance(typed.order, NewGame):
        return _masked(line, words, numbers=False)
    shown = _masked(line, words)
    if shown == line:
        return line
    return _wish(typed.order) if isinstance(typed.order, ChooseWish) else None


def is_plain(text: str, words: Vocabulary) -> bool:
    """Whether a text is nothing but words of ours, and may be quoted as it is."""
    line = " ".join(text.split())
    return _masked(line, words) == line


def _wish(order: ChooseWish) -> str | None:
    """A wish as we would write it, if there is such a value."""
    wish = BY_NAME.get(order.name)
    try:
        return wish.written(wish.read(order.value)) if wish is not None else None
    except Rejection:
        return None


def _masked(line: str, words: Vocabulary, *, numbers: bool = True) -> str:
    known = _known(frozenset(_typed(words)))
    shown: list[str] = []
    for word in line.split():
        plain = all(_is_plain(part, known, numbers=numbers) for part in _parts(word))
        shown.append(word if plain else HIDDEN)
    # However many words are not shown: it is one sign, which says nothing of them.
    kept = [one for at, one in enumerate(shown) if one != HIDDEN or shown[at - 1 : at] != [HIDDEN]]
    digits = sum(len(part) for word in kept for part in _parts(word) if part.isdigit())
    return " ".join(kept) if digits <= _DIGITS else HIDDEN


def _parts(word: str) -> Iterator[str]:
    for part in _SIGNS.split(word.strip(_AROUND).casefold()):
        yield part.strip(_AROUND)


def _is_plain(part: str, known: frozenset[str], *, numbers: bool) -> bool:
    if known.issuperset(_INSIDE.split(part)) or not part:
        return True
    return (numbers or not part.isdigit()) and _VALUE.fullmatch(part) is not None


def _typed(words: Vocabulary) -> Iterator[str]:
    """What people may type in any language."""
    yield from (*words.verbs, *words.languages, *LEVELS)
    for known in (words.phrases, words.calendar, words.conditions, *words.games.values()):
        yield from known.meanings


@lru_cache(maxsize=4)
def _known(typed: frozenset[str]) -> frozenset[str]:
    return frozenset(word for text in (*typed, *_ours()) for word in _WORD.findall(text.casefold()))


def _ours() -> Iterator[str]:
    """What people may type beside verbs, without the names of anybody in examples."""
    for verb in VERBS:
        if verb.behind is None and not verb.moves:
            for example in verb.examples:
                yield " ".join(
                    word for word in example.split() if word.isalpha() and word.islower()
                )
    yield from (
        "if then any and or none bot bots easy medium hard open private seats with without",
    )
    yield from STOPPABLE
    for wish in BY_NAME.values():
        yield from wish.choices
    for game in GAMES.values():
        yield from (game.title, game.key.replace("_", " "), *game.keywords)
        for option in game.options:
            yield from (option.name.replace("_", " "), *option.values)


# --- doubtful orders -----------------------------------------------------------------------------
# What of a letter in somebody's name is held and shown to them: orders, and no other text.
#
# Whoever forges a letter must not write to its supposed writer through us. So prose stays out, and
# so do the orders that carry it: what is said to others, notes, tries, names, and moves that are
# none. What is shown is in words of ours.

LINES: Final = 12
"""Lines that are held at most."""

LONGEST: Final = 80
"""Characters of an order that is held: a longer one is left out, since a part is another order."""

LOOKED_AT: Final = 40
"""Orders of a letter that are looked at."""

MOVE: Final = 300
"""Characters of a move."""

ORDERS, WRITTEN = 4, 300
"""Lines and characters of an order that are kept of somebody whom nobody here knows."""

_PROSE: Final = (
    Say,
    Try,
    Why,
    SaidIf,
    HalfIf,
    Note,
    Comment,
)
"""Orders that hold whatever their writer likes."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is held of a letter, as it can be read again, and how it is shown.

    `more`: it said more, which nobody carries out.
    """

    held: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    more: bool = False


def doubted_lines(context: LetterContext, reading: Reading) -> Kept:
    """What is kept of a letter in a player's name."""
    unsure = _has_two_moves(context, reading)

    def line(typed: TypedOrder) -> _Line | None:
        is_move = isinstance(typed.order, Move)
        return None if unsure and is_move else _line(context, typed)

    return _kept(reading, line, LINES)


def _has_two_moves(context: LetterContext, reading: Reading) -> bool:
    """Whether it cannot be told which move is meant: then none is held (MAIL 1)."""
    try:
        found = one_move(context, reading, Findings())
    except Rejection:
        return False  # it says no match: each line is looked at for itself
    return any(typed.refused is not None for typed in found)


def registration_lines(reading: Reading, words: Vocabulary) -> Kept:
    """What is kept of a letter in the name of somebody whom nobody here knows.

    They may say how they want to be called, which is shown to nobody before they have answered.
    """

    def line(typed: TypedOrder) -> _Line | None:
        if isinstance(typed.order, Rename) and is_name(typed.order.name):
            return _Line([typed.typed], [_masked(typed.typed, words)])
        return _order(typed, words, WRITTEN)

    return _kept(reading, line, ORDERS)


def _kept(reading: Reading, line: Callable[[TypedOrder], _Line | None], most: int) -> Kept:
    more = bool(reading.comments) or len(reading.orders) > LOOKED_AT
    held: list[str] = []
    shown: list[str] = []
    for typed in reading.orders[:LOOKED_AT]:
        found = line(typed)
        if found is None or len(held) + len(found.held) > most:
            more = True
            continue
        held.extend(found.held)
        shown.extend(found.shown)
    return Kept(tuple(held), tuple(shown), more)


class _Line(NamedTuple):
    """The lines of one order: as it can be read again, and as it is shown."""

    held: list[str]
    shown: list[str]


def _line(context: LetterContext, typed: TypedOrder) -> _Line | None:
    """An order in a player's name, or None if it may hold anything."""
    if isinstance(typed.order, Move):
        lines = _move(context, typed, typed.order.text)
        return _Line(lines, lines) if lines is not None else None
    if sum("@" in word for word in typed.typed.split()) > 1:
        return None
    return _order(typed, context.matches.house.words, LONGEST)


def _order(typed: TypedOrder, words: Vocabulary, longest: int) -> _Line | None:
    """The same, whoever writes; a link of the writer's is nothing that an order needs."""
    if isinstance(typed.order, Join) and typed.order.token:
        return _seat(typed, typed.order, words)
    shown = shown_order(typed, words)
    named = " ".join(word for word in typed.typed.split() if "@" not in word)
    if shown is None or isinstance(typed.order, _PROSE) or is_linked(named):
        return None
    return _Line(typed.typed.split("\n"), [shown]) if len(typed.typed) <= longest else None


def _seat(typed: TypedOrder, order: Join, words: Vocabulary) -> _Line | None:
    """The seat of an invitation by a link, shown by the name of its match."""
    if order.words:
        return None
    verb = words.verb.match(typed.typed)
    said, colour = verb[1] if verb is not None else "join", f" {order.colour}".rstrip()
    return _Line([f"join {order.token}{colour}"], [f"{said} {order.match}{colour}"])


def _move(context: LetterContext, typed: TypedOrder, text: str) -> list[str] | None:
    """The move; None where there is none on the board."""
    match = _match_of(context, typed)
    seat = match.seat_of(context.sender) if match is not None else None
    if match is None or seat is None:
        return None

    tried = readings_of(match, seat)
    said = only_move(text, tried)
    written = tried.move(said) if said is not None else None
    if said is None or written is None:
        return None
    if is_plain(said, context.matches.house.words):
        written = " ".join(said.split())
    # Else in the game's words, not the writer's: a forgiving grammar reads over what it knows not.
    return [f"{_guard(typed)}{written}"] if len(written) <= MOVE else None


def _guard(typed: TypedOrder) -> str:
    if typed.match is None and typed.ply is None:
        return ""
    ply = f"#{typed.ply}" if typed.ply is not None else ""
    back = f".{typed.back}" if typed.ply is not None and typed.back else ""
    return f"{typed.match or ''}{ply}{back} "


def _match_of(context: LetterContext, typed: TypedOrder) -> Match | None:
    name: MatchId | None = typed.match or context.home
    if name is None:
        rows = context.own_matches((Status.RUNNING.value,))
        name = rows[0].id if len(rows) == 1 else None
    loaded = context.matches.found(name) if name is not None else None
    found = loaded.match if loaded is not None else None
    return found if found is not None and found.status is Status.RUNNING else None
