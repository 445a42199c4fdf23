"""What a unit of work owes people, who wants it, when it goes, and the mails that tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.games.game import Ply
from pbem.legacy.mail.addresses import message_id
from pbem.legacy.matches.match import Status, StepKind
from pbem.names import is_bot, is_only_bots
from pbem.legacy.notices.codec import asked_about, dump
from pbem.legacy.notices.news import react
from pbem.legacy.notices.notice import Place
from pbem.legacy.notices.personal import Welcome
from pbem.legacy.notices.replies import (
    Account,
    AddressShown,
    NoOrderFound,
    OrderRefused,
    SeatMissed,
)
from pbem.legacy.notices.second_thoughts import MoveKept, MoveReceipt, MoveReturned, PagePlayed
from pbem.legacy.players.wishes import stops_all, wished
from pbem.legacy.store.mails.outbox import QueuedMail
from pbem.legacy.transaction.coalescing import UNTOLD, is_page_played, kind_of, settled
from pbem.legacy.transaction.installation import match_stream
from pbem.legacy.transaction.unit import Unit

if TYPE_CHECKING:
    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.notices.notice import Notice


_OF_MOVES: Final = ("held", "played", "gone_out", "held_undone", "undone", "commented")
"""The outcomes of orders that the page of a seat shows."""

# --- wanted mails --------------------------------------------------------------------------------
# What of that which is owed to people they want to be told.


def is_wanted(notice: Notice, chosen: Mapping[str, str], *, answers: bool) -> bool:
    """Whether its reader wants to be told; `answers`: the reader's own letter brought it about."""
    if not answers and stops_all(chosen):
        return False
    wish = notice.traits.wish
    return not wish or wished(chosen, wish) != "off"


def _as_wished(
    unit: Unit, player: PlayerId, notice: Notice, chosen: Mapping[str, str]
) -> Notice | None:
    """What its reader is told of it; None where they want nothing of it, or see it on the page."""
    own = player == unit.actor
    match notice:
        case MoveReceipt() | MoveKept() if own:
            return _receipt(unit, player, notice, chosen)
        case MoveReturned() | Account() if own and _says_no_more(notice):
            return None if _is_shown(unit, chosen) else notice
        case _:
            return notice if is_wanted(notice, chosen, answers=own) else None


def _is_shown(unit: Unit, chosen: Mapping[str, str]) -> bool:
    """Whether the page that asked for it is the receipt: in a browser that has played the seat."""
    thread = unit.thread
    return thread.page == "known" and not thread.receipts and wished(chosen, "receipts") != "on"


def _says_no_more(notice: MoveReturned | Account) -> bool:
    """Whether it is no more than a move sent or taken back, or a comment, which the page shows."""
    if isinstance(notice, MoveReturned):
        return not (notice.says or notice.dropped or notice.unanswered)
    return all(one.outcome in _OF_MOVES for one in notice.results)


def _receipt(
    unit: Unit, player: PlayerId, notice: MoveReceipt | MoveKept, chosen: Mapping[str, str]
) -> Notice | None:
    """The receipt of an own move: by mail, in the next mail, or none.

    PLAY 1: one comes where something can be taken back, or little proves who wrote; else only a bot
    is answered, whose move it waits for.
    """
    match, wish, thread = unit.opened[notice.match].now, wished(chosen, "receipts"), unit.thread
    if thread.receipts:
        return notice
    lost = isinstance(notice, MoveKept) and notice.dropped
    # Who has digests gets no prompt that could tell of it.
    is_shown = _is_shown(unit, chosen) and wished(chosen, "digest") == "off"
    if (is_shown and not lost) or (thread.page and wish == "off"):
        return None if stops_all(chosen) else _page_played(unit, notice, match)
    at_once = isinstance(notice, MoveReceipt) and not thread.page
    if wish == "off" or (wish == "usual" and at_once and not is_only_bots(match.others(player))):
        return None
    return notice


