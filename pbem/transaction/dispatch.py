"""What a unit of work owes people, who wants it, when it goes, and the mails that tell it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from pbem.mail import addresses
from pbem.matches.match import Status
from pbem.names import is_bot
from pbem.notices.news import MoveKept
from pbem.notices.notice import asked_about, dump
from pbem.notices.personal import Welcome
from pbem.notices.reactions.react import react
from pbem.notices.replies import Account, AddressShown, NoOrderFound, OrderRefused, OrderResult
from pbem.notices.traits import Place
from pbem.players.wishes import stops_all, wished
from pbem.store.mails.outbox import QueuedMail
from pbem.transaction.coalescing import kind_of, settled
from pbem.transaction.installation import match_stream

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.names import MatchId, PlayerId
    from pbem.notices.notice import Notice
    from pbem.store.people.roster import ReaderRow
    from pbem.transaction.transaction import Transaction
    from pbem.transaction.working_copy import OpenMatch


# --- wanted mails --------------------------------------------------------------------------------
# What of that which is owed to people they want to be told.


def is_wanted(notice: Notice, chosen: Mapping[str, str], *, answers: bool) -> bool:
    """Whether its reader wants to be told; `answers`: the reader's own letter brought it about."""
    if not answers and stops_all(chosen):
        return False
    wish = notice.traits.wish
    return not wish or wished(chosen, wish) != "off"


def wanted(
    chosen: Mapping[PlayerId, ReaderRow],
    owed: Sequence[tuple[PlayerId, Notice]],
    actor: PlayerId | None,
    *,
    receipts: bool = False,
) -> list[tuple[PlayerId, Notice]]:
    """Those notices that their readers have not stopped; a letter of `actor` brought them about.

    `chosen` has every reader. `receipts`: what is held of it is told all the same, since it may be
    somebody else's.
    """
    return [
        (who, notice)
        for who, notice in owed
        if is_wanted(notice, chosen[who].wishes, answers=who == actor)
        or (receipts and who == actor and notice.traits.though_stopped)
    ]


def in_part(
    told: Sequence[tuple[PlayerId, Notice]],
    actor: PlayerId | None,
    results: Sequence[OrderResult],
    silent_until: datetime | None = None,
) -> list[tuple[PlayerId, Notice]]:
    """What is told; no refusal says that nothing was done where another order of a letter was."""
    partly = any(result.status == "done" for result in results)
    last = silent_until.isoformat() if silent_until is not None else ""
    if not partly and not last:
        return list(told)

    def said(notice: Notice) -> Notice:
        match notice:
            case OrderRefused():
                return replace(notice, partly=partly, last=last)
            case NoOrderFound():
                return replace(notice, last=last)
            case _:
                return notice

    return [(who, said(notice) if who == actor else notice) for who, notice in told]


def with_unread(notice: Notice, unread: Mapping[MatchId, tuple[str, ...]]) -> Notice:
    """The receipt of a held move quotes what stood beside it; no event keeps that."""
    if isinstance(notice, MoveKept) and notice.match in unread:
        return replace(notice, unread=unread[notice.match])
    return notice


# --- dispatch ------------------------------------------------------------------------------------
# What a unit of work owes people, and the mails that tell them.

ELSEWHERE: Final = "elsewhere"
ONE_TIME: Final = "once"
"""How the keys end of mails that have an address of their own."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A one-time question: its name in the unit, the match it is about, and where it goes to.

    It is a mail of its own, at an address of its own, which nobody has who has another mail.
    """

    name: str
    match: MatchId | None
    notices: Sequence[Notice]
    address: str | None = None


