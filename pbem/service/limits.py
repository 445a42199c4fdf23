"""Rate limits: how many emails of a sender are executed, answered, or sent on to others.

| what is counted | per | setting or limit |
|---|---|---|
| emails that prove that a player wrote them | hour | `verified_emails` |
| other emails in a player's name, or from a mailbox | hour | `other_emails` |
| emails to strangers, people who never said yes | day | `stranger_emails` |
| emails to strangers in one domain | day | `stranger_emails_domain` |
| emails to one stranger | day | `stranger_emails_mailbox` |
| emails to strangers that one player causes | day | `stranger_emails_player` |
| refusals to a player, and boards as in the next line | day | `refusals` |
| boards that answer a player's email without a command or a move | hour | `board_answers` |
| explanations to an invited person who answered unclearly | invitation | 1 |
| commands that a player sends from pages | hour | 600 |
| emails to a player about a new browser | day | 5 |
| reports of a player to the operator | day | 5 |
| emails that one player causes to another | hour | `player_emails` |

A command that would exceed a limit is refused before it does anything, and its sender
learns when the limit ends. Moves, resignations, vacation and answers to other players are
not limited. So no limit delays a turn, the end of a match, a reminder or a deadline. News
of another player's actions may have to wait for the next email about the match
(`EmailWriter`).

Emails to strangers are divided into three groups (quotas): emails that players cause, questions
to strangers who write to us, and emails that page forms cause. Each group has its own counts in
total and for each domain.

An email that exceeds one of the first two limits is not executed. If it is the first such email in
its time window, and proves who wrote it, it is answered. Emails that do not prove who wrote them
have a limit of their own, so that forged emails cannot use up the limit of a player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import Connection

from pbem.errors import Rejection
from pbem.mail.addresses import hash_mailbox
from pbem.names import PlayerId
from pbem.settings import LimitSettings
from pbem.store import players, rate_limits

EMAIL_QUOTA: Final = "emails"  # the quota of emails to strangers that players cause by email
QUESTION_QUOTA: Final = "questions"  # the quota of questions to strangers who have written to us

MAX_PAGE_COMMANDS: Final = 600  # commands of a player in an hour, one every six seconds
MAX_PAGE_NOTICES: Final = 5  # emails a day about new browsers; one without cookies is always new
MAX_REPORTS: Final = 5  # reports of a player to the operator in a day

_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_INVITED: Final = timedelta(days=30)  # no invitation is open for longer

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Limit:
    """A maximum number of uses in a time window, for one subject such as a player.

    `label` identifies the subject in the refusal that the sender of a command gets.
    """

    name: str
    subject: str
    max_uses: int
    span: timedelta
    label: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Count:
    """The number of uses of a limit in its current time window, and the end of that window."""

    count: int
    max_uses: int
    until: datetime

    @property
    def is_last(self) -> bool:
        """Return whether this use is the last one that the limit allows."""
        return self.count == self.max_uses

    @property
    def is_over(self) -> bool:
        """Return whether this use exceeds the limit."""
        return self.count > self.max_uses

    @property
    def is_first_over(self) -> bool:
        """Return whether this use is the first one that exceeds the limit."""
        return self.count == self.max_uses + 1


class RateLimiter:
    """The rate limits, as counted in one unit of work.

    Each method `count_...` counts one use of a limit, and returns the new count.
    """

    def __init__(self, conn: Connection, settings: LimitSettings, now: datetime) -> None:
        self._conn, self._settings, self._now = conn, settings, now

    # --- emails that come in ---------------------------------------------------------------------

    def count_verified_email(self, player: PlayerId) -> Count:
        """Count an email from a verified player, and return the player's count for this hour."""
        most = self._settings.verified_emails
        return self._count(Limit("verified emails", player, most, _HOUR))

    def count_other_email(self, subject: str) -> Count:
        """Count an email that does not prove who wrote it, and return the count for this hour.

        Args:
            subject: The key under which such emails are counted together, such as a player's id.
        """
        return self._count(Limit("other emails", subject, self._settings.other_emails, _HOUR))

    def count_page_command(self, player: PlayerId) -> Count:
        """Count a command that a player sends from a page, and return the count for this hour."""
        return self._count(Limit("page commands", player, MAX_PAGE_COMMANDS, _HOUR))

    def count_page_notice(self, player: PlayerId) -> Count:
        """Count an email that warns a player of a new browser. Return today's count."""
        return self._count(Limit("page notices", player, MAX_PAGE_NOTICES, _DAY))

    def count_report(self, player: PlayerId) -> Count:
        """Count a report that a player sends to the operator, and return the count for this day."""
        return self._count(Limit("reports", player, MAX_REPORTS, _DAY))

    # --- answers ---------------------------------------------------------------------------------

    def count_refusal(self, player: PlayerId) -> Count:
        """Count a refusal that is sent to a player, and return the count for this day."""
        return self._count(Limit("refusals", player, self._settings.refusals, _DAY))

    def count_board_answer(self, player: PlayerId) -> Count:
        """Count a board that answers a player's email without a command or a move.

        Such boards have an hourly limit. Up to this limit, each board also counts towards the daily
        limit on refusals.

        Returns:
            The count that decides whether the board is sent. It is the hourly count, or the count
            of refusals if that has reached its limit first.
        """
        most = self._settings.board_answers
        hourly = self._count(Limit("board answers", player, most, _HOUR))
        if hourly.is_over:
            return hourly
        daily = self.count_refusal(player)
        return daily if daily.is_over or daily.is_last else hourly

    def count_explanation(self, player: PlayerId, subject: str) -> Count:
        """Count an explanation to an invited person who answered unclearly, and return the count.

        `subject` is the code of the match. Each invitation allows one explanation.
        """
        return self._count(Limit("hints", f"{player} {subject}", 1, _INVITED))

    # --- emails to others ------------------------------------------------------------------------

    def reserve_stranger_emails(
        self, addresses: Iterable[str], *, causer: PlayerId | None, quota: str = EMAIL_QUOTA
    ) -> None:
        """Count an email to each of these strangers, or refuse all the emails.

        A stranger is a person who never said yes to our emails. If one of the emails would exceed a
        limit, all are refused and none is counted.

        Args:
            addresses: The addresses of the strangers.
            causer: The player who causes the emails; None if no player does.
            quota: The group in which emails to all strangers and to a domain are counted.

        Raises:
            Rejection: `stranger_limit`.
        """
        settings, limits = self._settings, list[Limit]()
        for address in addresses:
            domain = address.lower().rpartition("@")[2]
            mailbox, in_domain = settings.stranger_emails_mailbox, settings.stranger_emails_domain
            limits += [
                Limit("mailbox", hash_mailbox(address), mailbox, _DAY, label=address),
                Limit(f"domain {quota}", domain, in_domain, _DAY, label=domain),
                Limit(f"strangers {quota}", "all", settings.stranger_emails, _DAY),
            ]
            if causer is not None:
                limits.append(Limit("inviter", causer, settings.stranger_emails_player, _DAY))
        excess = self._reserve(limits)
        if excess is not None:
            limit, until = excess
            raise Rejection(
                "stranger_limit",
                limit=limit.name.partition(" ")[0],
                most=limit.max_uses,
                shown=limit.label,
                until=until.isoformat(),
            )

    def forget_mailbox(self, address: str) -> None:
        """Reset the count of emails to a mailbox, because its owner has registered.

        Otherwise a player who leaves and registers again several times would reach the limit for
        strangers.
        """
        rate_limits.forget_subject(self._conn, hash_mailbox(address))

    def reserve_player_emails(self, causer: PlayerId, readers: Iterable[PlayerId]) -> None:
        """Count an email that `causer` causes to each of the readers, or refuse all the emails.

        If one of the emails would exceed the limit, all are refused and none is counted.

        Raises:
            Rejection: `player_limit`.
        """
        excess = self._reserve([self._limit_player_emails(causer, reader) for reader in readers])
        if excess is not None:
            limit, until = excess
            name = players.get_player(self._conn, PlayerId(limit.label)).name
            raise Rejection("player_limit", name=name, most=limit.max_uses, until=until.isoformat())

    def count_player_email(self, causer: PlayerId, reader: PlayerId) -> Count:
        """Count an email that `causer` causes to `reader`, and return the count for this hour."""
        return self._count(self._limit_player_emails(causer, reader))

    def _limit_player_emails(self, causer: PlayerId, reader: PlayerId) -> Limit:
        most = self._settings.player_emails
        return Limit("player emails", f"{causer} {reader}", most, _HOUR, label=reader)

    # --- counting --------------------------------------------------------------------------------

    def _count(self, limit: Limit) -> Count:
        usage = rate_limits.count_use(
            self._conn, limit.name, limit.subject, span=limit.span, now=self._now
        )
        count = Count(usage.count, limit.max_uses, usage.ends_at)
        if count.is_over:
            _log_excess(limit, usage.ends_at)
        return count

    def _reserve(self, limits: Iterable[Limit]) -> tuple[Limit, datetime] | None:
        """Count one use of each limit, or no use at all if any of the limits would be exceeded.

        A limit that occurs several times in `limits` is counted that many times.

        Returns:
            The first limit that would be exceeded, and the end of its window; None if all uses were
            counted.
        """
        amounts = Counter(limits)
        for limit, amount in amounts.items():
            usage = rate_limits.find_usage(self._conn, limit.name, limit.subject, self._now)
            count, until = (usage.count, usage.ends_at) if usage else (0, self._now + limit.span)
            if count + amount > limit.max_uses:
                _log_excess(limit, until)
                return limit, until
        for limit, amount in amounts.items():
            rate_limits.count_use(
                self._conn,
                limit.name,
                limit.subject,
                span=limit.span,
                now=self._now,
                amount=amount,
            )
        return None


def _log_excess(limit: Limit, until: datetime) -> None:
    log.info("limit_reached", limit=limit.name, subject=limit.subject, until=until)
