"""The frames of a replay: each change of the board, told in words, stepped through by keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pbem.games import AnyGame
from pbem.games.game import Seat, Signs, Style, Viewpoint, Word
from pbem.games.record_text import AGREED, Record
from pbem.games.signs import signs_of
from pbem.games.table import Played, plies_of
from pbem.legacy.matches.match import Match, Step
from pbem.legacy.matches.steps import StepKind
from pbem.legacy.notices.views.comments import beside

if TYPE_CHECKING:
    from pbem.games.game import Outcome
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.notices.views.comments import CommentLine


# --- frames --------------------------------------------------------------------------------------
# The frames of a replay: each change of the board, with the board after it and what was done.


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

    `names` are those of the seats, `signs` their letters, `viewpoint` is whose eyes see the boards.
    `word` says what stands in pictures in the reader's language. `comments` are of after the end.
    """

    game: AnyGame
    title: str
    names: tuple[str, ...]
    frames: tuple[Frame, ...]
    viewpoint: Viewpoint = None
    signs: Signs = ()
    word: Word = str
    comments: tuple[CommentLine, ...] = ()

    def comments_at(self, number: int) -> tuple[CommentLine, ...]:
        """What was said of the move that led to a frame; beside the last one also of the match."""
        return beside(self.comments, self.frames[number].ply, last=number == len(self.frames) - 1)

    def comments_from(self, number: int) -> tuple[CommentLine, ...]:
        """The same, where several frames follow a move only beside the first of them."""
        first = number == 0 or self.frames[number - 1].ply != self.frames[number].ply
        return tuple(one for one in self.comments_at(number) if first or one.ply is None)

    def said(self, number: int) -> Iterator[str]:
        """The comments beside a frame, a line each; what is no longer kept is not among them."""
        for one in self.comments_at(number):
            if one.text:
                yield f"{one.name} (after the end): {' '.join(one.text.split())}"

    def lines(self, number: int, style: Style = Style.UNICODE) -> tuple[str, ...]:
        """The board of a frame as text."""
        position = self.frames[number].position
        return self.game.board(position, self.viewpoint, style, self.signs).lines


def replay_of_match(
    match: Match,
    title: str,
    names: tuple[str, ...],
    told: Telling,
    viewpoint: Viewpoint = None,
    *,
    signs: Signs = (),
    word: Word = str,
) -> Replay:
    """The replay of a match that has started; what was taken back is not in it."""
    steps = [step for step in match.course.steps if step.kind is not StepKind.NEWS]
    start = steps[0].before if steps else match.course.position
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
        game=match.game,
        title=title,
        names=names,
        frames=tuple(frames),
        viewpoint=viewpoint,
        signs=signs,
        word=word,
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
        signs=signs_of(record.names, record.game.reserved),
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


# --- telling -------------------------------------------------------------------------------------
# What was done, in the words of the templates of a language.

FAMILY: Final = "replays"
"""The file with the words for what no game tells: a seat that leaves, an agreement."""


def telling(game: AnyGame, names: Sequence[str], env: Templates) -> Telling:
    """Words for the changes of a match; `names` are those of its seats."""
    called = dict(enumerate(names, 1))
    template = env.get_template(f"games/{game.key}/told.txt.j2")
    typed = env.filters["move"]  # in the words of the language

    def told(change: Change) -> str:
        match change.kind:
            case StepKind.LEFT:
                return env.member(FAMILY, "left", player=called.get(change.seat or 0, "?"))
            case StepKind.AGREED:
                return env.member(FAMILY, "agreed")
            case _:
                facts = game.facts(change.move, change.before, change.after)
                notation = typed(change.text, game.key)
                text = template.render(
                    names=called, facts=facts, seat=change.seat, notation=notation
                )
                return " ".join(text.split())

    return told


def placed(outcome: Outcome | None, names: Sequence[str]) -> str:
    """Who came where, the best first; empty while a match runs."""
    if outcome is None:
        return ""
    places = sorted(zip(outcome.placings, names, strict=False))
    return ", ".join(f"{place}. {name}" for place, name in places)


# --- stepping ------------------------------------------------------------------------------------
# A replay at a terminal: where it stands, what a key does, and what the screen then shows.

_FEW: Final = 10
_MOST_CHANGED: Final = 4
"""A board of which more than one character in so many is new is new as a whole."""

