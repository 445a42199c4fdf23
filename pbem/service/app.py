"""A running service and its parts: settings, database, keys, templates, clock and entropy.

The clock and the entropy are arguments, so that tests set them. Nothing else reads either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from pbem.mail.addresses import Keys
from pbem.names import MatchId, PlayerId
from pbem.notifications.render import Renderer
from pbem.settings import LimitSettings
from pbem.store.database import Database
from pbem.store.event_log import MatchCache

CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without 0/O, 1/I/L and U
CODE_LENGTH: Final = 5  # characters of the code of a match
ID_BYTES: Final = 10  # of the id of a player or a question


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """The service as its emails present it: title, addresses, undo window, limits."""

    title: str
    address: str  # public address of the mailbox
    delimiter: str = "+"
    authserv_id: str = ""  # whose Authentication-Results we trust; empty: nobody's
    undo_window: timedelta = timedelta(minutes=5)
    operator: str = ""  # address of the operator
    web_address: str = ""  # of our pages, as in `https://games.example.org`; empty: there are none
    limits: LimitSettings = field(default_factory=LimitSettings)


@dataclass(frozen=True, kw_only=True, slots=True)
class App:
    """A running service. `matches` belongs to the writer thread.

    `draws_pictures` is set if emails show boards as pictures, which needs the extra `pictures`.
    """

    site: Site
    database: Database
    keys: Keys
    renderer: Renderer
    now: Callable[[], datetime] = field(repr=False)
    entropy: Callable[[int], bytes] = field(repr=False)
    draws_pictures: bool = False
    matches: MatchCache = field(default_factory=MatchCache, repr=False)

    def new_match_id(self) -> MatchId:
        """Return a new code for a match, as in `K7QX2`."""
        number = int.from_bytes(self.entropy(8), "big")
        letters = []
        for _ in range(CODE_LENGTH):
            number, index = divmod(number, len(CODE_LETTERS))
            letters.append(CODE_LETTERS[index])
        return MatchId("".join(letters))

    def new_player_id(self) -> PlayerId:
        """Return a new id for a player."""
        return PlayerId(self.entropy(ID_BYTES).hex())

    def new_question_id(self) -> str:
        """Return a new id for a question; its reply address is made of it."""
        return self.entropy(ID_BYTES).hex()
