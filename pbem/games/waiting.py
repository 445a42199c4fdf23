"""Who may not wait for rules that are computed elsewhere, and what is to be done before they go on.

The threads of the database run nothing of others: a unit of work that needs an answer which is not
there yet ends with `NotYet`, and is run again once somebody else has got it (STORE 3).
"""

from __future__ import annotations

from collections.abc import Callable
from threading import local


class NotYet(BaseException):
    """Nothing has gone wrong: `settle` gets what is missing, and then the work begins anew.

    It is no Exception, since nobody but who runs the work may take it for a fault of the work.
    """

    def __init__(self, settle: Callable[[], object]) -> None:
        """`settle` may take as long as it needs, and raises nothing."""
        super().__init__("an answer is not there yet")
        self.settle = settle


class _Here(local):
    """This thread: whether it may wait, and the title of the game that last failed in it."""

    waits: bool = True
    failed: str = ""


HERE = _Here()