def _page_played(unit: Unit, notice: MoveReceipt | MoveKept, match: Match) -> PagePlayed | None:
    """What the next mail says of a move on a page; nothing of one that is taken back already."""
    if isinstance(notice, MoveKept):
        ply, notation = Ply(match.course.ply + 1), notice.notation
    else:
        ply = notice.ply
        moves = (one for one in reversed(match.course.steps) if one.kind is StepKind.MOVE)
        notation = next((one.text for one in moves if one.ply == ply), "")
    if not notation:
        return None
    at = unit.now.isoformat()
    return PagePlayed(match=match.id, seat=notice.seat, ply=ply, notation=notation, at=at)


def _in_part(unit: Unit) -> list[tuple[PlayerId, Notice]]:
    """What is told; no refusal says that nothing was done where another order of a letter was."""
    partly = any(result.status == "done" for result in unit.results)
    last = unit.silent_until.isoformat() if unit.silent_until is not None else ""

    def said(notice: Notice) -> Notice:
        match notice:
            case OrderRefused():
                return replace(notice, partly=partly, last=last)
            case NoOrderFound():
                return replace(notice, last=last)
            case _:
                return notice

    return [(who, said(one) if who == unit.actor else one) for who, one in unit.owed.told]


def _with_unread(notice: Notice, unread: Mapping[MatchId, tuple[str, ...]]) -> Notice:
    """The receipt of a held move quotes what stood beside it; no event keeps that."""
    if isinstance(notice, MoveKept) and notice.match in unread:
        return replace(notice, unread=unread[notice.match])
    return notice


# --- dispatch ------------------------------------------------------------------------------------
# What a unit of work owes people, and the mails that tell them.

ELSEWHERE: Final = "elsewhere"
ONE_TIME: Final = "once"
"""How the keys end of mails that have an address of their own."""


def mails_of(unit: Unit) -> list[QueuedMail]:
    """The mails that a unit of work is to queue when it is committed.

    One mail for each person and match: what happens at once is told at once. PLAY 1: trouble with
    an address never shares a match's thread.
    """
    bundles: dict[tuple[PlayerId, MatchId | None], list[Notice]] = {}
    news = _news(unit)
    chosen = unit.readers({player for player, _ in news})
    for player, notice in news:
        told = _as_wished(unit, player, notice, chosen[player].wishes)
        if told is None:
            continue
        about = getattr(told, "match", None)
        # The answers to a letter stay in its thread, unless they begin another match's.
        if player == unit.actor and about not in unit.opened:
            about = None if notice.traits.of_account else unit.thread.home
        bundles.setdefault((player, about), []).append(told)
    mails = [_mail(unit, player, match, told) for (player, match), told in bundles.items()]
    for number, (address, notices) in enumerate(unit.owed.elsewhere):
        # No address is in a key: it stays for ever, and whoever wrote may be forgotten.
        mail = _apart(unit, f"{ELSEWHERE}{number}", None, notices)
        mails.append(replace(mail, to_address=address, in_reply_to=None))
    for asked in unit.owed.asked:
        mail = _apart(unit, asked.name, asked.match, asked.notices)
        reply = unit.thread.in_reply_to
        mails.append(replace(mail, to_address=asked.address, in_reply_to=reply))
    mails.extend(_digest(unit, player, notices) for player, notices in unit.owed.digests)
    return mails


def _apart(unit: Unit, name: str, match: MatchId | None, notices: Sequence[Notice]) -> QueuedMail:
    key = f"{unit.cause}:{unit.sender}:{name}"
    mail = _mail(unit, unit.sender, match, notices)
    return replace(
        mail,
        key=key,
        message_id=message_id(unit.house.keys, cause=key, domain=unit.house.domain),
        root=None,
    )


def has_own_address(mail_key: str) -> bool:
    """Whether a mail is answered at an address that was made for it alone, by its key."""
    return mail_key.rpartition(":")[2].startswith((ONE_TIME, ELSEWHERE))


