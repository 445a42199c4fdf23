"""What is owed for what may be regretted: held moves, resignations, takebacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.matches.events import Event, MovePlayed
from pbem.matches.match import Match, Status
from pbem.matches.resigning import ResignationTakenBack
from pbem.matches.takebacks import TakebackAsked, TakebackDeclined, TakebackGranted
from pbem.matches.window import HeldText, MoveHeld, MoveWithdrawn, held_text, refusal
from pbem.notices.news import (
    MoveKept,
    MoveReceipt,
    MoveReturned,
    MovesTakenBack,
    ResignationKept,
    ResignationOff,
    TakebackRefused,
    TakebackWanted,
)
from pbem.notices.replies import OrderRefused

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.matches.match import Match
    from pbem.names import PlayerId
    from pbem.notices.notice import Notice


# --- held moves ----------------------------------------------------------------------------------
# What is owed for moves in the correction window: to the player who made them, to nobody else.


def window_news(
    events: Sequence[Event], before: Match, match: Match
) -> Iterator[tuple[PlayerId, Notice]]:
    """The receipt of a move that is held, and the news that one will not go out.

    What was held and played, replaced or undone by the same letter needs no word more.
    """
    yield from _lost(events, before, match)
    if match.status is not Status.RUNNING:
        return
    for event in events:
        if isinstance(event, MoveHeld) and not event.asked:
            yield from _kept(event, before, match)
        elif isinstance(event, MoveWithdrawn):
            yield from _returned(event, before, match)


def _lost(
    events: Sequence[Event], before: Match, match: Match
) -> Iterator[tuple[PlayerId, Notice]]:
    """What went without a word of its own: the match went back, or is over."""
    settled = {
        event.seat for event in events if isinstance(event, MovePlayed | MoveHeld | MoveWithdrawn)
    }
    for seat, held in before.pending.held.items():
        text = held_text(before, held.move)
        if text is not None and seat not in {*match.pending.held, *settled}:
            yield before.player_at(seat), _back(seat, text, before, match)


def _back(seat: Seat, text: HeldText, before: Match, match: Match) -> MoveReturned:
    return MoveReturned(
        match=match.id,
        seat=seat,
        notation=text.notation,
        says=len(text.says),
        dropped=_dropped(seat, before, match),
    )


def _kept(event: MoveHeld, before: Match, match: Match) -> Iterator[tuple[PlayerId, Notice]]:
    held = match.pending.held.get(event.seat)
    text = held_text(match, event.move)
    if held is None or held.move != event.move or text is None:
        return
    yield (
        match.player_at(event.seat),
        MoveKept(
            match=match.id,
            seat=event.seat,
            notation=text.notation,
            until=event.until.isoformat(),
            draw=text.draw,
            says=len(text.says),
            dropped=_dropped(event.seat, before, match),
        ),
    )


def _dropped(seat: Seat, before: Match, match: Match) -> bool:
    return seat in before.pending.conditions and seat not in match.pending.conditions


def _returned(
    event: MoveWithdrawn, before: Match, match: Match
) -> Iterator[tuple[PlayerId, Notice]]:
    text = held_text(match, event.move)
    gone_on = event.seat in match.pending.held or match.course.ply >= event.ply
    if text is None or gone_on or event.reason == "replaced":
        return
    reader = match.player_at(event.seat)
    if event.reason in ("undone", "unanswered"):
        back = _back(event.seat, text, before, match)
        yield reader, replace(back, unanswered=event.reason == "unanswered")
        return
    refused = refusal(match, event.seat, text)
    if refused is None or text.says:
        yield reader, _back(event.seat, text, before, match)
    if refused is not None:
        yield (
            reader,
            OrderRefused(
                match=match.id,
                typed=text.typed,
                code=refused.code,
                facts=refused.facts,
                game=match.game.key,
                of_seat=True,
            ),
        )


def is_known(notice: Notice, before: Match) -> bool:
    """Whether a receipt would say no more than that of the held move did."""
    if not isinstance(notice, MoveReceipt):
        return False
    held = before.pending.held.get(notice.seat)
    return held is not None and held.ply == notice.ply


# --- resignations --------------------------------------------------------------------------------
# What is owed for resignations that are held: to who sent them, to nobody else.


def resignation_news(
    events: Sequence[Event], before: Match, match: Match
) -> Iterator[tuple[PlayerId, Notice]]:
    """The receipt of a resignation, and that one is off.

    One that came and went in the same letter needs no word more.
    """
    if match.status is not Status.RUNNING:
        return
    for seat, held in match.pending.resigning.items():
        then = before.pending.resigning.get(seat)
        if then is None or then.version != held.version:
            until = held.until.isoformat()
            yield (
                match.player_at(seat),
                ResignationKept(match=match.id, seat=seat, until=until, condition=held.condition),
            )
    back = {event.seat: event.reason for event in events if isinstance(event, ResignationTakenBack)}
    for seat in before.pending.resigning.keys() - match.pending.resigning.keys():
        stays = match.player_at(seat) == before.player_at(seat)
        if stays and seat in match.table.playing:
            off = ResignationOff(match=match.id, seat=seat, why=back.get(seat, "changed"))
            yield match.player_at(seat), off


# --- takebacks -----------------------------------------------------------------------------------
# What is owed when a takeback is asked for, declined, granted, or lapses.


def takeback_news(
    events: Sequence[Event], before: Match, match: Match
) -> Iterator[tuple[PlayerId, Notice]]:
    """The question to the others, the answer to who asked, and to all that the match went back."""
    for event in events:
        match event:
            case TakebackAsked(seat=seat, ply=ply) if match.pending.takeback is not None:
                for other in match.table.playing:
                    if other != seat:
                        wanted = TakebackWanted(match=match.id, seat=seat, ply=ply)
                        yield match.player_at(other), wanted
            case TakebackDeclined(seat=seat) if before.pending.takeback is not None:
                yield _refused(match, before.pending.takeback.seat, seat)
            case TakebackGranted(seat=seat, ply=ply):
                for other in match.table.playing:
                    back = MovesTakenBack(match=match.id, seat=seat, ply=ply)
                    yield match.player_at(other), back
            case MovePlayed(seat=seat, forced=False):
                if before.pending.takeback is not None and before.pending.takeback.seat != seat:
                    yield _refused(match, before.pending.takeback.seat, seat)
            case _:
                pass


def _refused(match: Match, asker: Seat, seat: Seat) -> tuple[PlayerId, Notice]:
    return match.player_at(asker), TakebackRefused(match=match.id, seat=seat)
