"""What a page shows of a match: a board of it with what made it, in a picture, words and signs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from pbem.games.game import Marks, Played, Style
from pbem.matches.steps import StepKind
from pbem.notices.rendering import markup
from pbem.notices.views.matches import since_own_turn, with_nobody_to_move
from pbem.replays.frames import Replay, replay_of_match
from pbem.replays.page import picture
from pbem.replays.telling import placed, telling

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.matches.steps import Step
    from pbem.notices.rendering.families import Templates
    from pbem.web.access import Seen

_KEPT: Final = 50
"""Replays that are kept, of those that were looked at last."""

_WIDTH: Final = 1_000
"""Columns of words that a browser wraps by itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """One board of a match.

    `at` is its number, `last` that of the newest; `picture` is SVG, `told` what made the board, in
    lines; `spoken` is the board in words, `lines` in signs; `result` says who came where.
    """

    at: int
    last: int
    picture: Markup
    told: tuple[str, ...]
    spoken: str
    lines: tuple[str, ...]
    moves: tuple[str, ...]
    result: str


class Boards:
    """The boards of matches, as somebody may see them."""

    def __init__(self) -> None:
        """Nothing has been looked at yet."""
        self._replays: OrderedDict[tuple[Any, ...], Replay] = OrderedDict()
        self._lock = Lock()

    def replay(self, seen: Seen, env: Templates, lang: str) -> Replay:
        """All boards of a match for a viewer."""
        match = seen.match
        key = (match.id, match.version, seen.viewpoint, lang, seen.names)
        with self._lock:
            if key in self._replays:
                self._replays.move_to_end(key)
                return self._replays[key]
        told = telling(match.game, seen.names, env)
        replay = replay_of_match(match, seen.title, seen.names, told, seen.viewpoint)
        with self._lock:
            self._replays[key] = replay
            if len(self._replays) > _KEPT:
                self._replays.popitem(last=False)
        return replay

    def shown(self, seen: Seen, env: Templates, lang: str, at: int | None) -> Shown:
        """A board by its number; the newest one with all that has happened since the viewer moved.

        A number that there is not is that of the newest.
        """
        replay = self.replay(seen, env, lang)
        last = len(replay.frames) - 1
        number = last if at is None or not 0 <= at <= last else at
        frame = replay.frames[number]
        if number == last:
            since = since_own_turn(seen.match, seen.match.ply, seen.viewpoint)
            drawn = _drawn_since(seen, since)
            told = tuple(one.told for one in replay.frames[_first(seen.match, since) + 1 :])
        else:
            drawn, told = picture(replay, number), (frame.told,) if frame.told else ()
        return Shown(
            at=number,
            last=last,
            picture=Markup(drawn),  # noqa: S704 - the games' own drawing, in which texts are escaped
            told=told,
            spoken=spoken(seen, env, frame.position, idle=number < last or not seen.match.to_act),
            lines=replay.lines(number),
            moves=tuple(one.told for one in replay.frames[1:]),
            result=placed(seen.match.outcome, seen.names),
        )


def _first(match: Match, since: Sequence[Step]) -> int:
    """The number of the first of some steps, as frames count them."""
    frames = [step for step in match.steps if step.kind is not StepKind.NEWS]
    numbers = (number for number, step in enumerate(frames) if since and step is since[0])
    return next(numbers, len(frames))


def _drawn_since(seen: Seen, since: Sequence[Step]) -> str:
    """The newest board with what has happened since the viewer's last turn."""
    match = seen.match
    done = tuple(Played(step.move, step.before, step.after) for step in since)
    marks: Marks[Any, Any] = Marks(since=done, names=seen.names, idle=not match.to_act)
    return match.game.picture(match.position, seen.viewpoint, marks)


def drawn_as(seen: Seen, position: Any, move: Any, before: Any) -> Markup:
    """A board that is only tried, with the move that makes it."""
    marks: Marks[Any, Any] = Marks(
        since=(Played(move, before, position),), names=seen.names, idle=True
    )
    drawn = seen.match.game.picture(position, seen.viewpoint, marks)
    return Markup(drawn)  # noqa: S704 - the games' own drawing, in which texts are escaped


def spoken(seen: Seen, env: Templates, position: Any, *, idle: bool) -> str:
    """A board in words, for whoever has it read aloud."""
    game = seen.match.game
    facts = game.board(position, seen.viewpoint, Style.UNICODE).facts
    if idle:
        facts = with_nobody_to_move(facts)
    return words_of(env, seen, "spoken", facts=facts)


def words_of(env: Templates, seen: Seen, name: str, **values: object) -> str:
    """A text of the match's game, in plain lines."""
    names = dict(enumerate(seen.names, 1))
    template = env.get_template(f"games/{seen.match.game.key}/{name}.txt.j2")
    return markup.to_text(template.render(names=names, **values), _WIDTH).strip()
