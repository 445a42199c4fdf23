"""Bots: players that are programs.

A bot is a player row without an email address. The id of a bot names its level, and the
same bot can play in any number of matches. Nothing is scheduled for a bot. It must move
whenever the state of a match says that its seat is to move, so a crash loses nothing. The
move is chosen outside of any transaction, from a `BotTurn`. It is then played in a unit of
work of its own, and only if the match has not changed meanwhile.

The random numbers of a bot are derived from the secret of the match and its log. The same
match therefore always gives the same moves, but no player can predict them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import structlog
from sqlalchemy import Connection

from pbem import fairness
from pbem.bots.levels import TEACHER, choose_random_move, is_quick
from pbem.bots.luck import seeded
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.match.events import Source
from pbem.match.play import SubmittedMove, read_move
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId, bot_level, bot_number, is_bot
from pbem.service.app import App
from pbem.service.drafts import Draft
from pbem.service.moves import make_move
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import event_log, players

_CHAIN: Final = "bots"  # name of the secret from which the random numbers of bots are derived

log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True, slots=True)
class BotTurn:
    """A bot's turn in a match, with everything that is needed to choose the move.

    `version` is the match's version when the turn was found, and `since` the time at which the turn
    began. `seed` is secret, because it determines the move.
    """

    match_id: MatchId
    version: int
    bot: PlayerId
    seat: Seat
    ruleset: str
    is_lesson: bool
    position: Any = field(repr=False)
    seed: str = field(repr=False)
    since: datetime

    @property
    def is_quick(self) -> bool:
        """Whether this bot's level chooses a move so quickly that no other process is needed."""
        return is_quick(bot_level(self.bot), GAMES[self.ruleset])

    def list_arguments(self) -> tuple[str, str, Any, Seat, str]:
        """Return level, ruleset, position, seat and seed: the arguments of `choose_notation`."""
        level = TEACHER if self.is_lesson else bot_level(self.bot)
        return level, self.ruleset, self.position, self.seat, self.seed


def add_bot(conn: Connection, bot: PlayerId, now: datetime) -> None:
    """Add a player row for the bot with the id `bot` if there is none yet."""
    name, number = f"{bot_level(bot).capitalize()} bot", bot_number(bot)
    players.add_bot(conn, bot, name=name if number == 1 else f"{name} {number}", now=now)


def find_turn(conn: Connection, match_id: MatchId) -> BotTurn | None:
    """Return the turn of the bot that is to move in the match, or None if no bot is to move.

    If several bots are to move, the first one in `Match.to_move` is chosen. The result is also None
    if the game is not installed.
    """
    match, head = event_log.load_match(conn, match_id)
    bots = [seat for seat in match.to_move if is_bot(match.player_at(seat))]
    if not bots or match.game.is_missing:
        return None
    secret = fairness.chain_secret(event_log.find_secret(conn, match_id), _CHAIN).hex()
    begun = [played.event.at for played in match.plies] or [match.terms.at]
    return BotTurn(
        match_id=match_id,
        version=match.version,
        bot=match.player_at(bots[0]),
        seat=bots[0],
        ruleset=match.terms.ruleset,
        is_lesson=match.terms.is_lesson,
        position=match.position,
        seed=f"{secret} {match_id} {match.version} {head}",
        since=begun[-1],
    )


def play_turn(conn: Connection, app: App, turn: BotTurn, notation: str | None) -> bool:
    """Play the bot's move in `turn`, and return whether a move was played.

    If the bot failed or chose an illegal move, a random legal move is played instead.

    Args:
        conn: The connection of the unit of work.
        app: The running service.
        turn: The turn for which the move was chosen.
        notation: The move that the bot chose; None if the bot failed.

    Returns:
        False if the match has changed since the turn was found, otherwise True.
    """
    uow = UnitOfWork(app, conn, f"bot:{turn.match_id}:{turn.version}")
    match = uow.load_match(turn.match_id)
    if match.version != turn.version:
        return False
    move = SubmittedMove(
        text=_choose_legal_move(match, turn, notation), source=Source.BOT, received=uow.now
    )
    make_move(uow, match.id, turn.bot, move)
    uow.finish()
    return True


def _choose_legal_move(match: Match, turn: BotTurn, notation: str | None) -> str:
    if notation is not None:
        try:
            return read_move(match, turn.bot, notation)
        except Exception:
            log.exception("bot_failed", match=match.id, bot=turn.bot, move=notation)
    return match.game.notation(choose_random_move(match.game, match.position, seeded(turn.seed)))


def send_receipts(conn: Connection, app: App, turn: BotTurn) -> None:
    """Queue receipts for players who wait for a slow bot to move.

    A player gets a receipt if all their opponents are bots, and no email has shown them the newest
    state. Nothing is queued if the match has changed since `turn` was found.
    """
    uow = UnitOfWork(app, conn, f"receipt:{turn.match_id}:{turn.version}")
    match = uow.load_match(turn.match_id)
    if match.version != turn.version:
        return
    record = uow.load_record(match.id)
    for player in match.players:
        seat = record.find_seat(player)
        is_waiting = not is_bot(player) and match.has_only_bots_against(player)
        if is_waiting and seat is not None and seat.emailed_version < match.version:
            kind = "receipt" if seat.last_move_version else "start"
            uow.emails.add(Draft(kind=kind, player=player, match_id=match.id))
    uow.finish()
