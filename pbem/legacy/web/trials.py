"""A match that is only tried: a seed and moves, of which all else follows."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hmac import digest
from typing import TYPE_CHECKING, Any, Final

from pbem.legacy.bots.levels import EASY, PATIENT, levels, move_of
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer, uniform
from pbem.games.game import Chance, Drawn, Over, Ply, Seat, Seats
from pbem.legacy.matches.match import Course, Match, Table, Terms
from pbem.legacy.matches.steps import NO_PLY, Status, Step, StepKind
from pbem.names import MatchId, PlayerId, bot_id
from pbem.legacy.web.sealing import seal, unseal

if TYPE_CHECKING:
    from pbem.games.game import Turn
    from pbem.legacy.mail.addresses import Keys

GUEST: Final = PlayerId("guest")
SEAT: Final = Seat(1)
"""Whoever tries a game begins it."""

SEED: Final = 16
MOST: Final = 200
"""Plies of a match that is tried."""

LASTS: Final = 3600
"""Seconds for which a match can be gone on with after each move."""

LONGEST: Final = 16_000
"""Characters of a sealed match: those of the longest one are a tenth of that."""

_PURPOSE: Final = "try"
_LESSON: Final = "lesson "

_PAIR: Final = 2
"""What stands before the rules of a match that teaches."""

_UNPACKED: Final = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """A match as it travels: the game, the seed of its chance, and the moves of both sides.

    It is tried, or `teaches` the game.
    """

    game: AnyGame
    seed: bytes
    moves: tuple[str, ...] = ()
    teaches: bool = False

    def sealed(self, keys: Keys, now: int) -> str:
        """The match as its player is given it. The seed is packed with nothing that they chose."""
        text = "\n".join((_LESSON * self.teaches + self.game.ruleset, *self.moves))
        return seal(keys, _PURPOSE, self.seed + zlib.compress(text.encode(), 9), now)


def opened(keys: Keys, sealed: str, now: int) -> Trial | None:
    """The match in what its player sends back; None where it is none of ours, or too old."""
    found = unseal(keys, _PURPOSE, sealed) if len(sealed) <= LONGEST else None
    if found is None or not 0 <= now - found[1] <= LASTS:
        return None
    text, made = found[0], zlib.decompressobj()
    ruleset, *moves = made.decompress(text[SEED:], _UNPACKED).decode().split("\n")
    game, teaches = GAMES.get(ruleset.removeprefix(_LESSON)), ruleset.startswith(_LESSON)
    if game is None:
        return None
    return Trial(game=game, seed=text[:SEED], moves=tuple(moves), teaches=teaches)


def can_try(game: AnyGame) -> bool:
    """Whether a visitor can play it against a bot: it has one, and is for two."""
    return bool(levels(game)) and _PAIR in game.seats


def begun(game: AnyGame, seed: bytes, teaches: bool = False) -> Trial:  # noqa: FBT001, FBT002 - what a thread is given
    """A new match, at the first turn of its player."""
    return _gone_on(Trial(game=game, seed=seed, teaches=teaches))


def played(trial: Trial, text: str) -> Trial:
    """The match after a move of its player's and all that follows. Raises Rejection."""
    match = match_of(trial)
    if match.to_act != (SEAT,):
        return trial
    move = trial.game.parse(text, match.course.position, SEAT)
    trial.game.play(match.course.position, move)
    return _gone_on(replace(trial, moves=(*trial.moves, trial.game.notation(move))))


def match_of(trial: Trial) -> Match:
    """The match as pages show matches; after too many plies nobody moves any more."""
    options = trial.game.normal_options({})
    players = (GUEST, bot_id(EASY, 1))
    position, ply = trial.game.initial(len(players), options), NO_PLY
    steps: list[Step] = []
    for text in (*trial.moves, None):
        for drawn in _drawn(trial, position, trial.moves[:ply]):
            steps.append(_step(StepKind.DRAW, ply, None, drawn, players))
            position = steps[-1].after
        if text is not None:
            move, ply = trial.game.read(text, position), Ply(ply + 1)
            after, seat = trial.game.play(position, move), _acting(trial.game.turn(position))
            change = (text, move, position, after)
            steps.append(_step(StepKind.MOVE, ply, seat, change, players))
            position = after
    outcome = trial.game.outcome(position)
    return Match(
        id=MatchId(""),
        status=Status.ENDED if outcome is not None or ply >= MOST else Status.RUNNING,
        terms=Terms(ruleset=trial.game.ruleset, options=options, lesson=trial.teaches),
        table=Table(challenger=GUEST, players=players, entrants=players),
        course=Course(position=position, steps=tuple(steps), ply=ply, outcome=outcome),
    )


_Change = tuple[str, Any, Any, Any]
"""Notation, move, and the positions before and after it."""


def _step(
    kind: StepKind, ply: Ply, seat: Seat | None, change: _Change, players: tuple[PlayerId, ...]
) -> Step:
    text, move, before, after = change
    return Step(
        kind=kind,
        ply=ply,
        seat=seat,
        text=text,
        move=move,
        before=before,
        after=after,
        players=players,
    )


def _acting(turn: Turn) -> Seat | None:
    return turn.seats[0] if isinstance(turn, Seats) else None


def _gone_on(trial: Trial) -> Trial:
    """The match with the moves of the bot, and those that nobody chooses, to its player's turn."""
    game, match = trial.game, match_of(trial)
    position, moves = match.course.position, list(trial.moves)
    while len(moves) < MOST:
        turn = game.turn(position)
        if isinstance(turn, Over):
            break
        move = game.forced(position)
        if move is None and _acting(turn) == SEAT:
            break
        if move is None:
            choose = partial(uniform, _chance(trial.seed, "bot", moves))
            move = move_of(PATIENT if trial.teaches else EASY, game, position, choose)
        moves.append(game.notation(move))
        position = game.play(position, move)
        for _, _, _, after in _drawn(trial, position, moves):
            position = after
    return replace(trial, moves=tuple(moves))


def _drawn(trial: Trial, position: Any, moves: Sequence[str]) -> Iterator[_Change]:
    """What chance answers after some moves, as the same moves always have it."""
    number = 0
    while isinstance(turn := trial.game.turn(position), Chance):
        source = _chance(trial.seed, f"draw {number} {turn.draw}", moves)
        drawn = Drawn(answer(turn.draw, source))
        after = trial.game.play(position, drawn)
        text = "" if turn.draw.secret else trial.game.chance_notation(position, drawn)
        yield text, drawn, position, after
        position, number = after, number + 1


def _chance(seed: bytes, what: str, moves: Sequence[str]) -> Iterator[int]:
    """HMAC(seed, ply, moves so far): whoever goes back and plays the same is drawn the same."""
    said = "\n".join((what, str(len(moves)), *moves)).encode()
    number = 0
    while True:
        yield from digest(seed, number.to_bytes(4, "big") + said, "sha256")
        number += 1
