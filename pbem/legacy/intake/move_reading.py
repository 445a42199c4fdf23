"""The moves of a letter, each in its match: read for who is to move there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.legacy.mail import free_text
from pbem.legacy.mail.free_text import Labelled, Reading, Readings, TypedOrder, move_said
from pbem.legacy.mail.verbs.playing import Move
from pbem.legacy.matches.course import ReadMove
from pbem.legacy.matches.match import Status, StepKind
from pbem.legacy.notices.replies import OrderRefused
from pbem.legacy.orders.context import MoveAsked, match_of
from pbem.legacy.orders.reply_context import notice_answered, open_questions
from pbem.legacy.store.people import roster

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId
    from pbem.legacy.orders.context import LetterContext

_WORD: Final = re.compile(r"\w+")

_LONGEST: Final = 400
"""Characters of a turn as its game writes it, at most: no longer line is played for one."""


@dataclass(slots=True)
class Findings:
    """What comes to light beside the moves of a letter, as `Orders` has it."""

    asked: tuple[MoveAsked, ...] = ()


def one_move(context: LetterContext, reading: Reading, findings: Findings) -> list[TypedOrder]:
    """The orders with at most one move a match, as the one span of text that reads as a move.

    A move that only may be meant is to be asked about, and its order is gone from the result. Where
    different moves are written, the first of them is refused as `two_moves_in_mail`.
    """
    blocks: dict[MatchId, list[TypedOrder]] = {}
    for order in reading.orders:
        if isinstance(order.order, Move):
            blocks.setdefault(match_of(context, order), []).append(order)
    said: dict[int, TypedOrder | None] = {}
    for name, moves in blocks.items():
        match = context.matches.match(name)
        tried = _tried(context, match)
        pieces = reading.pieces_in(name, context.home)
        asked = bool(match.pending.asking)
        found = move_said(
            moves,
            pieces[:-1] if asked else pieces,  # a `no` answers what else is asked
            tried,
            context.matches.house.words,
            names=cache(partial(context.names, match)),
            elsewhere=cache(partial(_named_elsewhere, context, match)),
            asked_before="" if asked else _move_asked(context, tried),
            replaces=tried is not None and tried.seat in match.pending.held,
        )
        said |= dict.fromkeys(map(id, moves))
        unread = found.unread.quoted
        one = _as_read(found.order, tried, match)
        said[id(found.block)] = replace(one, unread=unread) if one is not None else None
        if found.asked is not None:
            doubted = MoveAsked(
                match=name,
                ply=match.course.ply,
                version=match.version,
                unread=unread,
                **found.asked._asdict(),
            )
            findings.asked += (doubted,)
    kept = (said.get(id(order), order) for order in reading.orders)
    return [order for order in kept if order is not None]


def completed_move(context: LetterContext, reading: Reading) -> TypedOrder | None:
    """The move of a letter that answers a refusal with what was missing: `klein`, where `b6` was.

    The words that were refused and these are a move together, and nothing else is said. Where these
    alone are one, too, it is refused as `two_moves_in_mail`.
    """
    refused = notice_answered(context, OrderRefused)
    home, tried = context.home, _at_home(context)
    if home is None or tried is None or refused is None or refused.match != home:
        return None
    if "choices" not in refused.facts or not all(map(_is_unnamed_move, reading.orders)):
        return None
    words, names = context.matches.house.words, context.names(context.matches.match(home))
    said = free_text.without_courtesy(reading.lines, names, words)
    if said is None or len(said) + len(refused.typed) > _LONGEST:
        return None
    ways = (f"{refused.typed} {said}", f"{said} {refused.typed}")
    text, *both_ways = (words.game_text(tried.game, one) for one in (said, *ways))
    found = {move: whole for whole in both_ways if (move := tried.move(whole)) is not None}
    alone = tried.move(text)
    if len(found) != 1 or alone in found:
        return None
    [(notation, whole)] = found.items()
    both = Rejection("two_moves_in_mail", candidates=[notation, alone]) if alone else None
    return TypedOrder(order=Move(whole), typed=said, refused=both)


def _is_unnamed_move(typed: TypedOrder) -> bool:
    return isinstance(typed.order, Move) and typed.match is None and typed.ply is None


def plain_move(context: LetterContext, lines: Sequence[str]) -> TypedOrder | None:
    """The move that a letter of one line is, as the game itself writes it; None for any other.

    Nothing in it can be meant otherwise, so that nothing else is looked at.
    """
    tried = _at_home(context)
    if tried is None or context.home is None or len(lines) != 1 or len(lines[0]) > _LONGEST:
        return None
    notation = tried.move(lines[0])
    if notation is None or " ".join(lines[0].split()).casefold() != notation.casefold():
        return None
    match = context.matches.match(context.home)
    if not match.pending.asking and _move_asked(context, tried) is not None:
        return None
    move = TypedOrder(order=Move(lines[0]), typed=lines[0])
    return _as_read(move, tried, match)


def readings_of(match: Match, seat: Seat) -> Readings:
    """What texts are to a seat of a match as it stands."""
    moves = [step.text for step in match.course.steps if step.kind is StepKind.MOVE]
    return Readings(
        match.game, match.course.position, seat, moves, moves[-len(match.table.players) :]
    )


def _tried(context: LetterContext, match: Match | None) -> Readings | None:
    """What texts are to the writer in a match; None where they are not to move."""
    seat = match.seat_of(context.sender) if match is not None else None
    if match is None or seat is None or seat not in match.to_act:
        return None
    return readings_of(match, seat)


def _at_home(context: LetterContext) -> Readings | None:
    return _tried(
        context, context.matches.match(context.home) if context.home is not None else None
    )


def _move_asked(context: LetterContext, tried: Readings | None) -> str | None:
    """The move that the answered mail asks about, if it does."""
    open_ones = open_questions(context) if context.answered is not None else []
    lines = open_ones[0].facts.get("lines") if open_ones else None
    if tried is None or not isinstance(lines, list | tuple) or not lines:
        return None
    return tried.move(str(lines[0]))


def _as_read(one: TypedOrder | None, tried: Readings | None, match: Match) -> TypedOrder | None:
    """The order with the move that its text is, so that nobody reads it again."""
    if one is None or tried is None or one.refused or not isinstance(one.order, Move):
        return one
    text = one.order.text
    if (notation := tried.move(text)) is None:
        return one
    move = tried.value(text)
    return replace(one, read=ReadMove(text, tried.seat, move, notation, match.version))


def whole_moves(context: LetterContext) -> Callable[[str], bool]:
    """What says whether a line is a whole move, legal or not, in the match that is answered."""
    tried = _at_home(context)
    return free_text.whole_moves(tried) if tried is not None else lambda _: False


def with_misreading(
    context: LetterContext, match: Match, order: TypedOrder, text: str
) -> TypedOrder:
    """The order of a text that may be no legal move, with what to say of it then."""
    tried = _tried(context, match)
    if tried is None:
        return order
    return free_text.with_misreading(order, text, tried, context.matches.house.words)


def said_move(context: LetterContext, reading: Reading) -> Reading | None:
    """A certain move in what looks like comment."""
    tried = _at_home(context)
    if tried is None or context.home is None:
        return None
    names = cache(partial(context.names, context.matches.match(context.home)))
    return free_text.said_move(reading, tried, context.matches.house.words, names)


def _named_elsewhere(context: LetterContext, match: Match) -> frozenset[str]:
    """The words by which the writer's other matches are called, and this one is not."""
    others = [one.words for one in labels_of(context) if one.match != match.id]
    here = {*context.names(match), *_WORD.findall(match.game.title.casefold())}
    return frozenset().union(*others) - here


def labels_of(context: LetterContext) -> list[Labelled]:
    """The writer's matches that run, the one that is answered first, and how they may be called."""
    found = []
    for row in context.own_matches((Status.RUNNING.value,)):
        match = context.matches.match(row.id)
        players = roster.players(context.matches.conn, match.table.players)
        names = [one.name for key, one in players.items() if key != context.sender]
        named = frozenset(_WORD.findall(" ".join([row.id, match.game.title, *names]).casefold()))
        mine = players[context.sender].name.casefold()
        found.append(Labelled(row.id, named, frozenset(_WORD.findall(mine))))
    return sorted(found, key=lambda one: one.match != context.home)
