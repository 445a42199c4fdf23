"""What a letter was understood to say, and what it will touch: values, so that others may act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from pbem.legacy.intake.sender import Known
from pbem.legacy.mail.addresses import PlayerAddress, SeatAddress, find_tags, read
from pbem.legacy.mail.free_text import Answer, Rest
from pbem.legacy.orders.context import Orders
from pbem.legacy.orders.order_table import TABLE
from pbem.legacy.store import scopes
from pbem.legacy.transaction.installation import match_stream, player_stream

if TYPE_CHECKING:
    from pbem.legacy.intake.sender import Sender
    from pbem.legacy.mail.addresses import Keys, ReplyTo
    from pbem.legacy.mail.automatic import Bounce, Complaint
    from pbem.legacy.mail.letter import Letter
    from pbem.legacy.orders.context import Consulted
    from pbem.legacy.store.mails.outbox import OutboxRow
    from pbem.legacy.store.scopes import Scope


# --- intent --------------------------------------------------------------------------------------
# What a letter was understood to say: values, so that one process may read and another may act.

Became: TypeAlias = Literal["done", "doubted", "greeting", "unanswered"]
"""What becomes of a letter, unless it is refused."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Intent:
    """A letter as it was understood, and the facts by which: if they change, it is read again.

    letter: without its texts. sender: as it was identified, without what was loaded for it.
    answered: the mail of ours that it says it answers, without its bytes.
    lines: what was typed; of what may be somebody else's only its orders, `shown` as we may repeat
    them, `more` says whether that is not all, and `game` which game a stranger's speaks of.
    conflict: text and page of it hold different orders. left_out: bytes behind the lines that were
    not read, since there were too many. answer: what it is to somebody who was asked something
    grave. says_no: it wants nothing of what was asked.
    language: the one it is written in, where that matters. orders and rest: what it says.
    held: what each letter of before says that its `yes` may let pass, by the question's key.
    """

    letter: Letter
    sender: Sender | None = None
    answered: OutboxRow | None = None
    consulted: Consulted | None = None
    bounce: Bounce | None = None
    complaint: Complaint | None = None
    lines: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    conflict: bool = False
    more: bool = False
    game: str = ""
    left_out: int = 0
    answer: Answer = Answer.OTHER
    says_no: bool = False
    language: str | None = None
    orders: Orders = field(default_factory=Orders)
    rest: Rest = field(default_factory=Rest)
    held: Mapping[str, Orders] = field(default_factory=dict)


# --- scope ---------------------------------------------------------------------------------------
# What a letter will touch when it is taken: so that other processes take others beside it.

HEAD = 32_768
"""Bytes at the beginning of a letter in which its recipients are looked for."""


def scope_of(intent: Intent) -> Scope:
    """What it touches: its matches and its writer where it does nothing else, or else anything."""
    letter, sender = intent.letter, intent.sender
    if letter.is_bounce or letter.automatic or not isinstance(sender, Known):
        return scopes.ALL
    if sender.home is None or sender.doubt or sender.new_address:
        return scopes.ALL
    said = intent.orders
    if any(said.elsewhere) or not all(TABLE[type(one.order)].of_match for one in said.todo):
        return scopes.ALL
    matches = {sender.home, *(one.match for one in said.todo if one.match is not None)}
    return scopes.Scope(frozenset({player_stream(sender.player.id), *map(match_stream, matches)}))


def lane_of(raw: bytes, envelope_to: str | None, keys: Keys) -> str | None:
    """What letters must be taken in their order: all that were sent to one match, or one player.

    It is found without reading the letter; None for what was sent to no address of anybody's.
    """
    for tag in find_tags(f"{envelope_to or ''} {raw[:HEAD].decode('latin-1')}"):
        to = read(keys, tag)
        if to is not None:
            return _lane(to)
    return None


def _lane(to: ReplyTo) -> str | None:
    match to:
        case SeatAddress(match=match):
            return match_stream(match)
        case PlayerAddress(player=player):
            return player_stream(player)
        case _:
            return None
