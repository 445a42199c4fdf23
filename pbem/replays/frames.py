"""The frames of a replay: each change of the board, with the board after it and what was done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from pbem.games import AnyGame
from pbem.games.game import Seat, Style, Viewpoint
from pbem.games.record_text import AGREED, Record
from pbem.games.table import Played, plies_of
from pbem.matches.match import Match, Step, StepKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What made a frame of the one before it.

    `move` is a move of the game or what was drawn; None where a seat left or all agreed on a draw.
    `seat` is None where chance answered. `text` is as the game writes it, empty for what is secret.
    """

    kind: StepKind
    seat: Seat | None
    text: str
    move: Any
    before: Any
    after: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A board, after `ply` plies, and what led to it: nothing at the start.

    `proof` has number and link of an open draw, as in `7:9c3f...`, for whoever checks it.
    """

    ply: int
    position: Any
    change: Change | None
    told: str = ""
    proof: str = ""


Telling: TypeAlias = Callable[[Change], str]
"""Says in words what was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """All frames of a match; the first is its start.

    `names` are those of the seats, `viewpoint` is whose eyes see the boards.
    """

    game: AnyGame
    title: str
    names: tuple[str, ...]
    frames: tuple[Frame, ...]
    viewpoint: Viewpoint = None

    def lines(self, number: int, style: Style = Style.UNICODE) -> tuple[str, ...]:
        """The board of a frame as text."""
        return self.game.board(self.frames[number].position, self.viewpoint, style).lines


def replay_of_match(
    match: Match, title: str, names: tuple[str, ...], told: Telling, viewpoint: Viewpoint = None
) -> Replay:
    """The replay of a match that has started; what was taken back is not in it."""
    steps = [step for step in match.steps if step.kind is not StepKind.NEWS]
    start = steps[0].before if steps else match.position
    frames = [Frame(ply=0, position=start, change=None)]
    for step in steps:
        change = _change_of(step)
        proof = f"{step.drawn.index}:{step.drawn.link}" if step.drawn is not None else ""
        frames.append(
            Frame(
                ply=step.ply,
                position=step.after,
                change=change,
                told=told(change),
                proof=proof,
            )
        )
    return Replay(
        game=match.game, title=title, names=names, frames=tuple(frames), viewpoint=viewpoint
    )


def _change_of(step: Step) -> Change:
    return Change(
        kind=step.kind,
        seat=step.seat,
        text=step.text,
        move=step.move,
        before=step.before,
        after=step.after,
    )


def replay_of_record(record: Record, title: str, told: Telling) -> Replay:
    """The replay of a record. Raises RecordError with the line that the rules refuse."""
    return Replay(
        game=record.game,
        title=title,
        names=record.names,
        frames=tuple(_frames_of(record, told)),
    )


def _frames_of(record: Record, told: Telling) -> Iterator[Frame]:
    start = record.game.initial(record.seats, record.game.normal_options(record.options))
    yield Frame(ply=0, position=start, change=None)
    ply = 0
    for played in plies_of(record):
        change = _change_at(played)
        ply += change.kind is StepKind.MOVE
        yield Frame(ply=ply, position=played.after, change=change, told=told(change))


def _change_at(played: Played) -> Change:
    if played.move is None:
        kind = StepKind.AGREED if played.canonical == AGREED else StepKind.LEFT
    else:
        kind = StepKind.DRAW if played.seat is None else StepKind.MOVE
    return Change(
        kind=kind,
        seat=played.seat,
        text=played.canonical.removeprefix("* ") if played.move is not None else "",
        move=played.move,
        before=played.before,
        after=played.after,
    )
