"""Who wrote a letter: told by its recipient, by the mail it answers, or by a line in its quote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from pbem.legacy.mail.addresses import (
    MailAddress,
    PlayerAddress,
    SeatAddress,
    read,
    read_message_id,
    tag_of,
)
from pbem.legacy.mail.authentication import Proof
from pbem.names import MatchId, PlayerId
from pbem.legacy.store.mails import outbox
from pbem.legacy.store.mails.outbox import OutboxRow
from pbem.legacy.store.people import lookups, personal, roster
from pbem.legacy.store.people.lookups import WriterFacts
from pbem.legacy.store.people.personal import ACCOUNT, Standing
from pbem.legacy.store.people.roster import PlayerRow
from pbem.legacy.transaction.installation import (
    Installation,
    Loaded,
    find_match,
    match_at,
    match_of_stream,
    match_stream,
)
from pbem.legacy.transaction.limits import letters_bucket

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.mail.letter import Letter
    from pbem.legacy.matches.match import Match


_LOOKED_AT: Final = 20
"""Addresses that a letter goes to, as far as it is looked which seats they are of."""

_SEATS: Final = 5
"""Matches for which one letter is taken at most."""

MAIL_PROVES: Final = timedelta(days=60)
"""So long a mail's Message-ID proves something; whoever gets a copy of an answer to it has it."""


@dataclass(frozen=True, slots=True)
class Known:
    """A player, and the match that the letter answers, if any.

    `proof` is how surely it is theirs. `doubt` says why it may be somebody else's: then nothing is
    carried out, and the player is asked at `asked_at`, or else at the registered address.
    `new_address` is one that the player added and that answers here for the first time.
    `loaded` is the match, if it had to be read, and `facts` is what was read of the writer with it;
    `mail` is the mail of ours that it surely answers, and `own_token` says that it came to the very
    address that was made for that mail alone.
    """

    player: PlayerRow
    home: MatchId | None
    proof: Proof = Proof.NAME
    doubt: str | None = None
    new_address: str | None = None
    asked_at: str | None = None
    loaded: Loaded | None = None
    facts: WriterFacts | None = None
    mail: OutboxRow | None = None
    own_token: bool = False

    @property
    def fact(self) -> Known:
        """Who it is, without what was loaded to find that out."""
        return replace(self, loaded=None, facts=None, mail=None)


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
    """Whom a carrier names. `token`: it is a reply address or a token line, and no Message-ID.

    `own`: it is the address that was made for `mail` alone. `worth`: whether others have seen it.
    """

    player: PlayerRow
    home: MatchId | None
    loaded: Loaded | None = None
    facts: WriterFacts | None = None
    mail: OutboxRow | None = None
    token: bool = True
    own: bool = False
    worth: Standing = Standing.ALIVE


def identify(conn: Connection, house: Installation, letter: Letter, now: datetime) -> Sender:
    """Who wrote this letter. A right token with the wrong From is a doubt, never a proof."""
    if letter.sender is None:
        return Nobody("no_sender")
    if house.is_ours(letter.sender):
        return Nobody("ourselves")  # whoever wrote it, an answer would come to us
    claim = next(_claims(conn, house, letter, now), None)
    if claim is None:
        return _without_proof(conn, house, letter)
    if not claim.token:
        claim = _quoted_token(conn, house, letter, claim, now)
    known = Known(
        claim.player,
        claim.home,
        loaded=claim.loaded,
        facts=claim.facts,
        mail=claim.mail,
        own_token=claim.own,
    )
    if claim.mail is not None and claim.mail.to_address is not None:
        return _elsewhere(conn, known, claim.mail.to_address, letter)
    doubt = _doubt(conn, known, letter)
    if doubt is not None:
        return replace(known, proof=Proof.DOUBT, doubt=doubt)
    return _proved(house, known, claim, letter, now)


