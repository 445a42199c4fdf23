"""A ruleset in a process of its own, asked and remembered; if it hangs or ends, it begins anew.

What it has answered is the same for ever: rules are pure. What it failed to answer is asked again
after a while.
"""

from __future__ import annotations

import select
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final, TypeAlias

import structlog

from pbem.legacy.foreign.messages import Answer, Called, Failed, Question, receive, send
from pbem.games.game import Marks
from pbem.games.waiting import HERE, NotYet

START_SECONDS: Final = 30.0
"""A package is imported by then, or never."""

CALL_SECONDS: Final = 3.0
"""What one question may take; a letter is read in less."""

AGAIN: Final = 60.0
"""Seconds until a question that failed is asked again; they double up to `SELDOM`."""

SELDOM: Final = 3600.0

REMEMBERED: Final = 20_000
"""Answers about rules that are kept."""

SHOWN: Final = 500
"""Answers that show something, which are large: pictures, boards, cells."""

_SHOWING: Final = frozenset({"picture", "cells", "board", "facts", "places", "half", "orders"})

log = structlog.get_logger("pbem.games")


@dataclass(frozen=True, slots=True)
class Fault:
    """What failed: the ruleset, the function, why, how often, and until when it is not asked."""

    ruleset: str
    hook: str
    why: str
    times: int
    until: float


_Found: TypeAlias = Answer | Fault


class Child:
    """The process of a ruleset. Any thread may ask; one question is answered at a time."""

    def __init__(
        self,
        ruleset: str,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing runs until somebody asks."""
        self.ruleset = ruleset
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._known: OrderedDict[Question, _Found] = OrderedDict()
        self._shown: OrderedDict[Question, _Found] = OrderedDict()
        self._lock, self._asking = Lock(), Lock()

    def ask(self, question: Question) -> Answer | Fault:
        """What is known of it, else what the process answers.

        Raises NotYet in a thread that may not wait.
        """
        found = self._remembered(question)
        if found is not None:
            return found
        if not HERE.waits:
            raise NotYet(lambda: self._settle(question))
        return self._settle(question)

    def describe(self) -> Answer | Fault:
        """What the record is, asked anew: the process is started for it."""
        with self._asking:
            self._end()
            return self._started()

    def close(self) -> None:
        """End the process."""
        with self._asking:
            self._end()

    @property
    def fault(self) -> Fault | None:
        """A question that fails at the moment, the last one."""
        now = self._clock()
        with self._lock:
            kept = [*self._known.values(), *self._shown.values()]
        faults = [one for one in kept if isinstance(one, Fault) and one.until > now]
        return max(faults, key=lambda one: one.until, default=None)

    # --- what is remembered -----------------------------------------------------------------------

    def _store(self, question: Question) -> OrderedDict[Question, _Found]:
        return self._shown if question.hook in _SHOWING else self._known

    def _remembered(self, question: Question) -> _Found | None:
        with self._lock:
            found = self._store(question).get(question)
        return found if isinstance(found, Answer) or self._holds(found) else None

    def _holds(self, found: Fault | None) -> bool:
        return found is not None and found.until > self._clock()

    def _keep(self, question: Question, found: _Found) -> None:
        with self._lock:
            kept = self._store(question)
            kept[question] = found
            while len(kept) > (SHOWN if kept is self._shown else REMEMBERED):
                kept.popitem(last=False)

    # --- asking -----------------------------------------------------------------------------------

    def _settle(self, question: Question) -> _Found:
        with self._asking:
            found = self._remembered(question)
            if found is not None:
                return found
            found = self._asked(question)
            if isinstance(found, Answer):
                for other, answer in found.beside:
                    self._keep(other, Answer(answer))
                found = Answer(found.found)
            else:
                log.error("game_failed", ruleset=self.ruleset, hook=found.hook, why=found.why)
            self._keep(question, found)
            return found

    def _asked(self, question: Question) -> _Found:
        if self._process is None:
            started = self._started()
            if isinstance(started, Fault):
                return self._fault(question, started.why)
        words: list[Callable[[str], str]] = []
        sent = Question(
            question.hook, tuple(_without_words(one, words) for one in question.arguments)
        )
        return self._answered(question, sent, CALL_SECONDS, words)

    def _started(self) -> _Found:
        command = [sys.executable, "-m", "pbem.legacy.foreign.process", self.ruleset]
        self._process = subprocess.Popen(  # noqa: S603 - our own module, by the name of a ruleset
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        started = self._answered(Question("import", ()), None, START_SECONDS, ())
        if isinstance(started, Fault):
            self._end()  # it has said why, and ends
        return started

    def _answered(
        self,
        question: Question,
        sent: Question | None,
        seconds: float,
        words: list[Callable[[str], str]] | tuple[()],
    ) -> _Found:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise LookupError("no process was started")
        ends = self._clock() + seconds
        try:
            if sent is not None:
                send(process.stdin, sent)
            while True:
                ready, _, _ = select.select([process.stdout], [], [], max(0, ends - self._clock()))
                if not ready:
                    self._end()
                    return self._fault(question, f"no answer within {seconds:g} s")
                got = receive(process.stdout)  # type: ignore[arg-type]
                if isinstance(got, Called):
                    send(process.stdin, words[got.number](got.text))
                elif isinstance(got.found, Failed):
                    return self._fault(question, got.found.why)
                else:
                    return got  # type: ignore[no-any-return]
        except (OSError, EOFError) as error:
            code = process.poll()
            self._end()
            why = f"its process ended ({code})" if code is not None else str(error)
            return self._fault(question, why)

    def _fault(self, question: Question, why: str) -> Fault:
        with self._lock:
            before = self._store(question).get(question)
        times = before.times + 1 if isinstance(before, Fault) else 1
        wait = min(AGAIN * 2 ** (times - 1), SELDOM)
        return Fault(self.ruleset, question.hook, why, times, self._clock() + wait)

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        process.wait()


def _without_words(given: Any, words: list[Callable[[str], str]]) -> Any:
    """A function cannot travel: its number does, and the process asks for what it says."""
    if isinstance(given, Marks):
        words.append(given.word)
        return replace(given, word=len(words) - 1)  # type: ignore[arg-type]
    return given
