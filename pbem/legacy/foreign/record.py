"""The record of a game of others as all of pbem sees it: its functions ask a process."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import structlog

from pbem.errors import Rejection
from pbem.legacy.foreign.child import Child, Fault
from pbem.legacy.foreign.messages import Question, Refused, Spot, Written
from pbem.games import GAMES, AnyGame
from pbem.games.game import Board, Drawn, Game, Half, Seats
from pbem.games.lessons import Topic
from pbem.games.still import STILL, rules_away
from pbem.games.waiting import HERE

if TYPE_CHECKING:
    from pbem.games.packages import Package


class NotLoaded(Exception):  # noqa: N818 - what happened
    """A package could not be loaded, for the reason that its process gave."""


log = structlog.get_logger("pbem.games")

_children: dict[str, Child] = {}
_lock: Final = Lock()


def child_of(ruleset: str) -> Child:
    """The process of a ruleset, one for all of ours."""
    with _lock:
        return _children.setdefault(ruleset, Child(ruleset))


def faults() -> Sequence[Fault]:
    """What fails at the moment, at most one a ruleset."""
    with _lock:
        children = [*_children.values()]
    return [fault for fault in (one.fault for one in children) if fault is not None]


def close_all() -> None:
    """End all processes; they are started again when somebody asks."""
    with _lock:
        children = [*_children.values()]
        _children.clear()
    for child in children:
        child.close()


@contextmanager
def run_apart() -> Iterator[None]:
    """Run games of others in processes of their own until the end of the block."""
    GAMES.open_with(open_apart)
    for _ in GAMES:
        pass  # they are loaded now, and not by a thread that may not wait
    for ruleset, fault in GAMES.faults.items():
        log.warning("game_not_loaded", ruleset=ruleset, why=str(fault))
    try:
        yield
    finally:
        GAMES.open_with(None)
        close_all()


def open_apart(package: Package) -> AnyGame:
    """The record of a package that runs in a process of its own. Raises NotLoaded."""
    child = child_of(package.ruleset)
    described = child.describe()
    if isinstance(described, Fault):
        raise NotLoaded(described.why)
    return _record(child, described.found)


@dataclass(frozen=True, slots=True)
class _Asks:
    """Asks for what a function of the game gives; where that fails, `instead` is given.

    A fault is noted in the thread. Without `instead` what was asked for is refused.
    """

    child: Child
    title: str
    hook: str
    instead: Any = field(default=None, hash=False)  # some are dicts; pages remember by game
    refuses: bool = False

    def __call__(self, *about: Any) -> Any:
        if STILL in about:
            return self._away(noted=False)
        given = tuple(map(_hashable, about))
        got = self.child.ask(Question(self.hook, given))
        if isinstance(got, Fault):
            return self._away(noted=True)
        if isinstance(got.found, Refused):
            raise Rejection(got.found.code, **got.found.facts)
        return got.found

    def _away(self, *, noted: bool) -> Any:
        if noted:
            HERE.failed = self.title
        if self.refuses:
            raise rules_away(self.title)
        return self.instead


def _hashable(given: Any) -> Any:
    if isinstance(given, Mapping):
        return tuple(sorted(given.items()))
    return tuple(given) if isinstance(given, list) else given


_NOTHING: Final = (
    ("legal", ()),
    ("longer", ()),
    ("places", ()),
    ("orders", ()),
    ("value", ()),
    ("terms", ()),
    ("out", ()),
    ("facts", {"away": True}),
    ("picture", ""),
    ("board", Board((), {"away": True})),
    ("turn", Seats(())),
    ("half", Half(STILL, None, {"kind": "next"})),
    ("chance_notation", ""),
    ("read_chance", Drawn(())),
    ("draws_seats", False),
    ("draw_offers", False),
    ("reveals", False),
    *((name, STILL) for name in ("initial", "play", "leave", "agree", "known", "load")),
    *((name, None) for name in ("cells", "claimed", "forced", "obey", "standing", "recorded")),
)
"""What is given in place of an answer that did not come."""

_ALWAYS: Final = frozenset(
    {"initial", "turn", "legal", "parse", "read", "play", "leave", "facts", "board", "load"}
    | {"draws_seats"}
)
"""Functions that every game has of its own."""


def _record(child: Child, described: Mapping[str, Any]) -> AnyGame:
    found = dict(described)
    own, lesson = found.pop("own"), found.pop("lesson")
    asks = partial(_Asks, child, found["title"])
    hooks: dict[str, Any] = {
        name: asks(name, instead) for name, instead in _NOTHING if name in own | _ALWAYS
    }
    hooks |= {name: asks(name, refuses=True) for name in ("parse", "read")}
    if "spelled" in own:
        hooks["spelled"] = asks("spelled")
    if "unrecorded" in own:
        hooks["unrecorded"] = asks("unrecorded", refuses=True)
    if "worlds" in own:
        hooks["worlds"] = lambda position, seat, _: hooks.get("known", _all_known)(position, seat)
    for name in ("words", "lettered"):
        found[name] = re.compile(*found[name]) if found[name] is not None else None
    return Game(
        **found,
        **hooks,
        notation=_notation,
        dump=_dump,
        lesson=tuple(_topic(asks, number, one) for number, one in enumerate(lesson)),
    )


def _all_known(position: Any, _seat: object) -> Any:
    return position


def _notation(move: Written | str) -> str:
    return move.notation if isinstance(move, Written) else str(move)


def _dump(position: Spot | object) -> str:
    return position.text if isinstance(position, Spot) else ""


def _topic(asks: Callable[..., _Asks], number: int, described: Sequence[Any]) -> Topic[Any, Any]:
    name, vital, includes, wise = described
    return Topic(
        name,
        partial(asks("shows", instead=False), number),
        partial(asks("teaches", instead={}), number),
        vital=vital,
        includes=includes,
        wise=wise,
    )