def _quoted_token(
    conn: Connection, house: Installation, letter: Letter, claim: _Claim, now: datetime
) -> _Claim:
    """A Message-ID proves more where the quote has a token of its reader's as well."""
    for quoted in _token_lines(conn, house, letter, now):
        if quoted.player.id == claim.player.id:
            own = quoted.own and quoted.mail == claim.mail
            return replace(claim, token=True, own=own, worth=quoted.worth)
    return claim


def _elsewhere(conn: Connection, known: Known, address: str, letter: Letter) -> Sender:
    """An answer to what we asked at an address of a player's; nobody but it may answer.

    Whatever else comes here is told to nobody: only that address has had this mail.
    """
    if roster.folded(letter.sender or "") != roster.folded(address):
        return Nobody("other_sender")
    if letter.auth.verdict == "fail":
        return Nobody("authentication")
    proof = Proof.TOKEN if known.own_token else Proof.MAIL
    if _is_own(conn, known.player, address):
        return replace(known, proof=proof)
    return replace(known, proof=proof, new_address=address)


def _doubt(conn: Connection, known: Known, letter: Letter) -> str | None:
    """Why a letter with a carrier of ours may be somebody else's."""
    if letter.auth.verdict == "fail":
        return "authentication"
    return None if _is_own(conn, known.player, letter.sender or "") else "other_sender"


def _is_own(conn: Connection, player: PlayerRow, sender: str) -> bool:
    """Whether an address is the player's: the registered one, or one that has answered."""
    if roster.folded(sender) == roster.folded(player.address):
        return True
    return any(
        own.confirmed and roster.folded(own.address) == roster.folded(sender)
        for own in roster.addresses_of(conn, player.id)
    )


def _proved(
    house: Installation, known: Known, claim: _Claim, letter: Letter, now: datetime
) -> Sender:
    """How much the right From with a carrier proves."""
    if letter.auth.verdict == "pass" and known.player.confirmed and _is_public(house, letter):
        return replace(known, proof=Proof.TOKEN)
    if not claim.token and (claim.mail is None or claim.mail.queued_at + MAIL_PROVES < now):
        return replace(known, proof=Proof.OLD_MAIL, doubt="old_mail")
    if claim.worth is not Standing.ALIVE:
        return _seen(known, claim.worth)
    return replace(known, proof=Proof.TOKEN if claim.token else Proof.MAIL)


def _seen(known: Known, worth: Standing) -> Sender:
    """A letter that somebody else may have written, who has seen the address that it came to.

    It reads; not for somebody who never agreed to anything, or whose mail comes back: whether it is
    answered would say nothing of them.
    """
    proof = Proof.OLD_ADDRESS if worth is Standing.OLD else Proof.RETIRED_ADDRESS
    if known.player.confirmed and not known.player.suspended:
        return replace(known, proof=proof)
    if worth is Standing.RETIRED:
        return Nobody("old_address")
    return replace(known, proof=proof, doubt="old_address")


def _is_public(house: Installation, letter: Letter) -> bool:
    public = house.settings.site.address.casefold()
    return any(recipient.casefold() == public for recipient in letter.recipients)


def _without_proof(conn: Connection, house: Installation, letter: Letter) -> Sender:
    """From alone proves nothing; a verdict of our own mail server does (RFC 8601)."""
    if not _is_public(house, letter):
        # MAIL 4: only the public address answers strangers; a dead or wrong token is no way in.
        return Nobody("not_public")
    address = letter.sender or ""
    player = roster.player_by_address(conn, address)
    if player is None or not player.confirmed:
        # Nobody is written to in whose name a letter was forged.
        failed = letter.auth.verdict == "fail"
        return Nobody("authentication") if failed else Stranger(address)
    if letter.auth.verdict == "pass":
        return Known(player, None, Proof.TOKEN)
    further = roster.folded(address) != roster.folded(player.address)
    return Known(player, None, doubt="unproved", asked_at=address if further else None)


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
            for claim in _known_by_id(conn, outbox.find_by_message_id(conn, answered), now):
                yield replace(claim, token=False)
    yield from _token_lines(conn, house, letter, now)


