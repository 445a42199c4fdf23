"""What a letter was understood to say: values, so that one process may read and another may act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from pbem.mail.free_text import Answer, Rest
from pbem.orders.letter_orders import Orders

if TYPE_CHECKING:
    from pbem.intake.sender import Sender
    from pbem.mail.letter import Letter
    from pbem.mail.reports.bounces import Bounce
    from pbem.mail.reports.complaints import Complaint
    from pbem.orders.letter_context import Consulted
    from pbem.store.mails.outbox import OutboxRow


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
