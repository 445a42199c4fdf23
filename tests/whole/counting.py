"""Counts the functions of the house that are called, in all threads and in the reading process."""

from __future__ import annotations

import dis
import pickle
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Final, NamedTuple

import pbem
from pbem.runners.readers import Answer
from pbem.wiring import reader_process

if TYPE_CHECKING:
    from pbem.config import Settings
    from pbem.store.mails.inbox import InboxRow

PACKAGE: Final = Path(pbem.__file__).parent
TEMPLATES: Final = PACKAGE.parent / "templates"

_WITHIN: Final = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
"""Comprehensions: parts of their function, for most of which only Python 3.11 makes frames."""

_PAUSES: Final = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_NOT_OURS: Final = -2
_PLAIN: Final = -1


class Function(NamedTuple):
    """A function by its file (`pbem/...` or `templates/...`), its name there, and its line."""

    file: str
    name: str
    line: int

    @property
    def of_games(self) -> bool:
        """Whether it stands in games/."""
        return self.file.startswith("pbem/games/")


class Tape:
    """Writes down each call while it is on.

    A generator or a coroutine is called once, when it begins, however often it goes on.
    """

    def __init__(self) -> None:
        self.on = False
        self._calls: list[int] = []  # of codes by their ids: adding to a list is one step
        self._kinds: dict[int, int] = {}
        self._codes: dict[int, CodeType] = {}
        self._lines: dict[int, int] = {}

    def hook(self, frame: FrameType, event: str, _: object) -> None:
        """What the interpreter calls."""
        if event != "call" or not self.on:
            return
        ident = id(frame.f_code)
        kind = self._kinds.get(ident)
        if kind is None:
            kind = self._met(frame, ident)
        if kind in (_PLAIN, frame.f_lasti):
            self._calls.append(ident)

    def taken(self) -> Counter[Function]:
        """The calls since this was asked last."""
        calls, self._calls = self._calls, []
        found: Counter[Function] = Counter()
        for ident, many in Counter(calls).items():
            found[self._function(ident)] += many
        return found

    def _met(self, frame: FrameType, ident: int) -> int:
        """Remember a code: where it pauses, the place at which it begins."""
        code = self._codes[ident] = frame.f_code  # kept, so that no other gets its id
        kind = _PLAIN
        if not _is_ours(code):
            kind = _NOT_OURS
        elif code.co_flags & _PAUSES:
            kind = next(one.offset for one in dis.get_instructions(code) if one.opname == "RESUME")
        self._kinds[ident] = kind
        self._lines[ident] = _line(frame)
        return kind

    def _function(self, ident: int) -> Function:
        code = self._codes[ident]
        file = Path(code.co_filename).relative_to(PACKAGE.parent).as_posix()
        return Function(file, code.co_qualname, self._lines[ident])


def _is_ours(code: CodeType) -> bool:
    inside = code.co_filename.startswith((f"{PACKAGE}/", f"{TEMPLATES}/"))
    return inside and code.co_name not in _WITHIN and bool(code.co_flags & CO_OPTIMIZED)


def _line(frame: FrameType) -> int:
    """The line of a function in its file; of a template's code Jinja says which it is."""
    line = frame.f_code.co_firstlineno
    told = frame.f_globals.get("debug_info")
    if not isinstance(told, str):
        return line
    pairs = (pair.partition("=") for pair in told.split("&") if pair)
    return next((int(ours) for ours, _, made in pairs if int(made) == line), 1)


@contextmanager
def heard(tape: Tape) -> Iterator[None]:
    """Hear of the calls of all threads that begin until the end of the block."""
    before = threading.getprofile()
    threading.setprofile(tape.hook)
    try:
        yield
    finally:
        threading.setprofile(before)


@contextmanager
def on(tape: Tape, *threads: Callable[[Callable[[], object]], object]) -> Iterator[None]:
    """Write down what is called in our thread, and where these run what they are given."""
    before = sys.getprofile()
    runs = (lambda call: call(), *threads)
    for run in runs:
        run(partial(sys.setprofile, tape.hook))
    tape.on = True
    try:
        yield
    finally:
        tape.on = False
        for run in runs:
            run(partial(sys.setprofile, before))


# --- the process that reads letters --------------------------------------------------------------


class Told:
    """A folder in which a process is asked to count, and tells what it has counted."""

    def __init__(self, folder: Path) -> None:
        self._wish, self._calls = folder / "count", folder / "calls"

    @property
    def wanted(self) -> bool:
        return self._wish.exists()

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Ask for what is called until the end of the block."""
        self._wish.touch()
        try:
            yield
        finally:
            self._wish.unlink()

    def tell(self, calls: Counter[Function]) -> None:
        self._calls.write_bytes(pickle.dumps(self.taken() + calls))

    def taken(self) -> Counter[Function]:
        """What was told since this was asked last."""
        if not self._calls.exists():
            return Counter()
        calls: Counter[Function] = pickle.loads(self._calls.read_bytes())  # noqa: S301 - our own
        self._calls.unlink()
        return calls


_here: list[tuple[Tape, Told]] = []


def start(settings: Settings, told: Told) -> None:
    """Make a process ready to read, as in the service."""
    reader_process.start(settings)
    _here[:] = [(Tape(), told)]


def work(row: InboxRow | None, now: datetime) -> Answer:
    """Read as in the service, and tell what was called where that is asked for."""
    tape, told = _here[0]
    if not told.wanted:
        return reader_process.work(row, now)
    try:
        with on(tape):
            return reader_process.work(row, now)
    finally:
        told.tell(tape.taken())
