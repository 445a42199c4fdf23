"""The digest: one mail with every board that waits, and all news that could wait for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pbem.delivery.reminders import BOARDS, waiting_boards
from pbem.matches.match import Status
from pbem.names import PlayerId
from pbem.notices import codec
from pbem.notices.news import (
    ChallengeOff,
    Invitation,
    InvitationAnswered,
    LeaveUsed,
    MatchWatched,
    TurnPrompt,
)
from pbem.notices.personal import PlayerAway
from pbem.notices.replies import DailyDigest
from pbem.players.digest_time import next_digest
from pbem.players.wishes import stops_all
from pbem.store import views
from pbem.store.mails import waiting_mails
from pbem.store.people import roster
from pbem.transaction.delivery_policy import set_digest
from pbem.transaction.wanted_mails import is_wanted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.names import MatchId
    from pbem.notices.notice import Notice
    from pbem.transaction.transaction import Transaction


def make_digest(txn: Transaction, player: PlayerId) -> None:
    """Let one mail take the place of all that are held for a player."""
    held = waiting_mails.held(txn.conn, player)
    row = roster.player(txn.conn, player)
    if not held or row is None:
        return
    waiting_mails.take_up(txn.conn, held)
    if stops_all(row.wishes):
        return  # `start` will show the boards that wait
    # Another digest is another cause, though the timer is the same.
    txn.cause = f"{txn.cause}:{held[-1].id}"
    boards = waiting_boards(txn, player)[:BOARDS]
    waiting = tuple(name for name, seat, _ in boards if seat not in txn.match(name).held)
    news = [
        notice
        for mail in held
        for notice in codec.load(mail.notices)
        if is_wanted(notice, row.wishes, answers=False)
    ]
    news = _still_true(txn, player, news, waiting)
    if waiting or news:
        txn.gather(player, [DailyDigest(matches=waiting), *news])


def reset_digest(txn: Transaction, player: PlayerId, chosen: Mapping[str, str]) -> None:
    """After a change of wishes: what is held comes at the new time, or now where there is none."""
    if waiting_mails.held(txn.conn, player):
        set_digest(txn.conn, player, next_digest(chosen, txn.now) or txn.now)


def _still_true(
    txn: Transaction, player: PlayerId, news: Sequence[Notice], waiting: Sequence[MatchId]
) -> list[Notice]:
    """News without those that later ones have overtaken; boards stand in the digest anyway."""
    rows = views.matches_of(txn.conn, player, (Status.CHALLENGE.value,))
    asked = {row.id for row in rows if player in row.to_act}
    invited = {notice.match for notice in news if isinstance(notice, Invitation)}

    watched = {one.match: one for one in reversed(news) if isinstance(one, MatchWatched)}

    def stands(notice: Notice) -> bool:
        match notice:
            case TurnPrompt():
                return False
            case Invitation(match=name):
                return name in asked
            case ChallengeOff(match=name):
                return name not in invited  # else the invitation was never sent
            case InvitationAnswered(match=name):
                return txn.match(name).status is Status.CHALLENGE
            case MatchWatched(match=name):
                return notice is watched[name]  # the first: it tells of all that came after it
            case LeaveUsed(match=name, end=end):
                # Where the digest shows the board, it tells of leave as well.
                return name not in waiting and datetime.fromisoformat(end) > txn.now
            case PlayerAway(player=other, end=end):
                away = txn.player(other).leave  # who is back meanwhile has no such leave
                return any(one.end.isoformat() == end and one.end > txn.now for one in away)
            case _:
                return True

    return [notice for notice in news if stands(notice)]
