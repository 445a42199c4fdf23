"""What a notice is, and what becomes of it before it is a mail: said by its class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Literal, TypeAlias

from pbem.games.game import Seat
from pbem.legacy.matches.events import Event
from pbem.legacy.matches.match import Match
from pbem.names import PlayerId

Ask: TypeAlias = Literal[
    "move",
    "held",
    "resigned",
    "invitation",
    "confirmation",
    "claim",
    "yes",
    "start",
    "nothing",
    "anything",
]
"""What a mail wants to be answered with."""


class Place(IntEnum):
    """Where a notice stands in its mail: the first one gives it subject and first line."""

    END = 1
    START = 2
    RESIGNATION = 3
    TURN = 4
    NEWS = 5
    ACCOUNT = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class Traits:
    """What is done with the notices of a class; every class states them, defaults are cautious.

    `wish`: the wish by which a reader stops them; empty: whoever plays needs them.
    `waits`: it is soon enough if the reader is told with the next digest. Others go out at once:
    ends, questions, reminders, answers.
    `lasts`: as true after one more move, so that a mail may wait a moment for the news of a bot,
    and may tell what came after it. Questions above all do not last. That a notice does not
    last withdraws it from no mail: coalescing.py and digests.py say which are overtaken.
    `gathers`: a mail of nothing else waits a day for more of its kind, and goes with any other.
    `covers`: what such a notice says anyway, so that those need not stand in the same mail.
    `place`: where it stands in a mail.
    `about`: the field that names who it is about, by seat or player; for words it is `view.person`.
    `says`: the field with the digest of what somebody wrote; for words it is `view.text`.
    `asks`: what it wants to be answered with; `answers`: what can be sent so by a tap.
    `own_address`: nobody may answer it who has no more than the reader's usual address.
    `teaches`: its board explains the game to who is new to it.
    `unproved`: may be sent to an address from which nobody has ever answered; each one counts.
    `of_account`: is never told in the thread of a match, whatever the letter answers.
    `on_page`: concerns the reader's seat in its match and no more, or is what anybody may read, so
    that the page of the seat shows it. Of all others it only says that they went by mail.
    `though_bounced`: is sent to an address from which mail came back, since its answer mends that.
    """

    wish: str = ""
    waits: bool = False
    lasts: bool = False
    gathers: bool = False
    covers: tuple[type[Any], ...] = ()
    place: Place = Place.NEWS
    about: Literal["", "seat", "player", "author"] = ""
    says: Literal["", "text", "reason"] = ""
    asks: Ask = "anything"
    answers: tuple[str, ...] = ()
    own_address: bool = False
    teaches: bool = False
    unproved: bool = False
    though_bounced: bool = False
    on_page: bool = False
    of_account: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """What somebody must be told, as a frozen fact without a word of text.

    Each stands in the file of its family, with what owes it to whom. A mail is an ordered list of
    notices for one reader; the first one gives it subject and first line. Who reads stands with the
    mail, not in the notice; all of them speak of the stream version that the mail notes.
    """

    traits: ClassVar[Traits]


def playing(match: Match, but: Seat | None = None) -> list[PlayerId]:
    """Who still plays, but for one seat."""
    return [match.player_at(seat) for seat in match.table.playing if seat != but]


Owed: TypeAlias = tuple[PlayerId, Notice]
"""A notice, and who is told so."""

Owing: TypeAlias = Mapping[type[Event], Callable[[Any, Match], Iterable[Owed]]]
"""What is owed for a kind of event by itself, in the match after it."""
