"""The table of verbs, which feeds the grammar, the help mail, the footers and the tests."""

from __future__ import annotations

from typing import Final

from pbem.legacy.mail.verbs import agreeing, club, own, playing, seats, showing, talking

VERBS: Final = (
    *playing.VERBS,
    *talking.VERBS,
    *agreeing.ENDING,
    *showing.VERBS,
    *agreeing.VERBS,
    *seats.VERBS,
    *club.VERBS,
    *own.VERBS,
)
"""Every platform order, in the order of the help mail."""

BY_WORD: Final = {word: verb for verb in VERBS for word in (verb.name, *verb.also)}
"""Every verb by each of its names."""
