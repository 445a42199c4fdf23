"""What draws are bound to of a letter: its Message-ID and Date, as its writer can find them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from pbem.fairness import letter_digest

if TYPE_CHECKING:
    from pbem.mail.headers import Headers

Unsure: TypeAlias = Literal["", "id", "date", "both", "rewritten"]
"""What a letter lacks of the two; or a provider has put another Message-ID in place of its own."""

_ORIGINALS: Final = (
    "x-google-original-message-id",
    "x-microsoft-original-message-id",
    "x-original-message-id",
)
"""Where providers keep the Message-ID that they have replaced."""


@dataclass(frozen=True, slots=True)
class Bond:
    """Digest of Message-ID and Date in hex, empty without either, and what is not sure of it."""

    digest: str = ""
    unsure: Unsure = ""


NO_BOND: Final = Bond()


def bond_of(headers: Headers) -> Bond:
    """The bond of a letter, from the values of the fields as they came.

    Folded lines are one, and blanks side by side are one: on its way a field may be folded anew.
    """
    message_id, date = (" ".join(headers.first(name).split()) for name in ("message-id", "date"))
    return Bond(letter_digest(message_id, date), _unsure(headers, message_id, date))


def _unsure(headers: Headers, message_id: str, date: str) -> Unsure:
    if not message_id or not date:
        return "both" if message_id == date else "date" if message_id else "id"
    originals = (" ".join(headers.first(name).split()) for name in _ORIGINALS)
    return "rewritten" if any(one not in ("", message_id) for one in originals) else ""
