"""What each proof of who wrote a letter grants (MAIL 3); order_table.py says what orders need."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.legacy.mail.authentication import Proof
from pbem.legacy.mail.verbs.agreeing import Decline, Resign, Yes
from pbem.legacy.mail.verbs.own import ChooseWish, Invitations

if TYPE_CHECKING:
    from pbem.legacy.mail.verbs.verb import Order
    from pbem.legacy.orders.context import LetterContext


class Power(StrEnum):
    """What an order does to its writer if somebody else wrote it, the least first."""

    READ = "read"
    WISHES = "wishes"
    TALK = "talk"
    MOVE = "move"
    BIND = "bind"
    IRREVOCABLE = "irrevocable"


_TO_MOVE: Final = frozenset((Power.READ, Power.WISHES, Power.TALK, Power.MOVE))

GRANTS: Final[Mapping[Proof, frozenset[Power]]] = {
    Proof.NAME: frozenset(),
    Proof.DOUBT: frozenset(),
    Proof.OLD_MAIL: frozenset(),
    Proof.OLD_ADDRESS: frozenset((Power.READ,)),
    Proof.RETIRED_ADDRESS: frozenset((Power.READ,)),
    Proof.NEWCOMER: frozenset((Power.READ,)),
    Proof.MAIL: _TO_MOVE,
    Proof.TOKEN: _TO_MOVE | {Power.BIND},
    Proof.QUESTION: frozenset(Power),
}
"""What may be done with each proof. For what else there is, somebody is asked, at an address that
is surely theirs: with a token by a one-time question, with less whether they wrote the letter. At
an address that others have seen long ago nobody is asked any more."""

_SEEN: Final = (Proof.OLD_ADDRESS, Proof.RETIRED_ADDRESS)


def is_seen(proof: Proof) -> bool:
    """Whether others have seen all that proves that a letter is its player's.

    Then it may be theirs: it uses up nothing that the player has for letters of their own.
    """
    return proof in _SEEN


def is_asked_about(proof: Proof, order: Order, rejection: Rejection) -> bool:
    """Whether a player is asked about an order that was refused for want of proof."""
    return proof is Proof.MAIL and rejection.code == _lacking(proof).code and may_wait(order)


def may_wait(order: Order) -> bool:
    """Whether an order can wait for a `yes`: not another one, which says nothing by itself."""
    return not isinstance(order, Yes)


def refuses(order: Order) -> bool:
    """Whether an order wants nothing of what we asked somebody for: anybody may say that."""
    match order:
        case Decline() | Invitations(welcome=False):
            return True
        case Resign():
            return True  # who has not agreed to play has only a seat in a challenge to give up
        case ChooseWish("everything", "off"):
            return True
        case _:
            return False


def _lacking(proof: Proof) -> Rejection:
    """What is said where a proof does not grant a power."""
    if is_seen(proof):
        return Rejection("address_seen")
    return Rejection("consent_missing" if proof is Proof.NEWCOMER else "not_proved")


def require(context: LetterContext, power: Power) -> None:
    """Raises Rejection where the letter's proof does not grant a power.

    What cannot be taken back is let through with a token: whoever carries it out asks first.
    """
    granted = GRANTS[context.proof]
    asked = power is Power.IRREVOCABLE and Power.BIND in granted
    if power not in granted and not asked:
        raise _lacking(context.proof)


def is_anybodys(order: Order) -> bool:
    """Whether somebody may say it who has not consented to play here: no, and in which language."""
    return refuses(order) or is_language(order)


def is_language(order: Order) -> bool:
    """Whether an order chooses the language of mails."""
    return isinstance(order, ChooseWish) and order.name == "lang"
