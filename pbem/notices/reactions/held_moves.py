"""What is owed for moves in the correction window: to the player who made them, to nobody else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.matches.events import Event, MovePlayed
from pbem.matches.match import Match, Status
from pbem.matches.second_thoughts.correction_window import HeldText, held_text, refusal
from pbem.matches.undo_events import MoveHeld, MoveWithdrawn
from pbem.notices.news import MoveKept, MoveReceipt, MoveReturned
from pbem.notices.replies import OrderRefused

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.names import PlayerId
    from pbem.notices.notice import Notice


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
    for seat, held in before.held.items():
        text = held_text(before, held.move)
        if text is not None and seat not in {*match.held, *settled}:
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
    held = match.held.get(event.seat)
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
    return seat in before.conditions and seat not in match.conditions


def _returned(
    event: MoveWithdrawn, before: Match, match: Match
) -> Iterator[tuple[PlayerId, Notice]]:
    text = held_text(match, event.move)
    gone_on = event.seat in match.held or match.ply >= event.ply
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
    held = before.held.get(notice.seat)
    return held is not None and held.ply == notice.ply
