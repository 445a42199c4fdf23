"""Beside the table: who watches, what is said, noted and commented, hints, what each has to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal

from pbem.bots.levels import PATIENT
from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.matches.events import (
    MessageSaid,
    WatchBegan,
    WatchEnded,
)
from pbem.matches.match import Match, Pending, Table, require_running, require_seat, require_turn
from pbem.matches.operator_events import MatchRolledBack, SeatReassigned
from pbem.matches.seat_events import (
    HintAsked,
    HintGiven,
    MoveCommented,
    NoteKept,
    SeatTakenOver,
    TakebackGranted,
)
from pbem.matches.steps import Comment, Hinted, Status
from pbem.matches.unfolding import Deciding, Unfolding
from pbem.names import Digest, PlayerId, bot_level, is_bot, is_only_bots

# --- watching ------------------------------------------------------------------------------------
# Who watches a match: a spectator sees what is public, changes nothing, and says nothing.
#
# What is public is so at once: no seat knows less than a spectator, and a move in the correction
# window is nobody's yet. So there is no delay (docs/decisions/0007).


def watch(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Be told of every move from now on; nothing happens where one is already. Raises Rejection."""
    match = unfolding.match
    require_running(match)
    if player in match.table.players:
        raise Rejection("own_match")
    if match.table.private:
        raise Rejection("nothing_to_watch", match=match.id)
    if player not in match.table.watchers:
        yield WatchBegan(player=player)