def _digest(unit: Unit, player: PlayerId, notices: Sequence[Notice]) -> QueuedMail:
    """A digest. If it asks about one match only, it is answered in that match."""
    mail = replace(_mail(unit, player, None, notices), kind="digest", root=None)
    matches = asked_about(notices)
    if len(matches) != 1:
        return mail
    return replace(mail, stream=match_stream(matches[0]), version=unit.match(matches[0]).version)


def _news(unit: Unit) -> list[tuple[PlayerId, Notice]]:
    """All that is owed, the account of a letter's lines last; nothing is ever sent to a bot."""
    owed = _in_part(unit) if unit.results or unit.silent_until else [*unit.owed.told]
    for opened in unit.opened.values():
        owed.extend(react(opened.events, opened.before, opened.now))
    if unit.unread:
        owed = [(player, _with_unread(notice, unit.unread)) for player, notice in owed]
    owed = [
        (player, notice)
        for player, notice in owed
        if getattr(notice, "author", None) is None or not _is_muted(unit, player, notice)
    ]
    # Several orders are accounted for line by line; a single one, if no other news tells of it.
    own = (one for player, one in owed if player == unit.actor)
    told = any(not isinstance(one, AddressShown | Welcome) for one in own) or bool(unit.owed.asked)
    if unit.actor is not None and (len(unit.results) > 1 or (unit.results and not told)):
        owed.append((unit.actor, Account(results=settled(unit), match=unit.thread.home)))
    if any(isinstance(notice, Welcome) for _, notice in owed):
        owed = _welcomed(unit, owed)
    owed = [item for item in owed if item[0] not in unit.forgotten and not is_bot(item[0])]
    accounts = [item for item in owed if item[1].traits.place is Place.ACCOUNT]
    return [*(item for item in owed if item[1].traits.place is not Place.ACCOUNT), *accounts]


def _is_muted(unit: Unit, player: PlayerId, notice: Notice) -> bool:
    """Whether somebody wants to read nothing of whom this comes from."""
    where, author = getattr(notice, "match", None), getattr(notice, "author", None)
    return (where, author) in unit.player(player).muted


def _welcomed(unit: Unit, owed: Sequence[tuple[PlayerId, Notice]]) -> list[tuple[PlayerId, Notice]]:
    """A welcome stands last in the mail about the match that the same letter has asked for.

    Whoever came for a seat hears first that it is taken.
    """
    asked = [name for name, one in unit.opened.items() if one.events]
    if not asked:
        return sorted(owed, key=lambda item: not isinstance(item[1], SeatMissed))
    about = [
        (player, replace(notice, match=asked[0]) if isinstance(notice, Welcome) else notice)
        for player, notice in owed
    ]
    return sorted(about, key=lambda item: isinstance(item[1], Welcome))


def _mail(
    unit: Unit, player: PlayerId, match: MatchId | None, notices: Sequence[Notice]
) -> QueuedMail:
    opened = unit.opened.get(match) if match is not None else None
    key, keys, domain = f"{unit.cause}:{player}:{match or ''}", unit.house.keys, unit.house.domain
    began = opened is not None and opened.begins
    answering = player == unit.actor and match == unit.thread.home and not began
    # An invitation to a match stands apart from its thread (PLAY 1).
    apart = opened is not None and opened.now.status in (Status.CHALLENGE, Status.OFF)
    thread = f"root:{match or ''}{':invitation' if apart else ''}:{player}"
    return QueuedMail(
        key=key,
        message_id=message_id(keys, cause=key, domain=domain),
        stream=match_stream(match) if match is not None else None,
        version=opened.now.version if opened is not None else 0,
        recipient=player,
        kind=kind_of(notices),
        notices=dump(notices),
        in_reply_to=unit.thread.in_reply_to if answering else None,
        root=message_id(keys, cause=thread, domain=domain),
        held_until=unit.now + UNTOLD if unit.thread.page and is_page_played(notices) else None,
    )