@dataclass(slots=True)
class Owed:
    """What is owed beside the news of events: answers, and what no event brings about.

    `told` is for players, `elsewhere` for the sender at an address that is not the usual one,
    `asked` are one-time questions to the sender, `digests` are mails of their own.
    """

    told: list[tuple[PlayerId, Notice]] = field(default_factory=list)
    elsewhere: list[tuple[str, Sequence[Notice]]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    digests: list[tuple[PlayerId, Sequence[Notice]]] = field(default_factory=list)


def mails_of(txn: Transaction) -> list[QueuedMail]:
    """The mails that a unit of work is to queue when it is committed."""
    digests = (_digest(txn, player, notices) for player, notices in txn.owed.digests)
    return [*_mails(txn), *_mails_elsewhere(txn), *_questions(txn), *digests]


def _mails(txn: Transaction) -> Iterator[QueuedMail]:
    """One mail for each person and match: what happens at once is told at once."""
    bundles: dict[tuple[PlayerId, MatchId | None], list[Notice]] = {}
    news = _news(txn)
    chosen = txn.readers({player for player, _ in news})
    for player, notice in wanted(chosen, news, txn.actor, receipts=txn.thread.receipts):
        about = _about(notice)
        # The answers to a letter stay in its thread, unless they begin another match's.
        if player == txn.actor and about not in txn.opened:
            about = txn.thread.home
        bundles.setdefault((player, about), []).append(notice)
    for (player, match), told in bundles.items():
        yield _mail(txn, player, match, told)


def _about(notice: Notice) -> MatchId | None:
    return getattr(notice, "match", None)


def _mails_elsewhere(txn: Transaction) -> Iterator[QueuedMail]:
    for number, (address, notices) in enumerate(txn.owed.elsewhere):
        # No address is in a key: it stays for ever, and whoever wrote may be forgotten.
        mail = _apart(txn, f"{ELSEWHERE}{number}", None, notices)
        yield replace(mail, to_address=address, in_reply_to=None)


def _questions(txn: Transaction) -> Iterator[QueuedMail]:
    """PLAY 1: trouble with an address never shares a match's thread."""
    for asked in txn.owed.asked:
        mail = _apart(txn, asked.name, asked.match, asked.notices)
        yield replace(mail, to_address=asked.address, in_reply_to=txn.thread.in_reply_to)


def _apart(
    txn: Transaction, name: str, match: MatchId | None, notices: Sequence[Notice]
) -> QueuedMail:
    key = f"{txn.cause}:{txn.sender}:{name}"
    mail = _mail(txn, txn.sender, match, notices)
    return replace(mail, key=key, message_id=_message_id(txn, key), root=None)


def has_own_address(mail_key: str) -> bool:
    """Whether a mail is answered at an address that was made for it alone, by its key."""
    return mail_key.rpartition(":")[2].startswith((ONE_TIME, ELSEWHERE))


def _digest(txn: Transaction, player: PlayerId, notices: Sequence[Notice]) -> QueuedMail:
    """A digest. If it asks about one match only, it is answered in that match."""
    mail = replace(_mail(txn, player, None, notices), kind="digest", root=None)
    matches = asked_about(notices)
    if len(matches) != 1:
        return mail
    return replace(mail, stream=match_stream(matches[0]), version=txn.match(matches[0]).version)


def _news(txn: Transaction) -> list[tuple[PlayerId, Notice]]:
    """All that is owed, the account of a letter's lines last."""
    owed = in_part(txn.owed.told, txn.actor, txn.results, txn.silent_until)
    for opened in txn.opened.values():
        news = react(opened.events, opened.before, opened.now)
        owed.extend((player, with_unread(notice, txn.unread)) for player, notice in news)
    owed = [item for item in owed if not _is_muted(txn, *item)]
    # Several orders are accounted for line by line; a single one, if no other news tells of it.
    own = (one for player, one in owed if player == txn.actor)
    told = any(not isinstance(one, AddressShown) for one in own) or bool(txn.owed.asked)
    if txn.actor is not None and (len(txn.results) > 1 or (txn.results and not told)):
        owed.append((txn.actor, Account(results=settled(txn), match=txn.thread.home)))
    owed = _welcomed(txn, owed)
    owed = [item for item in owed if not is_bot(item[0])]  # nothing is ever sent to a bot
    owed = [item for item in owed if item[0] not in txn.forgotten]
    return sorted(owed, key=lambda item: item[1].traits.place is Place.ACCOUNT)


def _welcomed(
    txn: Transaction, owed: Sequence[tuple[PlayerId, Notice]]
) -> list[tuple[PlayerId, Notice]]:
    """A welcome stands last in the mail about the match that the same letter has asked for."""
    asked = [name for name, one in txn.opened.items() if one.events]
    if not asked or not any(isinstance(notice, Welcome) for _, notice in owed):
        return [*owed]
    about = [
        (player, replace(notice, match=asked[0]) if isinstance(notice, Welcome) else notice)
        for player, notice in owed
    ]
    return sorted(about, key=lambda item: isinstance(item[1], Welcome))


def _is_muted(txn: Transaction, player: PlayerId, notice: Notice) -> bool:
    """Whether somebody wants to read nothing of whom this comes from."""
    author = getattr(notice, "author", None)
    return author is not None and (_about(notice), author) in txn.player(player).muted


def _mail(
    txn: Transaction, player: PlayerId, match: MatchId | None, notices: Sequence[Notice]
) -> QueuedMail:
    opened = txn.opened.get(match) if match is not None else None
    key = f"{txn.cause}:{player}:{match or ''}"
    began = opened is not None and opened.begins
    answering = player == txn.actor and match == txn.thread.home and not began
    return QueuedMail(
        key=key,
        message_id=_message_id(txn, key),
        stream=match_stream(match) if match is not None else None,
        version=opened.now.version if opened is not None else 0,
        recipient=player,
        kind=kind_of(notices),
        notices=dump(notices),
        in_reply_to=txn.thread.in_reply_to if answering else None,
        root=_message_id(txn, f"root:{_thread(match, opened)}:{player}"),
    )


def _thread(match: MatchId | None, opened: OpenMatch | None) -> str:
    """What a mail belongs to: an invitation to a match stands apart from its thread (PLAY 1)."""
    if opened is not None and opened.now.status in (Status.CHALLENGE, Status.OFF):
        return f"{match}:invitation"
    return match or ""


def _message_id(txn: Transaction, cause: str) -> str:
    return addresses.message_id(txn.house.keys, cause=cause, domain=txn.house.domain)
