"""What is told of moves and of what may be regretted: held moves, resignations, takebacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from pbem.games.game import Ply, Seat
from pbem.legacy.matches.events import Event, MovePlayed
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.resigning import ResignationTakenBack
from pbem.legacy.matches.takebacks import TakebackAsked, TakebackDeclined, TakebackGranted
from pbem.legacy.matches.window import HeldText, MoveHeld, MoveWithdrawn, held_text, refusal
from pbem.names import MatchId
from pbem.legacy.notices.notice import Notice, Owed, Owing, Place, Traits
from pbem.legacy.notices.replies import OrderRefused


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveKept(Notice):
    """Your move was understood and goes out at `until`, unless you take it back.

    With it go a draw offer, and so many messages. `dropped`: what was decided for after the move
    that it replaces is void.
    """

    traits = Traits(wish="receipts", on_page=True)

    match: MatchId
    seat: Seat
    notation: str
    until: str
    draw: bool = False
    says: int = 0
    dropped: bool = False
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveReturned(Notice):
    """Your move was taken back before anybody saw it; it is your turn as before.

    `says` counts the messages that were to go out with it; `dropped`: what was decided for after it
    is void. `unanswered`: its player was asked about it, and did not answer in time.
    """

    traits = Traits(teaches=True, on_page=True)

    match: MatchId
    seat: Seat
    notation: str
    says: int = 0
    dropped: bool = False
    unanswered: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ResignationKept(Notice):
    """You have resigned, which is final at `until` unless you take it back.

    `condition`: you had decided so for this case.
    """

    traits = Traits(
        place=Place.RESIGNATION,
        asks="resigned",
        answers=("undo", "yes"),
        own_address=True,
        on_page=True,
    )

    match: MatchId
    seat: Seat
    until: str
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ResignationOff(Notice):
    """You do not resign after all: you took it back, you have moved, or moves were taken back."""

    traits = Traits(teaches=True, on_page=True)

    match: MatchId
    seat: Seat
    why: Literal["undone", "moved", "changed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackWanted(Notice):
    """Somebody asks to go back to after `ply` plies: accept or decline."""

    traits = Traits(asks="yes", on_page=True, about="seat")

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackRefused(Notice):
    """A seat declined the takeback that you asked for, or moved on."""

    traits = Traits(on_page=True, about="seat")

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class MovesTakenBack(Notice):
    """All agreed: the match is as it was after `ply` plies, before the last move of `seat`."""

    traits = Traits(on_page=True, about="seat")

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveReceipt(Notice):
    """Your move was played as ply `ply`."""

    traits = Traits(wish="receipts", lasts=True, on_page=True)

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class PagePlayed(Notice):
    """You played a move as ply `ply` on the page, at `at`; the page was its receipt.

    No mail is made for it: the next one about the match tells it.
    """

    traits = Traits(waits=True, lasts=True, on_page=True)

    match: MatchId
    seat: Seat
    ply: Ply
    notation: str
    at: str


# --- held moves ----------------------------------------------------------------------------------
# What is owed for moves in the correction window: to the player who made them, to nobody else.


def window_news(events: Sequence[Event], before: Match, match: Match) -> Iterator[Owed]:
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


def _lost(events: Sequence[Event], before: Match, match: Match) -> Iterator[Owed]:
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


def _kept(event: MoveHeld, before: Match, match: Match) -> Iterator[Owed]:
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


def _returned(event: MoveWithdrawn, before: Match, match: Match) -> Iterator[Owed]:
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


def _moved(event: MovePlayed, match: Match) -> Iterator[Owed]:
    if not event.forced and match.status is Status.RUNNING:
        receipt = MoveReceipt(match=match.id, seat=event.seat, ply=event.ply)
        yield match.player_at(event.seat), receipt


OWING: Final[Owing] = {MovePlayed: _moved}


# --- resignations --------------------------------------------------------------------------------
# What is owed for resignations that are held: to who sent them, to nobody else.


def resignation_news(events: Sequence[Event], before: Match, match: Match) -> Iterator[Owed]:
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


def takeback_news(events: Sequence[Event], before: Match, match: Match) -> Iterator[Owed]:
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


def _refused(match: Match, asker: Seat, seat: Seat) -> Owed:
    return match.player_at(asker), TakebackRefused(match=match.id, seat=seat)
