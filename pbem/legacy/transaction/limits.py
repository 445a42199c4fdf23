"""How much is let out and in: mail to those who never answered (MAIL 3), letters of one sender."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import structlog

from pbem.errors import Rejection
from pbem.legacy.mail.headers import domain_of, mailbox_of, stem_of
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import OPEN
from pbem.names import is_bot
from pbem.legacy.store import views
from pbem.legacy.store.people import rates, roster

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.config import Settings
    from pbem.names import PlayerId
    from pbem.legacy.store.mails.outbox import QueuedMail
    from pbem.legacy.store.views import MatchRow
    from pbem.legacy.transaction.unit import Unit


# --- newcomer quota ------------------------------------------------------------------------------
# The one door for mail to people who have never answered: few a day, whoever asks for it (MAIL 3).
#
# What they are sent is counted for the mailbox, for its domain, for who has us write, and in all;
# counted is what is asked for, also if it is taken back. Mailboxes whose names begin alike up to a
# hyphen are counted together as well: some servers take it for the tag of one mailbox, and many
# people have one in their names, so there is room for a few. Questions to players whom we know do
# not pass here: no flood of forged letters can use up what these may be asked. Nor do forms of
# pages, which anybody can send, use up what letters have: they are counted apart.

Kind: TypeAlias = Literal["mailbox", "inviter", "domain", "all", "form_domain", "forms"]

Ground: TypeAlias = Literal["asked", "wrote", "proved", "form"]
"""Why somebody is written to: another asks for it (or nobody knows who), our mail server vouches
that they wrote, they are not, since the address is a player's, or a page's form names them."""

ALIKE: Final = 3
"""Mailboxes a day that are written to of those whose names begin alike up to a hyphen."""

KEY: Final = "unproved"
"""What the keys of all these budgets begin with."""

log = structlog.get_logger("pbem.door")


@dataclass(frozen=True, slots=True)
class Budget:
    """How many mails a day may go to people who have never answered, as counted under `key`."""

    kind: Kind
    key: str
    most: int


def budgets_of(
    settings: Settings, address: str, by: PlayerId | None, ground: Ground = "asked"
) -> Iterator[Budget]:
    """What a mail to an address is counted for, the narrowest first; `by` is who has us write."""
    strangers = settings.strangers
    yield Budget("mailbox", _mailbox_key(address, ground), strangers.mails_per_mailbox)
    if ground != "wrote":
        yield Budget("mailbox", _stem_key(address, ground), ALIKE * strangers.mails_per_mailbox)
    if by is not None:
        yield Budget("inviter", f"{KEY}:inviter:{by}", strangers.mails_per_inviter)
    domain = domain_of(address)
    if ground == "form":
        yield Budget("form_domain", f"{KEY}:form-domain:{domain}", strangers.forms_per_domain)
        yield Budget("forms", f"{KEY}:forms", strangers.forms_per_day)
        return
    yield Budget("domain", f"{KEY}:domain:{domain}", strangers.mails_per_domain)
    if ground != "wrote":
        yield Budget("all", f"{KEY}:all", strangers.mails_per_day)


def _mailbox_key(address: str, ground: Ground) -> str:
    return f"{KEY}:mailbox:{ground}-{_digest(mailbox_of(address))}"


def _stem_key(address: str, ground: Ground) -> str:
    return f"{KEY}:stem:{ground}-{_digest(stem_of(address))}"


def _digest(text: str) -> str:
    """No address is kept: who has not answered has agreed to nothing."""
    return sha256(text.encode()).hexdigest()[:32]


def admits(
    unit: Unit, address: str, *, by: PlayerId | None = None, ground: Ground = "asked"
) -> bool:
    """Whether one mail may go to an address that has never answered; if so, it is counted."""
    if _closed(unit, address, by, ground) is not None:
        return False
    _count(unit, address, by, ground)
    return True


def require(
    unit: Unit, address: str, name: str, *, count: bool = True, ground: Ground = "asked"
) -> None:
    """The sender has us write to an address that has never answered. Raises Rejection.

    `count`: the mail goes now; else it is to be seen only whether one might.
    """
    budget = _closed(unit, address, unit.sender, ground)
    if budget is not None:
        raise Rejection(
            "newcomers_budget",
            own=budget.kind == "inviter",
            limit=budget.most,
            name=name,
            address=unit.house.settings.site.address,
        )
    if count:
        _count(unit, address, unit.sender, ground)


def require_for_claim(unit: Unit, address: str) -> None:
    """The sender says that an address is theirs. Raises Rejection.

    It is counted alike where it is somebody else's, who is not written to: nobody learns that.
    """
    known = roster.player_by_address(unit.conn, address)
    proved = known is not None and known.confirmed
    require(unit, address, address, ground="proved" if proved else "asked")


def require_for(unit: Unit, player: PlayerId, *, count: bool = True) -> None:
    """As `require`, for a player: whoever has answered once is no stranger."""
    row = roster.player(unit.conn, player)
    if row is not None and row.address and not row.confirmed:
        require(unit, row.address, row.name, count=count)


def require_hearer(unit: Unit, players: Sequence[PlayerId]) -> None:
    """Somebody must hear what is said to all of them. Raises Rejection where nobody would."""
    unproved = roster.unproved(unit.conn, players)
    people = [player for player in players if not is_bot(player)]
    if all(player in unproved for player in people):
        for player in people:
            require_for(unit, player, count=False)


def let_out(unit: Unit, mails: Sequence[QueuedMail]) -> list[QueuedMail]:
    """The mails without those that go to people who have never answered, and have no room.

    One that was counted when it was asked for goes; every other is counted now. What is left out is
    news of something that they did not answer: they hear how it stands when they do.
    """
    readers = unit.readers({mail.recipient for mail in mails if mail.recipient})
    unproved = {player: one.unproved for player, one in readers.items() if one.unproved}
    if not unproved and all(mail.to_address is None for mail in mails):
        return [*mails]
    kept = []
    for mail in mails:
        address = _unproved_address(unit, mail, unproved)
        if address is None or _may_go(unit, address):
            kept.append(mail)
        else:
            log.info("mail_left_out", kind=mail.kind, why="has never answered")
    return kept


def forget(conn: Connection, addresses: Sequence[str]) -> None:
    """Forget that mails to these were counted: they had answered, or they could not go."""
    for address in addresses:
        for ground in get_args(Ground):
            rates.forget(conn, _mailbox_key(address, ground))


def binding(conn: Connection, settings: Settings, now: datetime) -> Iterator[tuple[Kind, str]]:
    """The budgets that have no room now, for the operator: their kinds and names."""
    strangers = settings.strangers
    if rates.spent(conn, f"{KEY}:all", now) >= strangers.mails_per_day:
        yield "all", ""
    for name in rates.full(conn, f"{KEY}:domain", now, strangers.mails_per_domain):
        yield "domain", name
    for name in rates.full(conn, f"{KEY}:inviter", now, strangers.mails_per_inviter):
        yield "inviter", name
    if rates.spent(conn, f"{KEY}:forms", now) >= strangers.forms_per_day:
        yield "forms", ""
    for name in rates.full(conn, f"{KEY}:form-domain", now, strangers.forms_per_domain):
        yield "form_domain", name


def _unproved_address(unit: Unit, mail: QueuedMail, unproved: dict[PlayerId, str]) -> str | None:
    if mail.to_address is not None:
        own = roster.addresses_of(unit.conn, mail.recipient) if mail.recipient else []
        wanted = roster.folded(mail.to_address)
        proved = any(one.confirmed and roster.folded(one.address) == wanted for one in own)
        return None if proved or mail.to_address == unit.newcomers.wrote_from else mail.to_address
    if mail.recipient is None or mail.recipient == unit.newcomers.wrote:
        return None
    return unproved.get(mail.recipient)


def _may_go(unit: Unit, address: str) -> bool:
    counted = unit.newcomers.admitted.pop(mailbox_of(address), None)
    if counted is not None and rates.is_spent(unit.conn, counted):
        return True  # what was refused after it was counted has been given back
    if not admits(unit, address, by=unit.actor):
        return False
    unit.newcomers.admitted.pop(mailbox_of(address), None)
    return True


def _closed(
    unit: Unit, address: str, by: PlayerId | None, ground: Ground = "asked"
) -> Budget | None:
    """The first of the budgets that has no room."""
    for budget in budgets_of(unit.house.settings, address, by, ground):
        if rates.spent(unit.conn, budget.key, unit.now) >= budget.most:
            return budget
    return None


def _count(unit: Unit, address: str, by: PlayerId | None, ground: Ground) -> None:
    first, *rest = budgets_of(unit.house.settings, address, by, ground)
    unit.newcomers.admitted[mailbox_of(address)] = rates.spend(unit.conn, first.key, unit.now)
    for budget in rest:
        rates.spend(unit.conn, budget.key, unit.now)


# --- rate limits ---------------------------------------------------------------------------------
# How much one sender may ask of us: leaky buckets on our clock, in the database.

AN_HOUR: Final = timedelta(hours=1)
A_DAY: Final = timedelta(days=1)
FOR_EVER: Final = timedelta(days=3650)
QUESTIONS_A_DAY: Final = 10
ADDRESSES_A_DAY: Final = 5
SEEN_A_DAY: Final = 20
HINTS_BY_TOKEN: Final = 3
COURTESIES_A_DAY: Final = 5


def welcomes(unit: Unit, address: str, ground: Ground) -> bool:
    """Whether a stranger is welcomed; `ground` is what says that it is their letter.

    Nobody else's letters use up what people have who did write.
    """
    return unit.house.settings.limits.welcomes_per_day > 0 and admits(unit, address, ground=ground)


def takes_letters(unit: Unit, empty_at: datetime | None) -> bool:
    """Whether the sender may send one more letter.

    Counted for each player, and so for each of their tokens; doubtful letters do not count.
    `empty_at` is what this unit has read of the bucket.
    """
    limit = unit.house.settings.limits.letters_per_hour
    bucket = letters_bucket(unit.sender)
    return rates.pour(unit.conn, bucket, empty_at, now=unit.now, capacity=limit, per=AN_HOUR)


def takes_seen(unit: Unit) -> bool:
    """Whether one more letter is taken that came to an address of the sender's that others know.

    They are counted apart, so that nobody else uses up what the player may send.
    """
    return _fits(unit, f"letters-seen:{unit.sender}", SEEN_A_DAY)


def letters_bucket(player: PlayerId) -> str:
    """Where the letters of a player are counted."""
    return f"letters:{player}"


def answers_refusals(unit: Unit) -> bool:
    """A program that answers our refusals must not go on for ever; a move is always answered.

    The last refusal that is answered says until when no other will be.
    """
    limit = unit.house.settings.limits.refusals_per_day
    return unit.has_changes or _answers(unit, f"refusal:{unit.sender}", limit, A_DAY)


def answers_no_order(unit: Unit) -> bool:
    """Whether a letter without an order is answered: some an hour, of which the last says so."""
    limit = unit.house.settings.limits.no_orders_per_hour
    return _answers(unit, f"no-order:{unit.sender}", limit, AN_HOUR)


def _answers(unit: Unit, bucket: str, limit: int, per: timedelta) -> bool:
    """Whether one more answer goes out; after the last `silent_until` says when the next does."""
    if not _fits(unit, bucket, limit, per):
        return False
    again = rates.room_at(unit.conn, bucket, now=unit.now, capacity=limit, per=per)
    if again > unit.now:
        unit.silent_until = again
    return True


def asks_about_doubts(unit: Unit) -> bool:
    """Whether a player is asked about one more letter that may be somebody else's.

    Once a day, and again as soon as they have said that it was theirs: who forges says nothing.
    """
    return _fits(unit, f"doubt:{unit.sender}", 1)


def asks_about_doubts_again(unit: Unit) -> None:
    """The sender has said that a letter was theirs: they are asked about the next one, too."""
    rates.empty(unit.conn, f"doubt:{unit.sender}")


def asks_once(unit: Unit) -> bool:
    """Whether the sender may order one more thing that is asked about before it is done."""
    return _fits(unit, f"once:{unit.sender}", QUESTIONS_A_DAY)


def hints(unit: Unit, whom: str, *, known: bool, most: int = 1) -> bool:
    """Whether an answer that is no consent is answered: once a day, and once to who is unknown.

    `most`: so often to who has answered a token of ours, and so reads our mail (MAIL 3).
    """
    return _fits(unit, f"hint:{whom}", most, A_DAY if known else FOR_EVER)


def asks_addresses(unit: Unit) -> bool:
    """Whether the sender may name one more address that we write to."""
    return _fits(unit, f"address:{unit.sender}", ADDRESSES_A_DAY)


def require_room_for_invitation(
    unit: Unit, inviter: PlayerId, target: PlayerId, *, count: bool
) -> None:
    """Caps for the inviter, and for a target: nobody's mailbox is filled by strangers.

    `count`: the target is written to at once. Raises Rejection.
    """
    limits = unit.house.settings.limits
    if not _fits(unit, f"invite:{inviter}", limits.invitations_per_day):
        raise Rejection("too_many_invitations", limit=limits.invitations_per_day)
    most = limits.pending_invitations
    asked = views.matches_of(unit.conn, target, (Status.CHALLENGE.value,))
    if sum(target in row.to_act for row in asked) >= most:
        raise Rejection("too_many_pending", limit=most)
    require_for(unit, target, count=count)


def require_few_joins(unit: Unit) -> None:
    """Whoever joins and leaves again all day has the challenger written to each time.

    Raises Rejection `too_many_joins`.
    """
    limit = unit.house.settings.limits.invitations_per_day
    if not _fits(unit, f"join:{unit.sender}", limit):
        raise Rejection("too_many_joins", limit=limit)


def require_few_courtesies(unit: Unit, what: str, most: int = COURTESIES_A_DAY) -> None:
    """Each has somebody written to: time that is given, a pause that is asked for, a report.

    Raises Rejection `too_many_courtesies`.
    """
    if not _fits(unit, f"{what}:{unit.sender}", most):
        raise Rejection("too_many_courtesies", limit=most)


def require_room_to_play(unit: Unit) -> None:
    """A newcomer plays few matches at once; each that is played to its end allows one more.

    What waits for others counts as well, and an invitation only once it is accepted. Raises
    Rejection `too_many_matches`.
    """
    limits = unit.house.settings.limits
    finished = views.count_finished(unit.conn, unit.sender)
    limit = min(limits.matches_at_first + finished, max(limits.matches_at_most, 1))
    rows = views.matches_of(unit.conn, unit.sender, OPEN)
    if sum(_plays(unit, row) for row in rows) >= limit:
        most = limits.matches_at_most
        raise Rejection("too_many_matches", limit=limit, most=most)


def _plays(unit: Unit, row: MatchRow) -> bool:
    if row.status == Status.CHALLENGE:
        return unit.sender not in row.to_act
    found = unit.found(row.id)
    return found is None or found.match.seat_of(unit.sender) not in found.match.table.left


def _fits(unit: Unit, bucket: str, capacity: int, per: timedelta = A_DAY) -> bool:
    return rates.take(unit.conn, bucket, now=unit.now, capacity=capacity, per=per)
