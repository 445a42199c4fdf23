"""Bots: players that are programs.

A bot is a player row without an address, which every match may have; its id names its level. What
a bot has to do follows from the state: wherever a seat of one is to move, it moves. So nothing is
lost in a crash, and nothing has to be scheduled. A move is chosen outside of any transaction, from
a `BotTurn`, and played in a unit of work of its own, only if the match is still as it was.

The chance of a bot is made of the secret of the match and its log, so that the same match gives the
same moves, and no player can know them before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import structlog
from sqlalchemy import Connection

from pbem import fairness
from pbem.bots.levels import choose_random_move, is_quick
from pbem.bots.luck import seed_of_move, seeded
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.match.events import Source
from pbem.match.play import SubmittedMove, read_move
from pbem.match.state import Match, Status
from pbem.names import MatchId, PlayerId, bot_level, bot_number, is_bot
from pbem.service.app import App
from pbem.service.moves import make_move
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import event_log, players

_CHAIN: Final = "bots"  # what the chance of bots is made of, beside the chains of draws

log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True, slots=True)
class BotTurn:
    """A turn of a bot, with all that it needs to choose a move.

    `since` is when the turn began. `seed` is secret: it foretells the moves of the bot.
    """

    match_id: MatchId
    version: int
    bot: PlayerId
    seat: Seat
    ruleset: str
    position: Any = field(repr=False)
    seed: str = field(repr=False)
    since: datetime

    @property
    def is_quick(self) -> bool:
        """Whether the choice takes a moment only."""
        return is_quick(bot_level(self.bot), GAMES[self.ruleset])

    def list_arguments(self) -> tuple[str, str, Any, Seat, str]:
        """Return the arguments of `pbem.bots.levels.choose_notation`."""
        return bot_level(self.bot), self.ruleset, self.position, self.seat, self.seed


def add_bot(conn: Connection, bot: PlayerId, now: datetime) -> None:
    """Add the player row of a bot if there is none yet."""
    name, number = f"{bot_level(bot).capitalize()} bot", bot_number(bot)
    players.add_bot(conn, bot, name=name if number == 1 else f"{name} {number}", now=now)


def find_turn(conn: Connection, match_id: MatchId) -> BotTurn | None:
    """Return the turn of the bot that is to move in a match, or None if none is."""
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
        position=match.position,
        seed=seed_of_move(secret, match_id, match.version, head),
        since=begun[-1],
    )


def play_turn(conn: Connection, app: App, turn: BotTurn, notation: str | None) -> bool:
    """Play the move that a bot has chosen, or any legal one in place of a move that is none.

    Args:
        conn: The connection of the unit of work.
        app: The running service.
        turn: The turn for which the move was chosen.
        notation: The move; None if the bot has failed.

    Returns:
        False if the match has changed meanwhile, so that nothing was played.
    """
    uow = UnitOfWork(app, conn, f"bot:{turn.match_id}:{turn.version}")
    match = uow.load_match(turn.match_id)
    if match.version != turn.version:
        return False
    move = SubmittedMove(
        text=_require_legal(match, turn, notation), source=Source.BOT, received=uow.now
    )
    make_move(uow, match.id, turn.bot, move)
    uow.finish()
    return True


def _require_legal(match: Match, turn: BotTurn, notation: str | None) -> str:
    if notation is not None:
        try:
            return read_move(match, turn.bot, notation)
        except Exception:
            log.exception("bot_failed", match=match.id, bot=turn.bot, move=notation)
    return match.game.notation(choose_random_move(match.game, match.position, seeded(turn.seed)))


def send_receipts(conn: Connection, app: App, turn: BotTurn) -> None:
    """Tell the players who wait for a bot alone that their move was made; the bot is slow."""
    uow = UnitOfWork(app, conn, f"receipt:{turn.match_id}:{turn.version}")
    match = uow.load_match(turn.match_id)
    if match.version != turn.version or match.status is not Status.RUNNING:
        return
    record = uow.load_record(match.id)
    for player in match.players:
        seat = record.find_seat(player)
        is_waiting = not is_bot(player) and match.has_only_bots_against(player)
        if is_waiting and seat is not None and seat.told_version < match.version:
            uow.emails.inform(player, match.id, "receipt" if seat.last_move_version else "start")
    uow.finish()