def unwatch(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Watch no more. Raises Rejection `not_watching`."""
    if player not in unfolding.match.table.watchers:
        raise Rejection("not_watching")
    yield WatchEnded(player=player)


def say(unfolding: Unfolding, player: PlayerId, *, text: Digest) -> Deciding:
    """Say something to the others in the match; the text is sealed beforehand."""
    if not may_speak(player, unfolding.match):
        raise Rejection("not_seated")
    yield MessageSaid(author=player, text=text)


def keep_note(unfolding: Unfolding, player: PlayerId, *, text: Digest) -> Deciding:
    """Write down something for oneself; the text is sealed beforehand."""
    match = unfolding.match
    if player not in match.table.players:
        raise Rejection("not_seated")
    yield NoteKept(author=player, ply=match.course.ply, text=text)


def may_speak(player: PlayerId, match: Match) -> bool:
    """Whether somebody may say something: who watches may when the match is over."""
    watches = player in match.table.watchers and match.status is Status.ENDED
    return player in match.table.players or watches


def said_by(match: Match, player: PlayerId) -> list[Digest]:
    """What somebody has said in a match, in its order: messages, and comments after the end."""
    messages = [(at, 1, one.author, one.text) for at, one in enumerate(match.table.said)]
    comments = [(one.behind, 0, one.author, one.text) for one in match.table.comments]
    spoken = sorted([*messages, *comments], key=lambda one: one[:2])
    return [text for _, _, author, text in spoken if author == player]


def heard_of(match: Match, player: PlayerId) -> tuple[PlayerId, ...]:
    """The others at the table, and whoever else has said something there: no silent spectator."""
    table = match.table
    said = [one.author for one in table.said] + [one.author for one in table.comments]
    return tuple(dict.fromkeys(one for one in (*table.players, *said) if one != player))


def judged_watching(state: Match, event: WatchBegan | WatchEnded) -> Iterator[str]:
    """What is wrong with somebody coming to watch, or going."""
    player = event.player
    if isinstance(event, WatchEnded):
        if player not in state.table.watchers:
            yield "somebody watched no more who had not watched"
        return
    if state.status is not Status.RUNNING or state.table.private:
        yield "somebody watched what cannot be watched"
    if player in (*state.table.players, *state.table.watchers):
        yield "somebody watched who is there already"


# --- comments ------------------------------------------------------------------------------------
# What players and spectators say of the moves of a match that is over, for all who may see it.

MOST_COMMENTS: Final = 100
"""Of one person on one match."""


def comment(unfolding: Unfolding, player: PlayerId, *, ply: Ply | None, text: Digest) -> Deciding:
    """Say something of a move (None: of the match); it is sealed beforehand. Raises Rejection."""
    match = unfolding.match
    require_open_to_comments(match)
    if not may_speak(player, match):
        raise Rejection("not_seated")
    if ply is not None and ply > match.course.ply:
        raise Rejection("no_such_ply", ply=ply, last=match.course.ply, over=True)
    if sum(one.author == player for one in match.table.comments) >= MOST_COMMENTS:
        raise Rejection("too_many_comments", limit=MOST_COMMENTS, daily=False)
    yield MoveCommented(author=player, ply=ply, text=text)


def require_open_to_comments(match: Match) -> None:
    """Raise Rejection unless the match is over, after which nobody is told anything too early."""
    if match.status is Status.RUNNING:
        raise Rejection("comment_too_early")
    if match.status is not Status.ENDED:
        require_running(match)


def judged_comment(state: Match, event: MoveCommented) -> Iterator[str]:
    """What is wrong with a comment, in words."""
    if state.status is not Status.ENDED or not may_speak(event.author, state):
        yield "somebody commented on a match who may not, or not yet"
    if event.ply is not None and not 0 <= event.ply <= state.course.ply:
        yield f"a comment is on ply {event.ply}, which there is not"


def _commented(table: Table, event: MoveCommented, _: Match) -> Table:
    comment = Comment(event.author, event.ply, event.text, behind=len(table.said))
    return replace(table, comments=(*table.comments, comment))


# --- hints ---------------------------------------------------------------------------------------
# A move and why, from the best bot that there is, for whoever plays against nobody but bots. Nobody
# else hears of it before the end; a move that is made meanwhile voids it.

MOST_HINTS: Final = 3
"""Hints of a match."""


def _hint_asked(pending: Pending, event: HintAsked, _: Match) -> Pending:
    return replace(pending, hint=(event.seat, event.ply))


def _hint_void(pending: Pending, _: object, _match: Match) -> Pending:
    return replace(pending, hint=None) if pending.hint is not None else pending


def _hint_given(table: Table, event: HintGiven, match: Match) -> Table:
    return replace(table, hints=(*table.hints, Hinted(event, match.course.position)))


OPENS: Final[Mapping[type[Any], Callable[[Pending, Any, Match], Pending]]] = {
    HintAsked: _hint_asked,
}

CLOSES: Final[Mapping[type[Any], Callable[[Pending, Any, Match], Pending]]] = dict.fromkeys(
    (
        HintGiven,
        SeatTakenOver,
        SeatReassigned,
        TakebackGranted,
        MatchRolledBack,
    ),
    _hint_void,
)
"""Moves need not be named: what was asked for another ply is asked no more (`hint_awaited`)."""

TABLE: Final[Mapping[type[Any], Callable[[Table, Any, Match], Table]]] = {
    HintGiven: _hint_given,
    MoveCommented: _commented,
}


def only_among_bots(match: Match, player: PlayerId) -> bool:
    """Whether nobody but bots has ever sat in the match beside a player."""
    return is_only_bots([one for one in match.table.entrants if one != player])


def hints_left(match: Match, seat: Seat) -> int:
    """How many more hints a seat may have; what was given stays given if moves are taken back."""
    return MOST_HINTS - sum(one.hint.seat == seat for one in match.table.hints)


def hint_awaited(match: Match) -> Seat | None:
    """Who waits for a hint: somebody who has not moved since, nor has a move that is held."""
    if match.pending.hint is None:
        return None
    seat, ply = match.pending.hint
    waits = ply == match.course.ply and seat in match.to_act and seat not in match.pending.held
    return seat if waits else None


def hint_for(match: Match, seat: Seat | None) -> HintGiven | None:
    """The hint that a seat has had for the position as it is, if any."""
    if match.status is not Status.RUNNING or seat not in match.to_act:
        return None
    here = match.course.position
    given = (one for one in match.table.hints if one.hint.seat == seat and one.position == here)
    return next((one.hint for one in given), None)


def ask_hint(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Ask for a move. Raises Rejection.

    Nothing happens between people, to whom nobody gives advice, nor where one has been given, or is
    on its way.
    """
    match = unfolding.match
    seat = require_seat(player, match)
    require_turn(seat, match)
    if not only_among_bots(match, player):
        return
    if seat in match.pending.held:
        raise Rejection("hint_held")
    if hint_awaited(match) == seat or hint_for(match, seat) is not None:
        return
    if not hints_left(match, seat):
        raise Rejection("hints_spent", most=MOST_HINTS)
    yield HintAsked(seat=seat, ply=match.course.ply)


def give_hint(unfolding: Unfolding, hint: HintGiven | None) -> Deciding:
    """Tell a seat the move that was found, if it still waits for one."""
    if hint is not None and hint_awaited(unfolding.match) == hint.seat:
        yield hint


def judged_hint(state: Match, event: HintAsked | HintGiven) -> Iterator[str]:
    """What is wrong with a hint, in words."""
    seat = event.seat
    if seat not in state.to_act or event.ply != state.course.ply:
        yield f"seat {seat} has a hint out of turn"
        return
    if not only_among_bots(state, state.player_at(seat)):
        yield "there is a hint between people"
    if hints_left(state, seat) < 1:
        yield f"seat {seat} has more than {MOST_HINTS} hints"
    if isinstance(event, HintAsked):
        return
    if hint_awaited(state) != seat:
        yield f"seat {seat} has a hint that it had not asked for"
    try:
        state.game.read(event.notation, state.course.position)
    except Rejection:
        yield f"a hint names {event.notation}, which is no move"


# --- duties --------------------------------------------------------------------------------------
# What a match asks of a seat: of a bot the next thing, of a person a move by a deadline.

_NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Duty:
    """What a bot is to do next, or what is to be done for a `player`.

    accept: take the seat that it is invited to; decline_draw: answer an offer, which a bot never
    accepts; resign: nobody plays against it any more but other bots; hint: find a move for somebody
    who has asked; play: make a move.
    """

    player: PlayerId
    what: Literal["accept", "decline_draw", "resign", "hint", "play"]


def duty(match: Match) -> Duty | None:
    """The first thing that the match waits for some bot to do, or None."""
    if match.status is Status.CHALLENGE:
        return next((Duty(bot, "accept") for bot in match.waiting_for if is_bot(bot)), None)
    if match.status is not Status.RUNNING:
        return None
    playing = [match.player_at(seat) for seat in match.table.playing]
    bots = [player for player in playing if is_bot(player)]
    if not bots:
        return None
    if len(bots) == len(playing):
        # Nobody is left to whom it would matter, and some games of bots alone do not end.
        return Duty(bots[-1], "resign")
    offer = match.pending.offer
    if offer is not None:
        answered = {match.player_at(seat) for seat in (offer.seat, *offer.accepted)}
        asked = [bot for bot in bots if bot not in answered]
        if asked:
            return Duty(asked[0], "decline_draw")
    if match.pending.hint is not None and (seat := hint_awaited(match)) is not None:
        return Duty(match.player_at(seat), "hint")
    acting = [match.player_at(seat) for seat in match.to_act]
    return next((Duty(bot, "play") for bot in acting if is_bot(bot)), None)


def level_of(match: Match, bot: PlayerId) -> str:
    """How well a bot plays in a match: a teacher is patient."""
    return PATIENT if match.terms.lesson else bot_level(bot)


def deadline(match: Match, player: PlayerId) -> datetime | None:
    """Until when a player has to move, if a clock runs that only their move can stop."""
    seat = match.seat_of(player)
    if seat is None or match.clocks is None or match.status is not Status.RUNNING:
        return None
    running = match.clocks.running.get(seat)
    return running.due if running is not None and seat not in match.pending.held else None


def by_deadline(matches: Iterable[Match], player: PlayerId) -> list[Match]:
    """The matches, those with the nearest deadline of a player first, those without one last."""
    return sorted(matches, key=lambda match: deadline(match, player) or _NEVER)
