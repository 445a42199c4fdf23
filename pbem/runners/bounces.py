"""Mail that comes back: whose it was, when an address is suspended, and when it lives again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.mail.addresses import read_verp
from pbem.matches.commands import CreditClock, PauseClock, ResumeClock
from pbem.matches.match import Status
from pbem.notices.personal import PlayerBack, PlayerUnreachable
from pbem.players import commands
from pbem.players.wishes import stops_all
from pbem.runners.clocks import in_every_match
from pbem.runners.showing import games_of, list_games
from pbem.store import outbox, roster, views

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.mail.bounces import Bounce
    from pbem.mail.letter import Letter
    from pbem.names import MatchId, PlayerId
    from pbem.runners.house import House
    from pbem.runners.taking import Taking
    from pbem.store.outbox import OutboxRow
    from pbem.store.roster import PlayerRow

SUSPENDED_AFTER: Final = 3
"""Permanent bounces without a letter in between."""

RUNNING: Final = (Status.RUNNING.value,)


def bounced_mail(conn: Connection, house: House, letter: Letter) -> OutboxRow | None:
    """Which mail came back: the envelope sender of every mail names it (VERP), and is signed."""
    site = house.settings.site
    for recipient in letter.recipients:
        ident = read_verp(house.keys, recipient, site.address, delimiter=site.delimiter)
        mail = outbox.find_by_mail_id(conn, ident) if ident is not None else None
        if mail is not None and mail.to_address is None:  # else an address that was never theirs
            return mail
    return None


def take_bounce(taking: Taking, letter: Letter, report: Bounce | None) -> bool:
    """Count a bounce that is for good; whether it was one of ours and permanent."""
    mail = bounced_mail(taking.conn, taking.house, letter)
    if mail is None or mail.recipient is None or report is None or not report.permanent:
        return False
    note_bounce(taking, mail.recipient, mail.queued_at)
    return True


def note_bounce(taking: Taking, player: PlayerId, made_at: datetime) -> None:
    """A mail to this player, made at that time, is refused for good.

    The third in a row suspends the address. PLAY 3: clocks stand still while it bounces, so what
    they have counted since the first of the row was made is given back. A single bounce gives
    nothing back: nobody else hears of it, and its reader could make one whenever time is short.
    """
    bounces, since = roster.count_bounce(taking.conn, player, made_at)
    if bounces < SUSPENDED_AFTER or taking.player(player).suspended:
        return
    roster.suspend(taking.conn, player, taking.now)
    taking.decide_player(player, commands.SuspendAddress())
    credit = CreditClock(player=player, begin=since, end=taking.now, reason="unreachable")
    in_every_match(taking, player, lambda _: credit)
    in_every_match(taking, player, lambda _: PauseClock(player=player, reason="unreachable"))
    _tell_opponents(taking, player, back=False)


def resume(taking: Taking, player: PlayerRow) -> None:
    """A letter of theirs, who sent it: mail goes out again, first of all what waits for them."""
    roster.resume(taking.conn, player.id)
    if not player.suspended:
        return
    _go_on(taking, player.id)
    taking.resumed = True
    list_games(taking, boards=True, resumed=True)


def reach(taking: Taking, player: PlayerRow) -> None:
    """The operator says that mail arrives again: as `resume`, but nobody has written."""
    roster.resume(taking.conn, player.id)
    _go_on(taking, player.id)
    if not stops_all(player.wishes):
        taking.tell(player.id, games_of(taking, player.id, boards=True, resumed=True))


def _go_on(taking: Taking, player: PlayerId) -> None:
    taking.decide_player(player, commands.ResumeAddress())
    in_every_match(taking, player, lambda _: ResumeClock(player=player, reason="unreachable"))
    _tell_opponents(taking, player, back=True)


def _tell_opponents(taking: Taking, player: PlayerId, *, back: bool) -> None:
    """PLAY 5: one mail to each, however many matches they share."""
    shared: dict[PlayerId, list[MatchId]] = {}
    for row in views.matches_of(taking.conn, player, RUNNING):
        match = taking.match(row.id)
        playing = [match.player_at(seat) for seat in match.active]
        for other in playing if player in playing else ():
            shared.setdefault(other, []).append(row.id)
    shared.pop(player, None)
    notice = PlayerBack if back else PlayerUnreachable
    for other, names in shared.items():
        taking.tell(other, notice(player=player, matches=tuple(names)))