_WIDEST_SLIDER: Final = 60
_MARK, _PLAIN, _STRONG = "\x1b[1;7m", "\x1b[0m", "\x1b[1m"
KEYS: Final = "left/right: a step   up/down: ten   home/end   q: done"

_STEPS: Final = {
    "\x1b[C": 1,
    "\x1bOC": 1,
    " ": 1,
    "l": 1,
    "n": 1,
    "\r": 1,
    "\n": 1,
    "\x1b[D": -1,
    "\x1bOD": -1,
    "h": -1,
    "p": -1,
    "\x7f": -1,
    "\x1b[B": _FEW,
    "\x1bOB": _FEW,
    "\x1b[6~": _FEW,
    "j": _FEW,
    "\x1b[A": -_FEW,
    "\x1bOA": -_FEW,
    "\x1b[5~": -_FEW,
    "k": -_FEW,
}
_FIRST: Final = ("\x1b[H", "\x1bOH", "\x1b[1~", "g", "0")
_LAST: Final = ("\x1b[F", "\x1bOF", "\x1b[4~", "G", "$")
_DONE: Final = ("q", "Q", "\x1b", "\x03", "\x04")
"""q, Escape alone, Ctrl-C and Ctrl-D."""


def after_key(key: str, at: int, count: int) -> int | None:
    """The frame that a key leads to, of `count`; None where it ends the replay."""
    if key in _DONE:
        return None
    if key in _FIRST:
        return 0
    if key in _LAST:
        return count - 1
    return min(max(at + _STEPS.get(key, 0), 0), count - 1)


@dataclass(frozen=True, slots=True)
class Window:
    """The terminal: columns, lines, and whether it has colours."""

    columns: int
    lines: int
    coloured: bool


def screen(replay: Replay, at: int, window: Window) -> list[str]:
    """What the terminal shows of a frame; what has changed since the one before it stands out."""
    frame = replay.frames[at]
    before = replay.lines(at - 1) if at else replay.lines(at)
    board = _shown(replay.lines(at), before, window)
    said = wrap(frame.told, window.columns) if frame.told else []
    said += _commented(replay, at, window)
    head = f"{replay.title}"[: window.columns]
    title = f"{_STRONG}{head}{_PLAIN}" if window.coloured else head
    below = ["", *said, "", *_slider(frame.ply, at, len(replay.frames), window.columns)]
    room = window.lines - len(below) - 3
    if len(board) > room > 0:
        board = [*board[: room - 1], f"({len(board) - room + 1} more lines: make it higher)"]
    return [title, "", *board, *below]


def _commented(replay: Replay, at: int, window: Window) -> list[str]:
    """What was said of a frame, in lines of a terminal; the board needs most of them."""
    lines = [line for said in replay.said(at) for line in wrap(said, window.columns)]
    room = max(window.lines // 3, 2)
    if len(lines) <= room:
        return lines
    return [*lines[: room - 1], f"({len(lines) - room + 1} more lines: make it higher)"]


def _slider(ply: int, at: int, count: int, columns: int) -> Iterator[str]:
    width = min(columns - 2, _WIDEST_SLIDER)
    done = round(width * at / max(count - 1, 1))
    yield f"[{'=' * done}{' ' * (width - done)}]"
    yield f"{at} of {count - 1}, after ply {ply}"[:columns]
    yield KEYS[:columns]


def _shown(lines: Sequence[str], before: Sequence[str], window: Window) -> list[str]:
    cut = [line[: window.columns] for line in lines]
    if not window.coloured or _all_new(lines, before):
        return cut
    pairs = zip_longest(cut, before[: len(cut)], fillvalue="")
    return [_marked(line, old) for line, old in pairs]


def _all_new(lines: Sequence[str], before: Sequence[str]) -> bool:
    """Whether so much has changed (a board was laid out) that nothing would stand out."""
    pairs = [
        (new, old)
        for line, was in zip_longest(lines, before, fillvalue="")
        for new, old in zip_longest(line, was, fillvalue=" ")
    ]
    changed = sum(new != old for new, old in pairs)
    return changed * _MOST_CHANGED > len(pairs)


def _marked(line: str, old: str) -> str:
    """A line with its changed characters standing out; a blank that nothing has left does not."""
    text, on = "", False
    for new, was in zip_longest(line, old[: len(line)], fillvalue=" "):
        changed = new != was
        if changed is not on:
            text += _MARK if changed else _PLAIN
            on = changed
        text += new
    return text + _PLAIN * on
