"""Where the time of a turn goes: processor time by stage, while turns are played.

A stage is a function of the service; while `Stages` is open it is replaced by one that also counts
the time of its own thread, less that of the stages inside it.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from threading import local
from typing import Any
from unittest.mock import patch

STAGES: Mapping[str, tuple[str, ...]] = {
    "parse": ("pbem.legacy.intake.read_letter.read_letter",),
    "sender": (
        "pbem.legacy.intake.read_letter.identify",
        "pbem.legacy.intake.take_letter.identify",
    ),
    "replay (or cache)": (
        "pbem.legacy.intake.sender.find_match",
        "pbem.legacy.intake.sender.match_at",
        "pbem.legacy.transaction.working_copy.find_match",
    ),
    "reply and orders": (
        "pbem.legacy.intake.read_letter.typed_text",
        "pbem.legacy.intake.read_letter.read_orders",
    ),
    "decide": ("pbem.legacy.transaction.unit.decide",),
    "react, queue, views": ("pbem.legacy.transaction.transaction.Transaction.close",),
    "append": ("pbem.legacy.store.log.event_log.append",),
    "rest of the unit": ("pbem.legacy.runners.receive._unit",),
    "what a mail needs": ("pbem.legacy.delivery.mail_writing.material",),
    "view": ("pbem.legacy.delivery.mail_writing.build",),
    "render": ("pbem.legacy.notices.rendering.render.Renderer.render",),
    "fingerprints": (
        "pbem.legacy.delivery.mail_writing.fingerprints",
        "pbem.legacy.delivery.mail_writing.fingerprints_sent",
    ),
    "compose": ("pbem.legacy.delivery.mail_writing.compose",),
    "keep the bytes": ("pbem.legacy.delivery.mail_writing._keep",),
    "note what was sent": (
        "pbem.legacy.runners.deliver.note_result",
        "pbem.legacy.store.mails.outbox.sent",
    ),
}
"""The functions of each stage, by their names where they are called."""


class Stages:
    """Counts while it is open; `seconds` has the time of each stage."""

    def __init__(self) -> None:
        """Nothing counted."""
        self.seconds: dict[str, float] = defaultdict(float)
        self._inside = local()

    @contextmanager
    def open(self) -> Iterator[None]:
        """Replace the functions for a while."""
        with ExitStack() as stack:
            for stage, names in STAGES.items():
                for name in names:
                    self._replace(stack, stage, name)
            yield

    def _replace(self, stack: ExitStack, stage: str, name: str) -> None:
        patcher = patch(name)
        original, _ = patcher.get_original()
        stack.enter_context(patch(name, self._timed(stage, original)))

    def _timed(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            outer = getattr(self._inside, "spent", 0.0)
            self._inside.spent = 0.0
            began = time.thread_time()
            try:
                return call(*args, **kwargs)
            finally:
                spent = time.thread_time() - began
                self.seconds[stage] += spent - self._inside.spent
                self._inside.spent = outer + spent

        return timed
