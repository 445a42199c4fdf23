"""Who wrote a letter: told by its recipient, by the mail it answers, or by a line in its quote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from pbem.mail.addresses import (
    MailAddress,
    PlayerAddress,
    SeatAddress,
    read,
    read_message_id,
    tag_of,
)
from pbem.names import MatchId
from pbem.runners.house import Installation, Loaded, find_match, match_of_stream
from pbem.store import outbox, reply_addresses, roster
from pbem.store.outbox import OutboxRow
from pbem.store.reply_addresses import Standing
from pbem.store.roster import PlayerRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.mail.letter import Letter


@dataclass(frozen=True, slots=True)
class Known:
    """A player, and the match that the letter answers, if any.

    `doubt` says why the letter may be somebody else's: then nothing is carried out, and the
    registered address is asked. `new_address` is one that the player added and that answers here
    for the first time. Proofs (MAIL 3) are the reply address with the right From.
    `loaded` is the match, if it had to be read; `mail` the mail of ours that it surely answers.
    `stale`: it came to an address of the seat that others have seen.
    """

    player: PlayerRow
    home: MatchId | None
    doubt: str | None = None
    new_address: str | None = None
    loaded: Loaded | None = None
    mail: OutboxRow | None = None
    stale: bool = False

    @property
    def fact(self) -> Known:
        """Who it is, without what was loaded to find that out."""
        return replace(self, loaded=None, mail=None)


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody whom we do not know wrote to the public address."""

    address: str

    @property
    def fact(self) -> Stranger:
        """The same."""
        return self


@dataclass(frozen=True, slots=True)
class Nobody:
    """Nobody who could be answered; the reason is for the log."""

    reason: str

    @property
    def fact(self) -> Nobody:
        """The same."""
        return self


Sender: TypeAlias = Known | Stranger | Nobody


@dataclass(frozen=True, slots=True)
class _Claim:
    player: PlayerRow
    home: MatchId | None
    loaded: Loaded | None = None
    mail: OutboxRow | None = None
    stale: bool = False


def identify(conn: Connection, house: Installation, letter: Letter, now: datetime) -> Sender:
    """Who wrote this letter. A right token with the wrong From is a doubt, never a proof."""
    if letter.sender is None:
        return Nobody("no_sender")
    if house.is_ours(letter.sender):
        return Nobody("ourselves")  # whoever wrote it, an answer would come to us
    claim = next(_claims(conn, house, letter, now), None)
    if claim is None:
        return _without_proof(conn, house, letter)
    known = Known(claim.player, claim.home, loaded=claim.loaded, mail=claim.mail, stale=claim.stale)
    if claim.mail is not None and claim.mail.to_address is not None:
        return _elsewhere(known, claim.mail.to_address, letter)
    if letter.auth.verdict == "fail":
        return replace(known, doubt="authentication")
    checked = _checked(conn, known, letter.sender)
    return replace(checked, doubt=checked.doubt or "old_address") if claim.stale else checked


def _elsewhere(known: Known, address: str, letter: Letter) -> Sender:
    """An answer to what we asked an address that a player named; nobody but it may answer.

    Whatever else comes here is told to nobody: the player has never had this mail.
    """
    sender = (letter.sender or "").casefold()
    if sender != address.casefold() or letter.auth.verdict == "fail":
        return Nobody("other_sender")
    return replace(known, new_address=address)


def _checked(conn: Connection, known: Known, sender: str) -> Known:
    """The sender must be one of the player's own addresses, and have answered from there."""
    if sender.casefold() == known.player.address.casefold():
        return known
    for own in roster.addresses_of(conn, known.player.id):
        if own.confirmed and own.address.casefold() == sender.casefold():
            return known
    return replace(known, doubt="other_sender")


def _without_proof(conn: Connection, house: Installation, letter: Letter) -> Sender:
    """From alone proves nothing; a verdict of our own mail server does (RFC 8601)."""
    public = house.settings.site.address.casefold()
    if all(recipient.casefold() != public for recipient in letter.recipients):
        # MAIL 4: only the public address answers strangers; a dead or wrong token is no way in.
        return Nobody("not_public")
    address = letter.sender or ""
    player = roster.player_by_address(conn, address)
    if player is None or not player.confirmed:
        return Stranger(address)
    if letter.auth.verdict == "pass":
        return Known(player, None)
    return Known(player, None, "unproved")


def _claims(
    conn: Connection, house: Installation, letter: Letter, now: datetime
) -> Iterator[_Claim]:
    """The three carriers in turn: recipient, the mail answered, the token line in the quote."""
    site = house.settings.site
    for recipient in letter.recipients:
        tag = tag_of(recipient, site.address, delimiter=site.delimiter, catch_all=site.catch_all)
        yield from _tagged(conn, house, tag, now)
    for answered in (letter.in_reply_to, *reversed(letter.references)):
        if answered and read_message_id(house.keys, answered):
            yield from _known_by_id(conn, outbox.find_by_message_id(conn, answered), now)
    for tag in letter.tags:
        yield from _tagged(conn, house, tag, now)


def _known_by_id(conn: Connection, mail: OutboxRow | None, now: datetime) -> Iterator[_Claim]:
    """The reader of a mail of ours, if it was written to the addresses that are alive."""
    player = _reader(conn, mail)
    if mail is None or player is None:
        return
    since = reply_addresses.alive_since(conn, player.id) if player.generation else None
    if since is not None and since > mail.queued_at:
        return
    match = match_of_stream(mail.stream)
    worth = Standing.ALIVE
    if match is not None:
        worth = reply_addresses.standing_of_mail(conn, player.id, match, mail.queued_at, now)
    if worth is not Standing.DEAD:
        yield _Claim(player, match, mail=mail, stale=worth is Standing.OLD)


def _asked_there(conn: Connection, mail: OutboxRow | None, generation: int) -> Iterator[_Claim]:
    """The reader of a mail that has an address of its own."""
    player = _reader(conn, mail)
    if mail is not None and player is not None and generation == player.generation:
        yield _Claim(player, match_of_stream(mail.stream), mail=mail)


def _reader(conn: Connection, mail: OutboxRow | None) -> PlayerRow | None:
    return roster.player(conn, mail.recipient) if mail is not None and mail.recipient else None


def _tagged(
    conn: Connection, house: Installation, tag: str | None, now: datetime
) -> Iterator[_Claim]:
    claim = read(house.keys, tag) if tag else None
    match claim:
        case PlayerAddress(player, generation):
            row = roster.player(conn, player)
            if row is not None and row.generation == generation:
                yield _Claim(row, None)
        case MailAddress(ident, generation):
            yield from _asked_there(conn, outbox.find_by_mail_id(conn, ident), generation)
        case SeatAddress():
            yield from _seated(conn, house, claim, now)
        case None:
            pass


def _seated(
    conn: Connection, house: Installation, claim: SeatAddress, now: datetime
) -> Iterator[_Claim]:
    """Whose seat in a match an address is of, by what it is worth now."""
    loaded = find_match(conn, claim.match, house.cache)
    if loaded is None or not 1 <= claim.seat <= len(loaded.match.entrants):
        return
    row = roster.player(conn, loaded.match.entrants[claim.seat - 1])
    if row is None:
        return
    worth = reply_addresses.standing(conn, row.id, claim.match, claim.generation, now)
    if worth is not Standing.DEAD:
        yield _Claim(row, claim.match, loaded, stale=worth is Standing.OLD)
