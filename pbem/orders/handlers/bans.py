"""What an operator does about players: exclude them, let them play again, call them otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.notices.personal import Banned, OperatorDecided
from pbem.orders.handlers.challenges import is_taken
from pbem.orders.handlers.deletion import last_mail, leave_matches
from pbem.players.names import LONGEST, is_name
from pbem.players.operator_acts import Ban, CorrectName, Pardon
from pbem.store.people import roster, seat_names

if TYPE_CHECKING:
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.transaction import Transaction


def ban(txn: Transaction, row: PlayerRow, author: str, reason: str, *, leaves: bool) -> None:
    """Carry out nothing for this player any more, and say so once; `leaves`: out of all matches.

    Who is banned already is not told again.
    """
    why = txn.seal(reason)
    if leaves:
        leave_matches(txn, row.id)
    txn.decide_player(row.id, Ban(author=author, reason=why))
    roster.ban(txn.conn, row.id, banned=True)
    if row.confirmed and not row.suspended and not row.banned:
        last_mail(txn, row, Banned(reason=why, wishes=dict(row.wishes)))


def pardon(txn: Transaction, row: PlayerRow, author: str, reason: str) -> None:
    """Let a banned player play again."""
    why = txn.seal(reason)
    txn.decide_player(row.id, Pardon(author=author, reason=why))
    roster.ban(txn.conn, row.id, banned=False)
    txn.tell(row.id, OperatorDecided(act="pardoned", reason=why, name=row.name))


def correct_name(txn: Transaction, row: PlayerRow, name: str, author: str, reason: str) -> None:
    """Call a player otherwise. Raises Rejection for what is no name, or somebody else's."""
    name = " ".join(name.split())
    if not is_name(name):
        raise Rejection("bad_name", name=name[:LONGEST], longest=LONGEST)
    if is_taken(txn, name, by_others_than=row.id):
        raise Rejection("name_taken", name=name)
    why = txn.seal(reason)
    command = CorrectName(author=author, reason=why, name=txn.seal(name))
    txn.decide_player(row.id, command)
    roster.rename(txn.conn, row.id, name)
    seat_names.rename(txn.conn, row.id, name)
    txn.tell(row.id, OperatorDecided(act="renamed", reason=why, name=name))
