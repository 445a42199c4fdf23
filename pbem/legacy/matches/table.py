"""Beside the table: who watches, what is said, noted and commented, what each has to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Literal

from pbem.legacy.bots.levels import PATIENT
from pbem.errors import Rejection
from pbem.games.game import Ply
from pbem.legacy.matches.events import Event, Eyes, Visible
from pbem.legacy.matches.hints import hint_awaited
from pbem.legacy.matches.match import Match, Table, require_running
from pbem.legacy.matches.steps import Comment, Remark, Status
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding
from pbem.names import Digest, PlayerId, bot_level, is_bot


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageSaid(Event):
    """Somebody in the match said something to the others; the text is sealed."""

    visible = Visible(Eyes.TABLE, texts=Eyes.TABLE_ALONE)
    author: PlayerId
    text: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchBegan(Event):
    """Somebody who does not play wants to be told of every move."""

    visible = Visible(Eyes.OWN_ALONE)
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchEnded(Event):
    """A spectator went away, or is not welcome any more."""

    visible = Visible(Eyes.OWN_ALONE)
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteKept(Event):
    """A player wrote down something for nobody else, after `ply` plies; the text is sealed."""

    visible = Visible(Eyes.OWN, texts=Eyes.PRIVATE)
    author: PlayerId
    ply: Ply
    text: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveCommented(Event):
    """After the end somebody said something about the move that was ply `ply`; the text is sealed.

    `ply` 0 is the board as the match began, None the match as a whole. Whoever may see the match
    may read it.
    """

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.EVERYBODY)
    author: PlayerId
    ply: Ply | None
    text: Digest


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


def _watched(table: Table, event: WatchBegan, _: Match) -> Table:
    return replace(table, watchers=(*table.watchers, event.player))


def _gone(table: Table, event: WatchEnded, _: Match) -> Table:
    return replace(table, watchers=tuple(one for one in table.watchers if one != event.player))


def _said(table: Table, event: MessageSaid, match: Match) -> Table:
    return replace(table, said=(*table.said, Remark(event.author, match.course.ply, event.text)))


def _noted(table: Table, event: NoteKept, match: Match) -> Table:
    return replace(table, notes=(*table.notes, Remark(event.author, match.course.ply, event.text)))


def _judged_saying(state: Match, event: MessageSaid) -> Iterator[str]:
    if not may_speak(event.author, state):
        yield "somebody spoke who is not in the match"


def _judged_note(state: Match, event: NoteKept) -> Iterator[str]:
    if event.author not in state.table.players or event.ply != state.course.ply:
        yield "a note is from nobody in the match, or stands after another ply"


def _judged_watching(state: Match, event: WatchBegan | WatchEnded) -> Iterator[str]:
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


def _judged_comment(state: Match, event: MoveCommented) -> Iterator[str]:
    """What is wrong with a comment, in words."""
    if state.status is not Status.ENDED or not may_speak(event.author, state):
        yield "somebody commented on a match who may not, or not yet"
    if event.ply is not None and not 0 <= event.ply <= state.course.ply:
        yield f"a comment is on ply {event.ply}, which there is not"


def _commented(table: Table, event: MoveCommented, _: Match) -> Table:
    comment = Comment(event.author, event.ply, event.text, behind=len(table.said))
    return replace(table, comments=(*table.comments, comment))


TABLE: Final[Changes[Table]] = {
    WatchBegan: _watched,
    WatchEnded: _gone,
    MessageSaid: _said,
    NoteKept: _noted,
    MoveCommented: _commented,
}

AUDIT: Final[Audit] = {
    WatchBegan: _judged_watching,
    WatchEnded: _judged_watching,
    MessageSaid: _judged_saying,
    NoteKept: _judged_note,
    MoveCommented: _judged_comment,
}


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
    if running is None or seat in match.pending.held or seat not in match.to_act:
        return None  # where nobody is to act it stands still
    return running.due


def by_deadline(matches: Iterable[Match], player: PlayerId) -> list[Match]:
    """The matches, those with the nearest deadline of a player first, those without one last."""
    return sorted(matches, key=lambda match: deadline(match, player) or _NEVER)
