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
    "parse": ("pbem.intake.read_letter.read_letter",),
    "sender": ("pbem.intake.read_letter.identify", "pbem.intake.take_letter.identify"),
    "replay (or cache)": (
        "pbem.intake.sender.find_match",
        "pbem.intake.sender.match_at",
        "pbem.transaction.working_copy.find_match",
    ),
    "reply and orders": (
        "pbem.intake.read_letter.typed_text",
        "pbem.intake.read_letter.read_orders",
    ),
    "decide": ("pbem.transaction.unit.decide",),
    "react, queue, views": ("pbem.transaction.transaction.Transaction.close",),
    "append": ("pbem.store.log.event_log.append",),
    "rest of the unit": ("pbem.runners.receive._unit",),
    "what a mail needs": ("pbem.delivery.mail_writing.material",),
    "view": ("pbem.delivery.mail_writing.build",),
    "render": ("pbem.notices.rendering.render.Renderer.render",),
    "fingerprints": (
        "pbem.delivery.mail_writing.fingerprints",
        "pbem.delivery.mail_writing.fingerprints_sent",
    ),
    "compose": ("pbem.delivery.mail_writing.compose",),
    "keep the bytes": ("pbem.delivery.mail_writing._keep",),
    "note what was sent": (
        "pbem.runners.deliver.note_result",
        "pbem.store.mails.outbox.sent",
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
