"""The timers that decisions set: of held moves and resignations, of challenges, of bots."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, cast

from pbem.legacy.bots.levels import ALSO, LEVELS, level_unasked, levels
from pbem.errors import Rejection
from pbem.games.still import AWAY
from pbem.legacy.matches import decide, resigning, seats, table, window
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.table import duty
from pbem.legacy.matches.unfolding import Deciding
from pbem.names import MatchId, PlayerId, bot_level, bot_number, next_bot
from pbem.legacy.players.names import skeleton
from pbem.legacy.players.wishes import window_minutes, wished
from pbem.legacy.store import timers
from pbem.legacy.store.mails import inbox
from pbem.legacy.store.people import rates, roster
from pbem.legacy.transaction.installation import match_stream

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.errors import Facts
    from pbem.games import AnyGame
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary
    from pbem.legacy.matches.match import Match
    from pbem.legacy.matches.steps import HeldResignation
    from pbem.legacy.store.timers import Timer
    from pbem.legacy.transaction.installation import Installation
    from pbem.legacy.transaction.unit import Unit
    from pbem.legacy.transaction.working_copy import OpenMatch


# --- question kinds ------------------------------------------------------------------------------
# The kinds of questions that wait for a `yes`, and how long they wait.

QUESTIONS_LIVE: Final = timedelta(days=14)
"""So long a question waits for an answer, unless its kind says otherwise."""


DOUBTED: Final = "doubted"
"""The kind of a question that holds a letter which may not be its player's."""

REGISTRATION: Final = "letter"
"""The kind of a question that holds what somebody wrote whom we did not know."""

KEPT: Final = "kept"
"""The kind of the question whether a move is meant that is kept unplayed until it is answered."""

RESIGNATION: Final = "resignation"
"""The kind of the question whether a resignation that is held shall be final at once."""

OF_ORDERS: Final = ("add_address", "remove_address", "new_address", "delete_me")
"""The kinds of questions about what cannot be taken back."""


TAKEBACK: Final = "takeback"
"""The kind of a question whether moves may be taken back."""

PAUSE: Final = "pause"
"""The kind of a question whether all clocks shall stand, and of the timer that ends the pause."""


# --- bot timers ----------------------------------------------------------------------------------
# The bots as players: which one is meant, its row, and the timer that asks it to act.

_BOT: Final = re.compile(
    rf"(?:(?:an?|the)\s+)?(?:(?P<before>{'|'.join((*LEVELS, *ALSO))})\s+)?"
    r"(?:(?:ro)?bot|roboter|computer)(?:\s+\(?(?P<after>\w+)\)?)?",
    re.IGNORECASE,
)
"""What people call a bot: `bot`, `bot strong`, `an easy bot`, `Robot (easy)`."""

_CALLED: Final = ("robot", "roboter", "bot", "computer")


def level_asked(conn: Connection, typed: str, game: AnyGame, words: Vocabulary) -> str | None:
    """The level of the bot that is meant, `level_unasked` where none is named.

    None if a person may be meant. Raises Rejection `no_such_bot`.
    """
    found = _BOT.fullmatch(typed.strip())
    if found is None:
        return None
    there = levels(game)
    named = (found["before"] or found["after"] or level_unasked(game)).casefold()
    meant = (one for one in LEVELS if words.means(named, one))
    level = ALSO.get(named) or next(meant, named)
    if level in there:
        return level
    if level not in LEVELS and roster.players_named(conn, typed):
        return None
    raise Rejection("no_such_bot", level=level, game=game.title, levels=list(there))


def find_bot(
    conn: Connection, level: str, *, but: Collection[PlayerId] = (), now: datetime
) -> PlayerId:
    """A bot of a level; none of those `but`."""
    bot = next_bot(level, but)
    know_bot(conn, bot, now)
    return bot


def know_bot(conn: Connection, bot: PlayerId, now: datetime) -> None:
    """A bot is made when it is first needed."""
    if roster.player(conn, bot) is None:
        roster.add_bot(conn, bot, name=bot_name(bot), now=now)


def bot_name(bot: PlayerId) -> str:
    """What a bot is called in English; nobody else can be."""
    level, number = bot_level(bot), bot_number(bot)
    return f"Robot ({level})" if number == 1 else f"Robot {number} ({level})"