def seats_written_to(
    conn: Connection,
    house: Installation,
    letter: Letter,
    player: PlayerId,
    *,
    home: MatchId,
    now: datetime,
) -> tuple[MatchId, ...]:
    """The matches of which a letter names a player's own address that nobody else has seen.

    That of `home` brought the letter: it is not looked at again.
    """
    site = house.settings.site
    named = dict.fromkeys((*letter.recipients, *letter.sent_to))
    tags = (
        tag_of(one, site.address, delimiter=site.delimiter, catch_all=site.catch_all)
        for one in islice(named, _LOOKED_AT)
    )

    def named_by(tag: str | None) -> Iterator[MatchId | None]:
        seat = read(house.keys, tag) if tag else None
        if isinstance(seat, SeatAddress) and seat.match == home:
            yield home  # it is known by now whose letter that is
            return
        for claim in _tagged(conn, house, tag, now):
            if claim.worth is Standing.ALIVE and claim.player.id == player:
                yield claim.home

    own = (match for tag in tags for match in named_by(tag))
    return tuple(dict.fromkeys(match for match in own if match is not None))[:_SEATS]


def _token_lines(
    conn: Connection, house: Installation, letter: Letter, now: datetime
) -> Iterator[_Claim]:
    for tag in letter.tags:
        yield from _tagged(conn, house, tag, now)


def _known_by_id(conn: Connection, mail: OutboxRow | None, now: datetime) -> Iterator[_Claim]:
    """The reader of a mail of ours, if it was written to the addresses that are alive."""
    player = _reader(conn, mail)
    if mail is None or player is None:
        return
    since = personal.alive_since(conn, player.id) if player.generation else None
    if since is not None and since > mail.queued_at:
        return
    match = match_of_stream(mail.stream)
    worth = personal.standing_of_mail(conn, player.id, match or ACCOUNT, mail.queued_at, now)
    if worth is not Standing.DEAD:
        yield _Claim(player, match, mail=mail, worth=worth)


def _asked_there(conn: Connection, mail: OutboxRow | None, generation: int) -> Iterator[_Claim]:
    """The reader of a mail that has an address of its own."""
    player = _reader(conn, mail)
    if mail is not None and player is not None and generation == player.generation:
        yield _Claim(player, match_of_stream(mail.stream), mail=mail, own=True)


def _reader(conn: Connection, mail: OutboxRow | None) -> PlayerRow | None:
    return roster.player(conn, mail.recipient) if mail is not None and mail.recipient else None


def _tagged(
    conn: Connection, house: Installation, tag: str | None, now: datetime
) -> Iterator[_Claim]:
    claim = read(house.keys, tag) if tag else None
    match claim:
        case PlayerAddress(player, generation):
            row = roster.player(conn, player)
            worth = personal.standing(conn, player, ACCOUNT, generation, now)
            if row is not None and worth is not Standing.DEAD:
                yield _Claim(row, None, worth=worth)
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
    # Who sat down first keeps the number: an older match knows as well who has this one.
    known = house.cache.newest(claim.match)
    if known is None or claim.seat > len(known.match.table.entrants):
        known = find_match(conn, claim.match, house.cache)
    if known is None or not 1 <= claim.seat <= len(known.match.table.entrants):
        return
    writer = known.match.table.entrants[claim.seat - 1]
    facts = facts_of(conn, writer, now, known.match)
    row = facts.people.get(writer)
    if row is None or facts.head is None:
        return
    worth = personal.standing_among(facts.generations, claim.generation, now)
    if worth is not Standing.DEAD:
        loaded = match_at(conn, claim.match, facts.head.version, house.cache)
        yield _Claim(row, claim.match, loaded, facts, worth=worth)


def facts_of(
    conn: Connection, writer: PlayerId, now: datetime, match: Match | None = None
) -> WriterFacts:
    """What is known of a player who writes, and of the match to which they do."""
    return lookups.of_writer(
        conn,
        writer,
        bucket=letters_bucket(writer),
        now=now,
        match=match.id if match is not None else None,
        stream=match_stream(match.id) if match is not None else None,
        besides=match.table.players if match is not None else (),
    )
