"""What a mail speaks of, read from the store: the match as of the noted version, names, texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pbem.delivery.attachments import AskedReplay, calendars, records, replays
from pbem.delivery.batch_facts import page_of, stop_page
from pbem.delivery.records import holdings
from pbem.errors import PbemError
from pbem.games import editions_of
from pbem.games.game import Seat
from pbem.mail.addresses import (
    MailAddress,
    PlayerAddress,
    ReplyTo,
    SeatAddress,
    mail_id,
    mint,
    reply_address,
    token_line,
)
from pbem.mail.headers import mailbox_of
from pbem.mail.verbs.verb_table import VERBS
from pbem.matches.events import MatchEnded, MatchStarted
from pbem.matches.match import Match, Status
from pbem.matches.operator_events import MatchAdjudicated
from pbem.names import Digest, MatchId, PlayerId
from pbem.notices.news import (
    MatchOver,
    MatchWatched,
    MessageReceived,
    OperatorActed,
)
from pbem.notices.notice import Notice, load
from pbem.notices.personal import (
    AboutSomebody,
    Banned,
    DataShown,
    Farewell,
    OperatorDecided,
    Reminder,
    SampleShown,
)
from pbem.notices.replies import (
    CalendarShown,
    DailyDigest,
    GamesListed,
    MessagesShown,
    NotesShown,
    OpenSeatsListed,
    RecordShown,
)
from pbem.notices.views.footer import wishes_of
from pbem.notices.views.matches import LEARNING, REMARKS, notes_of
from pbem.notices.views.scene import Holding, Reader, Scene, Site, VerbHelp, Wishes
from pbem.replays.raster import draws
from pbem.store import views
from pbem.store.log import event_log, sealed
from pbem.store.mails import leases
from pbem.store.people import personal, roster
from pbem.transaction.dispatch import has_own_address
from pbem.transaction.installation import (
    House,
    Loaded,
    find_match,
    match_at,
    match_of_stream,
    match_stream,
    told_head,
)

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.delivery.batch_facts import Facts
    from pbem.mail.compose import Attachment
    from pbem.store.mails.outbox import OutboxRow
    from pbem.store.people.roster import PlayerRow

_SPAN: Final = (MatchStarted, MatchEnded, MatchAdjudicated)
"""The first and the last event of a match that is played to an end."""

VERB_HELP: Final = tuple(
    VerbHelp(name=verb.name, also=verb.also, examples=verb.examples, needs_match=verb.needs_match)
    for verb in VERBS
)


@dataclass(frozen=True, slots=True)
class Material:
    """All that is needed to write one mail, read in one snapshot."""

    row: OutboxRow
    notices: tuple[Notice, ...]
    reader: Reader
    scene: Scene
    match: MatchId | None
    address: str
    files: tuple[Attachment, ...] = ()
    replays: tuple[AskedReplay, ...] = ()
    stop_page: str = ""


class Undeliverable(PbemError):  # noqa: N818 - what the mail is
    """There is nobody to whom this mail could be sent; the words are for the operator."""


def material(conn: Connection, house: House, row: OutboxRow, facts: Facts) -> Material:
    """Read what a queued mail needs; `facts` are those of its batch.

    Raises Undeliverable.
    """
    notices = load(row.notices)
    if row.recipient is None and row.to_address is not None:
        return _to_nobody(conn, house, row, notices, row.to_address)
    player = facts.people.get(row.recipient) if row.recipient is not None else None
    if player is None:
        raise Undeliverable("its reader has been forgotten")
    address = _address(conn, row, player, notices)
    matches = {loaded.match.id: loaded for loaded in _matches(conn, house, row, notices)}
    home = match_of_stream(row.stream)
    thread = matches.get(home) if home is not None else None
    if has_own_address(row.key) or any(notice.traits.own_address for notice in notices):
        # Nobody else may answer it: not who stole the usual address, nor who named this one.
        to: ReplyTo = MailAddress(mail_id(row.message_id), player.generation)
    else:
        to = _reply_to(facts, thread, player)
    tag = mint(house.keys, to)
    site = house.settings.site
    names = _names(conn, [loaded.match for loaded in matches.values()], player, facts)
    files = records(conn, notices, matches, player.id, names)
    calendar = calendars(house, notices, matches, player.id, names)
    scene = Scene(
        matches={name: loaded.match for name, loaded in matches.items()},
        names=names,
        site=Site(title=site.title, address=site.address),
        reply_address=reply_address(
            site.address, tag, delimiter=site.delimiter, catch_all=site.catch_all
        ),
        now=house.now(),
        heads={name: told_head(conn, loaded, player.id) for name, loaded in matches.items()},
        sealed=_sealed(conn, notices, [loaded.match for loaded in matches.values()], player.id),
        verbs=VERB_HELP,
        order_words=house.words.first_words,
        token_line=token_line(tag),
        held=_held(conn, notices, player.id),
        files={name: file.name for name, file in files.items()},
        seated=facts.seated(conn, matches),
        lasted=_lasted(conn, notices, matches),
        began=_began(conn, notices),
        turns_elsewhere=_turns_elsewhere(conn, notices, matches, player.id),
        page=page_of(house, to, thread.match if thread is not None else None, player),
    )
    reader = Reader(
        player=player.id,
        name=player.name,
        wishes=_wishes(player, notices),
        leave=_leave(conn, house, player.id, matches.values(), facts),
        newcomer=not player.confirmed,
    )
    pages = replays(notices, matches, reader, names)
    every = (*files.values(), *calendar)
    stop = stop_page(house, player, _newest(facts, player), notices)
    return Material(row, notices, reader, scene, home, address, every, pages, stop)


def _address(conn: Connection, row: OutboxRow, player: PlayerRow, notices: Sequence[Notice]) -> str:
    """Where a mail to a player goes. Raises Undeliverable."""
    if player.banned:
        raise Undeliverable("this player is banned")
    if not player.address and row.to_address is None:
        raise Undeliverable("this player came with an imported match, and has no address here")
    address = row.to_address or player.address
    if not _is_proved(conn, player, address) and leases.has(conn, mailbox_of(address)):
        raise Undeliverable("the owner of this address wants no mail")
    mends = any(notice.traits.though_bounced for notice in notices)
    if player.suspended and row.to_address is None and not mends:
        raise Undeliverable("mail to this player comes back")
    return address


def _is_proved(conn: Connection, player: PlayerRow, address: str) -> bool:
    """Whether an address has consented to mail of ours for a player."""
    if address == player.address:
        return player.confirmed
    return any(
        own.confirmed and own.address == address for own in roster.addresses_of(conn, player.id)
    )


def _leave(
    conn: Connection,
    house: House,
    player: PlayerId,
    matches: Iterable[Loaded],
    facts: Facts,
) -> int | None:
    """The days of leave that somebody has left, where a clock of theirs may need them."""
    counts = any(
        loaded.match.clocks is not None
        and loaded.match.status is Status.RUNNING
        and player in loaded.match.table.players
        for loaded in matches
    )
    if not counts:
        return None
    known = house.players.load(conn, player, facts.versions[player])
    return known.leave_left(house.now())


def _lasted(
    conn: Connection, notices: Iterable[Notice], matches: Mapping[MatchId, Loaded]
) -> dict[MatchId, int]:
    """How many seconds the matches took whose end is told."""
    told = {one.match for one in notices if isinstance(one, MatchOver | MatchWatched)}
    ended = [name for name in sorted(told) if matches[name].match.status is Status.ENDED]
    times = {name: event_log.times(conn, match_stream(name), *_SPAN) for name in ended}
    return {name: int((at[-1] - at[0]).total_seconds()) for name, at in times.items() if at}


def _began(conn: Connection, notices: Iterable[Notice]) -> dict[MatchId, datetime]:
    """When the matches began whose records are shown."""
    shown = sorted({one.match for one in notices if isinstance(one, RecordShown)})
    times = {name: event_log.times(conn, match_stream(name), MatchStarted) for name in shown}
    return {name: at[0] for name, at in times.items() if at}


def _turns_elsewhere(
    conn: Connection,
    notices: Iterable[Notice],
    matches: Mapping[MatchId, Loaded],
    reader: PlayerId,
) -> dict[MatchId, int]:
    """How many turns the reader has had in other matches of the game, where a mail may teach it."""
    if not any(notice.traits.teaches for notice in notices):
        return {}
    return {
        name: views.turns_of(conn, reader, editions_of(loaded.match.game), but=name, most=LEARNING)
        for name, loaded in matches.items()
        if reader in loaded.match.table.players and loaded.match.status is Status.RUNNING
    }


def _wishes(player: PlayerRow, notices: Iterable[Notice]) -> Wishes:
    wishes = wishes_of(player.wishes)
    if not draws():
        wishes = replace(wishes, pictures="off")
    if any(isinstance(notice, SampleShown) for notice in notices):
        return replace(wishes, html=True)  # else nobody could say how a page looks
    return wishes


def _held(conn: Connection, notices: Iterable[Notice], reader: PlayerId) -> tuple[Holding, ...]:
    """What is held on the reader, where that was asked for."""
    asked = any(isinstance(notice, DataShown) for notice in notices)
    return holdings(conn, reader) if asked else ()


def _to_nobody(
    conn: Connection, house: House, row: OutboxRow, notices: tuple[Notice, ...], address: str
) -> Material:
    """A mail to somebody who is no player: nothing can be answered to it, and no order works."""
    site = house.settings.site
    scene = Scene(
        matches={},
        names={},
        site=Site(title=site.title, address=site.address),
        reply_address=site.address,
        now=house.now(),
        sealed=_reasons(conn, notices),
        verbs=VERB_HELP,  # none is offered, and no line begins with one
    )
    wishes = next((one.wishes for one in notices if isinstance(one, Farewell | Banned)), {})
    reader = Reader(player=PlayerId(""), name="", wishes=wishes_of(wishes))
    return Material(row, notices, reader, scene, None, address)


def _matches(
    conn: Connection, house: House, row: OutboxRow, notices: Iterable[Notice]
) -> list[Loaded]:
    """The matches that the notices name: that of the thread as of its noted version."""
    home = match_of_stream(row.stream)
    loaded = []
    if home is not None:
        version = row.version
        found = match_at(conn, home, version, house.cache) if version else None
        found = found or find_match(conn, home, house.cache)
        loaded.extend([found] if found is not None else [])
        house.cache.keep_all(loaded)  # where another process plays, the next mail goes on from here
    for name in dict.fromkeys(_named(notices)):
        if name != home:
            other = find_match(conn, name, house.cache)
            loaded.extend([other] if other is not None else [])
    return loaded


def _named(notices: Iterable[Notice]) -> Iterable[MatchId]:
    for notice in notices:
        if isinstance(notice, CalendarShown | GamesListed | DailyDigest | Reminder | AboutSomebody):
            yield from notice.matches
        if isinstance(notice, GamesListed):
            yield from notice.watched
        if isinstance(notice, OpenSeatsListed):
            yield from (seat.match for seat in notice.seats)
        name = getattr(notice, "match", None)
        if name is not None:
            yield MatchId(name)


def _names(
    conn: Connection, matches: Sequence[Match], reader: PlayerRow, facts: Facts
) -> dict[PlayerId, str]:
    known = (
        (*match.table.players, *match.table.entrants, *match.table.watchers) for match in matches
    )
    ids = {reader.id}.union(*known)
    if missing := ids - facts.people.keys():
        facts.people.update(roster.players(conn, sorted(missing)))
    people = facts.people
    return {player: people[player].name for player in sorted(ids) if player in people}


def _sealed(
    conn: Connection, notices: Sequence[Notice], matches: Sequence[Match], reader: PlayerId
) -> dict[Digest, str]:
    """The texts of messages, of the reader's notes, and of operators' reasons."""
    digests = [notice.text for notice in notices if isinstance(notice, MessageReceived)]
    digests += [one.reason for one in notices if isinstance(one, OperatorActed | OperatorDecided)]
    for match in matches:
        if any(isinstance(notice, MessagesShown) for notice in notices):
            digests += [said.text for said in match.table.said[-REMARKS:]]
        if any(isinstance(notice, NotesShown | MatchOver) for notice in notices):
            digests += [note.text for note in notes_of(match, reader)]
    return sealed.unseal(conn, digests) if digests else {}


def _reasons(conn: Connection, notices: Sequence[Notice]) -> dict[Digest, str]:
    reasons = [notice.reason for notice in notices if isinstance(notice, Banned)]
    return sealed.unseal(conn, reasons) if reasons else {}


def _reply_to(facts: Facts, loaded: Loaded | None, player: PlayerRow) -> ReplyTo:
    """The seat's own address in a match, else the player's."""
    if loaded is None or player.id not in loaded.match.table.entrants:
        return PlayerAddress(player.id, _newest(facts, player))
    match = loaded.match
    number = Seat(match.table.entrants.index(player.id) + 1)
    return SeatAddress(match.id, number, _newest(facts, player, match.id))


def _newest(facts: Facts, player: PlayerRow, match: MatchId = personal.ACCOUNT) -> int:
    """The generation of a player's address at a seat, or outside of matches, as it is today."""
    return personal.newest(facts.addresses.get(player.id, ()), match, player.generation)