def is_bots_name(name: str, words: Vocabulary) -> bool:
    """Whether a name is a bot's in any language, or looks as if it were."""
    looks = skeleton(name)
    said = [one for level in LEVELS for one in words.said[level]]
    for called in map(skeleton, _CALLED):
        rest = looks.removeprefix(called).lstrip("0123456789lo")
        if looks.startswith(called) and rest in ("", *map(skeleton, (*LEVELS, *ALSO, *said))):
            return True
    return False


def ask_bots(conn: Connection, match: Match, now: datetime) -> None:
    """Set the timer by which the match's bots act, or take it back, with the events that ask."""
    key = f"{timers.BOT}:{match.id}"
    if duty(match) is None:
        timers.cancel(conn, key)
    else:
        timers.set_timer(conn, key, now, match_stream(match.id), timers.BOT, {"match": match.id})


# --- challenge expiry ----------------------------------------------------------------------------
# How long a challenge waits: a timer that is set with it, and taken back when it is settled.

STALE: Final = "stale"
"""The kind of the timer that ends a challenge."""


def set_patience(conn: Connection, opened: OpenMatch, now: datetime, days: int) -> None:
    """Let a challenge end by itself some days after it was issued, or when its link lapses."""
    before, match = opened.before.status, opened.now
    key = f"{STALE}:{match.id}"
    if before is Status.NEW and match.status is Status.CHALLENGE:
        due_at = match.table.link_until or now + timedelta(days=days)
        facts: Facts = {"match": match.id}
        timers.set_timer(conn, key, due_at, match_stream(match.id), STALE, facts)
    elif before is Status.CHALLENGE and match.status is not Status.CHALLENGE:
        timers.cancel(conn, key)


# --- resignation timers --------------------------------------------------------------------------
# Resignations that are held: how long, the timer that makes them final, what ends them.


def resign_until(unit: Unit) -> datetime | None:
    """Until when a resignation of now is held; None: nobody else can write, and nothing is held."""
    hours = unit.house.settings.matches.resign_hours
    return unit.now + timedelta(hours=hours) if hours else None


def set_resignations(unit: Unit, before: Match, match: Match) -> None:
    """A timer and a question for each resignation that is held now, none for one that was."""
    for seat, held in before.pending.resigning.items():
        now = match.pending.resigning.get(seat)
        if now is None or now.version != held.version:
            timers.cancel(unit.conn, _resignation_key(match, held))
    for seat, held in match.pending.resigning.items():
        then = before.pending.resigning.get(seat)
        if then is None or then.version != held.version:
            _wait(unit, match, held)


def _wait(unit: Unit, match: Match, held: HeldResignation) -> None:
    player = match.player_at(held.seat)
    facts: Facts = {"match": match.id, "player": player, "version": held.version}
    timers.set_timer(
        unit.conn,
        _resignation_key(match, held),
        held.until,
        match_stream(match.id),
        RESIGNATION,
        facts,
    )
    rates.ask(
        unit.conn,
        # The part before the last colon is the cause of the mail that asks it.
        f"{unit.cause}:{RESIGNATION}-{match.id}-{held.seat}",
        player=player,
        kind=RESIGNATION,
        facts=facts,
        expires_at=held.until,
    )


def _resignation_key(match: Match, held: HeldResignation) -> str:
    return f"{RESIGNATION}:{match.id}:{held.seat}:{held.version}"


def finish_resignation(unit: Unit, facts: Mapping[str, object]) -> Match:
    """What was held becomes final. Raises Rejection where it was taken back, or is no more."""
    version = facts["version"]
    return unit.decide(
        MatchId(str(facts["match"])),
        resigning.finish_resigning,
        PlayerId(str(facts["player"])),
        version=version if isinstance(version, int) else 0,
    )


def take_resignation_back(unit: Unit, typed: TypedOrder, name: MatchId) -> bool:
    """Play on after all, if that is what `undo` means now; False if it is not."""
    match = unit.match(name)
    seat = match.seat_of(unit.sender)
    if seat not in match.pending.resigning:
        return False
    unit.decide(name, window.undo, player=unit.sender)
    unit.done(typed.typed, "resignation_undone")
    return True


# --- pauses --------------------------------------------------------------------------------------
# The timer that ends a pause in which all clocks of a match stand.


