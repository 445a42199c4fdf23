"""The digest: one mail with every board that waits, and all news that could wait for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.matches.match import Status
from pbem.names import MatchId, PlayerId
from pbem.notices import codec
from pbem.notices.kinds import is_wanted
from pbem.notices.news import (
    ChallengeOff,
    Invitation,
    InvitationAnswered,
    MatchWatched,
    TurnPrompt,
)
from pbem.notices.replies import DailyDigest
from pbem.players.digest_time import next_digest
from pbem.players.wishes import stops_all
from pbem.runners.holding import set_digest
from pbem.runners.reminders import BOARDS, waiting_boards
from pbem.store import held_mails, roster, views

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.notices.notice import Notice
    from pbem.runners.taking import Taking


def make_digest(taking: Taking, player: PlayerId) -> None:
    """Let one mail take the place of all that are held for a player."""
    held = held_mails.held(taking.conn, player)
    row = roster.player(taking.conn, player)
    if not held or row is None:
        return
    held_mails.take_up(taking.conn, [number for number, _ in held])
    if stops_all(row.wishes):
        return  # `start` will show the boards that wait
    # Another digest is another cause, though the timer is the same.
    taking.cause = f"{taking.cause}:{held[-1][0]}"
    waiting = tuple(name for name, _, _ in waiting_boards(taking, player)[:BOARDS])
    news = [
        notice
        for _, notices in held
        for notice in codec.load(notices)
        if is_wanted(notice, row.wishes, answers=False)
    ]
    news = list(_still_true(taking, player, news))
    if waiting or news:
        taking.gather(player, [DailyDigest(matches=waiting), *news])


def reset_digest(taking: Taking, player: PlayerId, chosen: Mapping[str, str]) -> None:
    """After a change of wishes: what is held comes at the new time, or now where there is none."""
    if held_mails.held(taking.conn, player):
        set_digest(taking.conn, player, next_digest(chosen, taking.now) or taking.now)


def _still_true(taking: Taking, player: PlayerId, news: Sequence[Notice]) -> Iterator[Notice]:
    """News without those that later ones have overtaken; boards stand in the digest anyway."""
    asked = {
        row.id
        for row in views.matches_of(taking.conn, player, (Status.CHALLENGE.value,))
        if player in row.to_act
    }
    invited = {notice.match for notice in news if isinstance(notice, Invitation)}
    watched: set[MatchId] = set()
    for notice in news:
        match notice:
            case MatchWatched(match=name) if name in watched:
                continue  # the first one tells of all that has happened since
            case MatchWatched(match=name):
                watched.add(name)
                yield notice
            case TurnPrompt():
                continue
            case Invitation(match=name) if name not in asked:
                continue
            case ChallengeOff(match=name) if name in invited:
                continue  # the invitation was never sent
            case InvitationAnswered(match=name):
                if taking.match(name).status is Status.CHALLENGE:
                    yield notice
            case _:
                yield notice
