"""The kinds of questions that wait for a `yes`, and how long they wait."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

QUESTIONS_LIVE: Final = timedelta(days=14)
"""So long a question waits for an answer, unless its kind says otherwise."""


DOUBTED: Final = "doubted"
"""The kind of a question that holds a letter which may not be its player's."""

REGISTRATION: Final = "letter"
"""The kind of a question that holds what somebody wrote whom we did not know."""

KEPT: Final = "kept"
"""The kind of the question whether a move is meant that is kept unplayed until it is answered."""

RESIGNATION: Final = "resignation"
"""The kind of the question whether a resignation that is held shall be final at once."""

OF_ORDERS: Final = ("add_address", "remove_address", "new_address", "delete_me")
"""The kinds of questions about what cannot be taken back."""


TAKEBACK: Final = "takeback"
"""The kind of a question whether moves may be taken back."""