def set_pause(unit: Unit, before: Match, match: Match) -> None:
    """Let a pause that has begun end at its time, and none that is over."""
    conn = unit.conn
    if before.pending.paused is not None:
        timers.cancel(conn, f"{PAUSE}:{match.id}:{before.pending.paused.version}")
    paused = match.pending.paused
    if paused is not None:
        key = f"{PAUSE}:{match.id}:{paused.version}"
        facts: Facts = {"match": match.id}
        timers.set_timer(conn, key, paused.until, match_stream(match.id), PAUSE, facts)


# --- window timers -------------------------------------------------------------------------------
# The timers of held moves, which let them go out.

HELD: Final = "held"

A_MOMENT: Final = timedelta(seconds=1)
"""So long a move waits for the letters that came before it was to go out."""


def window_of(house: Installation, wishes: Mapping[str, str]) -> timedelta:
    """How long the moves of a player with these wishes are held."""
    minutes = window_minutes(wished(wishes, "window"))
    return timedelta(minutes=house.settings.matches.window_minutes if minutes is None else minutes)


def set_windows(unit: Unit, before: Match, match: Match) -> None:
    """A timer for each move that is held now, none for one that was."""
    conn = unit.conn
    for seat, held in before.pending.held.items():
        if match.pending.held.get(seat) != held:
            timers.cancel(conn, _window_key(match.id, held.version))
    for seat, held in match.pending.held.items():
        if before.pending.held.get(seat) != held:
            facts: Facts = {
                "match": match.id,
                "player": match.player_at(seat),
                "version": held.version,
            }
            key = _window_key(match.id, held.version)
            timers.set_timer(conn, key, held.until, match_stream(match.id), HELD, facts)


def _window_key(match: MatchId, version: int) -> str:
    return f"held:{match}:{version}"


def waits_for_letters(conn: Connection, timer: Timer, now: datetime) -> bool:
    """Whether a letter that came in time is still to be taken: it may say `undo`.

    Order of receipt decides. The timer is set anew, to look again in a moment.
    """
    if not inbox.waits_since(conn, timer.due_at):
        return False
    facts = cast("Facts", timer.facts)
    timers.set_timer(conn, timer.key, now + A_MOMENT, timer.stream, timer.kind, facts)
    return True


def play_held(unit: Unit, facts: Mapping[str, object]) -> None:
    """A window closes: that very move goes out, if it is still held. Raises Rejection."""
    version = facts["version"]
    unit.decide(
        MatchId(str(facts["match"])),
        decide.play_held,
        PlayerId(str(facts["player"])),
        version=version if isinstance(version, int) else 0,
    )


# --- what somebody leaves behind ------------------------------------------------------------------
# Who goes for good waits for no rules: what they cannot answer now is decided when those are back.

LEFT_BEHIND: Final = "left_behind"

_ACTS: Final[Mapping[str, Callable[..., Deciding]]] = {
    "resign": resigning.resign,
    "decline": seats.decline,
    "unwatch": table.unwatch,
}


def leave_a_match(unit: Unit, match: MatchId, act: str, player: PlayerId) -> None:
    """Let somebody who goes for good `resign`, `decline` or `unwatch`.

    Raises Rejection, but not where a match stands still: then it is done once that goes on.
    """
    try:
        unit.decide(match, _ACTS[act], player=player)
    except Rejection as rejection:
        if rejection.code != AWAY:
            raise
        facts: Facts = {"match": match, "player": player, "act": act}
        # No key that ends with the player: it outlives their rows (personal.erase).
        key = f"{LEFT_BEHIND}:{match}:{player}:{act}"
        timers.set_timer(unit.conn, key, unit.now, match_stream(match), LEFT_BEHIND, facts)


def leave_behind(unit: Unit, facts: Mapping[str, object]) -> None:
    """Do what could not be done when somebody went. Raises Rejection."""
    act, player = _ACTS[str(facts["act"])], PlayerId(str(facts["player"]))
    unit.decide(MatchId(str(facts["match"])), act, player=player)


OF_PENDING: Final[Mapping[str, Callable[[Unit, Match, Match], None]]] = {
    "held": set_windows,
    "resigning": set_resignations,
    "paused": set_pause,
}
"""What sets the timers of a match when a field of what waits in it has changed."""
