"""What a mail speaks of, read from the store: the match as of the noted version, names, texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from pbem.legacy.delivery.attachments import AskedReplay, analyses_of, calendars, records, replays
from pbem.legacy.delivery.match_facts import OFFERS, match_facts, sealed_texts
from pbem.legacy.delivery.nobody import scene_of_nobody
from pbem.legacy.delivery.records import holdings
from pbem.errors import PbemError
from pbem.games import OURS, editions_of
from pbem.games.game import Seat
from pbem.legacy.mail.addresses import (
    TOKEN_LINE,
    MailAddress,
    PageLink,
    PlayerAddress,
    Purpose,
    ReplyTo,
    SeatAddress,
    mail_id,
    mint,
    page_path,
    reply_address,
)
from pbem.legacy.mail.automatic import STOPS
from pbem.legacy.mail.headers import mailbox_of
from pbem.legacy.mail.verbs.verb_table import VERBS
from pbem.legacy.matches.match import Match, Status
from pbem.names import MatchId, PlayerId
from pbem.legacy.notices.codec import load
from pbem.legacy.notices.news import ChallengeSent, Invitation, MatchBegan, MatchOver, MatchWatched
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.personal import (
    Banned,
    DataShown,
    Farewell,
    Reminder,
    SampleShown,
)
from pbem.legacy.notices.replies import (
    AnalysisShown,
    CalendarShown,
    DailyDigest,
    MessagesShown,
    NotesShown,
    RecordShown,
    ReplayShown,
)
from pbem.legacy.notices.tournaments import OfTournaments, people_in
from pbem.legacy.notices.views.footer import wishes_of
from pbem.legacy.notices.views.matches import LEARNING, REMEMBERED
from pbem.legacy.notices.views.scene import Reader, Scene, Site, VerbHelp
from pbem.legacy.replays.raster import draws
from pbem.legacy.store import still, views
from pbem.legacy.store.mails import leases
from pbem.legacy.store.people import lookups, personal, roster
from pbem.legacy.store.views import seat_names_of
from pbem.legacy.transaction.dispatch import has_own_address
from pbem.legacy.transaction.installation import (
    House,
    Loaded,
    find_match,
    match_at,
    match_of_stream,
    told_head,
)
from pbem.legacy.transaction.links import link_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.mail.compose import Attachment
    from pbem.legacy.store.mails.outbox import OutboxRow
    from pbem.legacy.store.people.lookups import MailReaders
    from pbem.legacy.store.people.roster import PlayerRow

_MORE: Final = (
    AnalysisShown
    | ChallengeSent
    | Invitation
    | MatchOver
    | MatchWatched
    | DataShown
    | SampleShown
    | OfTournaments
    | CalendarShown
    | MessagesShown
    | NotesShown
    | RecordShown
    | ReplayShown
    | OFFERS
)
"""Notices of which a mail needs more than matches and names, beside those that say something."""

_OF_A_CLASS: Final = {Reminder: "reminders", DailyDigest: "digest"}
"""Mails of which one notice is the whole, by the kind that their reader may stop."""

VERB_HELP: Final = tuple(
    VerbHelp(name=one.name, also=one.also, examples=one.examples, needs_match=one.needs_match)
    for one in VERBS
)
_RULESET: Final = attrgetter("match.terms.ruleset")
_WITHOUT_PAGES: Final = tuple(one for one in VERB_HELP if one.name not in ("page", "link"))


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


def people_of(conn: Connection, rows: Iterable[OutboxRow]) -> MailReaders:
    """The readers of mails that are written together, and who sits in the matches of these."""
    homes = {home for row in rows if (home := match_of_stream(row.stream)) is not None}
    return lookups.of_readers(conn, {row.recipient for row in rows if row.recipient}, homes)


def material(conn: Connection, house: House, row: OutboxRow, people: MailReaders) -> Material:
    """Read what a queued mail needs; `people` are those of the mails that are written with it.

    Raises Undeliverable.
    """
    notices = load(row.notices)
    if row.recipient is None and row.to_address is not None:
        return _to_nobody(conn, house, row, notices, row.to_address)
    player = people.people.get(row.recipient) if row.recipient is not None else None
    if player is None:
        raise Undeliverable("its reader has been forgotten")
    address = _address(conn, row, player, notices)
    home = match_of_stream(row.stream)
    matches = _matches(conn, house, home, row.version, notices)
    thread = matches[home].match if home in matches else None
    named = {player.id}.union(*(getattr(one, "players", ()) for one in notices))
    to = _reply_to(row, notices, thread, player, people)
    tag, site = mint(house.keys, to), house.settings.site
    page, stop_page = _pages(house, notices, thread, player, people, to)
    ours = OURS.issuperset(map(_RULESET, matches.values()))
    scene = Scene(
        matches={name: loaded.match for name, loaded in matches.items()},
        names=_names(conn, people, matches, named),
        site=Site(title=site.title, address=site.address),
        reply_address=reply_address(
            site.address, tag, delimiter=site.delimiter, catch_all=site.catch_all
        ),
        now=house.now(),
        heads={name: told_head(conn, loaded, player.id) for name, loaded in matches.items()},
        verbs=VERB_HELP if house.settings.web.public_url else _WITHOUT_PAGES,
        order_words=house.words.first_words,
        token_line=TOKEN_LINE.format(tag),
        seated={name: people.seated[name] for name in matches if people.seated[name]},
        page=page,
        still=frozenset() if ours else still.of_these(conn, [*matches]),
    )
    wishes = wishes_of(player.wishes)
    reader = Reader(
        player=player.id,
        name=player.name,
        wishes=wishes if house.pictures and draws() else replace(wishes, pictures="off"),
        leave=_leave(conn, house, player.id, matches.values(), people),
        newcomer=not player.confirmed,
        turns_elsewhere=_turns_elsewhere(conn, row, matches, player.id)
        if any(notice.traits.teaches for notice in notices)
        else {},
    )
    stuff = Material(row, notices, reader, scene, home, address, stop_page=stop_page)
    more = any(
        one.traits.says
        or isinstance(one, _MORE)
        or (isinstance(one, MatchBegan) and matches[one.match].match.terms.tournament)
        for one in notices
    )
    return _with_more(conn, house, stuff, matches) if more else stuff


def _address(conn: Connection, row: OutboxRow, player: PlayerRow, notices: Sequence[Notice]) -> str:
    """Where a mail to a player goes. Raises Undeliverable."""
    if player.banned:
        raise Undeliverable("this player is banned")
    address = row.to_address or player.address
    if not address:
        raise Undeliverable("this player came with an imported match, and has no address here")
    consents = player.confirmed
    if address != player.address:
        own = roster.addresses_of(conn, player.id)
        consents = any(one.confirmed and one.address == address for one in own)
    if not consents and leases.has(conn, mailbox_of(address)):
        raise Undeliverable("the owner of this address wants no mail")
    mends = any(notice.traits.though_bounced for notice in notices)
    if player.suspended and row.to_address is None and not mends:
        raise Undeliverable("mail to this player comes back")
    return address


def _matches(
    conn: Connection,
    house: House,
    home: MatchId | None,
    version: int,
    notices: Iterable[Notice],
) -> dict[MatchId, Loaded]:
    """The matches that the notices name: that of the thread as of its noted version."""
    matches = {}
    if home is not None:
        loaded = match_at(conn, home, version, house.cache) if version else None
        loaded = loaded or find_match(conn, home, house.cache)
        if loaded is not None:
            matches[home] = loaded
            house.cache.keep(loaded)  # where another process plays, the next mail goes on from here
    named: dict[MatchId | None, None] = {}
    for notice in notices:
        for field in ("matches", "watched"):
            named |= dict.fromkeys(getattr(notice, field, ()))
        named |= {seat.match: None for seat in getattr(notice, "seats", ())}
        named[getattr(notice, "match", None)] = None
    for name in named:
        if name not in (None, home):
            other = find_match(conn, name, house.cache)
            if other is not None:
                matches[name] = other
    return matches


def _names(
    conn: Connection, people: MailReaders, matches: Mapping[MatchId, Loaded], ids: set[PlayerId]
) -> dict[PlayerId, str]:
    """The names of these and of all who play; whom and which seats `people` has not, it gets."""
    for loaded in matches.values():
        table = loaded.match.table
        ids.update(table.players, table.entrants, table.watchers)
        ids.update(one.author for one in table.comments)
    if missing := ids - people.people.keys():
        people.people.update(roster.players(conn, sorted(missing)))
    if unknown := [name for name in matches if name not in people.seated]:
        people.seated.update({name: {} for name in unknown} | seat_names_of(conn, unknown))
    return {player: people.people[player].name for player in sorted(ids & people.people.keys())}


def _reply_to(
    row: OutboxRow,
    notices: Iterable[Notice],
    match: Match | None,
    player: PlayerRow,
    people: MailReaders,
) -> ReplyTo:
    """The mail's own address, or that of the reader's seat in its match, else the player's."""
    if has_own_address(row.key) or any(notice.traits.own_address for notice in notices):
        # Nobody else may answer it: not who stole the usual address, nor who named this one.
        return MailAddress(mail_id(row.message_id), player.generation)
    known = people.generations.get(player.id, ())
    if match is None or player.id not in match.table.entrants:
        return PlayerAddress(player.id, personal.newest(known, personal.ACCOUNT, player.generation))
    seat = Seat(match.table.entrants.index(player.id) + 1)
    return SeatAddress(match.id, seat, personal.newest(known, match.id, player.generation))


def _pages(  # noqa: PLR0917 - all that a mail is about
    house: House,
    notices: Iterable[Notice],
    match: Match | None,
    player: PlayerRow,
    people: MailReaders,
    to: ReplyTo,
) -> tuple[str, str]:
    """The page of what a mail is about, and that whose button stops mails of its kind.

    The first is the seat, a match that is watched, or all of the player's, and empty for who has
    agreed to nothing yet; the second of all kinds, where a mail is of several. Both are empty where
    the service has no pages.
    """
    public_url = house.settings.web.public_url.rstrip("/")
    if not public_url:
        return "", ""
    kinds = {_OF_A_CLASS.get(type(notice), notice.traits.wish) for notice in notices}
    kind = kinds.pop() if len(kinds) == 1 else ""
    number = STOPS.index(kind) if kind in STOPS else 0
    known = people.generations.get(player.id, ())
    account = personal.newest(known, personal.ACCOUNT, player.generation)
    stop = public_url + page_path(house.keys, PageLink(Purpose.STOP, player.id, number, account))
    link: PageLink | None = None
    if match is not None and player.id in match.table.watchers and match.is_public:
        link = PageLink(Purpose.VIEW, match.id)
    elif isinstance(to, SeatAddress):
        link = PageLink(Purpose.ACT, to.match, to.seat, to.generation)
    elif isinstance(to, PlayerAddress):
        link = PageLink(Purpose.PLAYER, to.player, 0, to.generation)
    if link is None or not player.confirmed:
        return "", stop
    return public_url + page_path(house.keys, link), stop


def _turns_elsewhere(
    conn: Connection, row: OutboxRow, matches: Mapping[MatchId, Loaded], reader: PlayerId
) -> dict[MatchId, int]:
    """How many turns the reader has had of late in other matches of what a mail may teach."""
    since = row.queued_at - REMEMBERED
    return {
        name: views.turns_of(conn, reader, editions_of(one.match.game), LEARNING, name, since=since)
        for name, one in matches.items()
        if reader in one.match.table.players and one.match.status is Status.RUNNING
    }


def _leave(
    conn: Connection,
    house: House,
    player: PlayerId,
    matches: Iterable[Loaded],
    people: MailReaders,
) -> int | None:
    """The days of leave that somebody has left, where a clock of theirs may need them."""
    if not any(
        loaded.match.clocks is not None
        and loaded.match.status is Status.RUNNING
        and player in loaded.match.table.players
        for loaded in matches
    ):
        return None
    return house.players.load(conn, player, people.versions[player]).leave_left(house.now())


def _to_nobody(
    conn: Connection, house: House, row: OutboxRow, notices: tuple[Notice, ...], address: str
) -> Material:
    """A mail to somebody who is no player: nothing can be answered to it, and no order works."""
    scene = scene_of_nobody(conn, house, notices, VERB_HELP)
    wishes = next((one.wishes for one in notices if isinstance(one, Farewell | Banned)), {})
    reader = Reader(player=PlayerId(""), name="", wishes=wishes_of(wishes))
    return Material(row, notices, reader, scene, None, address)


# --- what only some notices need -----------------------------------------------------------------


def _with_more(
    conn: Connection, house: House, stuff: Material, matches: Mapping[MatchId, Loaded]
) -> Material:
    """The same with texts, times, files and what else its notices show or bring."""
    notices, reader, names = stuff.notices, stuff.reader, stuff.scene.names
    kinds = {type(notice) for notice in notices}
    files = records(conn, notices, matches, reader.player, names)
    if SampleShown in kinds:  # else nobody could say how a page looks
        reader = replace(reader, wishes=replace(reader.wishes, html=True))
    others = roster.players(conn, sorted(set(people_in(notices))))
    scene = replace(
        stuff.scene,
        names={**names, **{player: row.name for player, row in others.items()}},
        sealed=sealed_texts(conn, notices, matches, reader),
        held=holdings(conn, reader.player) if DataShown in kinds else (),
        files={name: file.name for name, file in files.items()},
        link=link_of(conn, house, notices, matches, reader.player),
        analyses=analyses_of(conn, notices, matches),
        **match_facts(conn, house, notices, matches, reader.player),
    )
    return replace(
        stuff,
        reader=reader,
        scene=scene,
        files=(*files.values(), *calendars(house, notices, matches, reader, names)),
        replays=replays(notices, matches, reader, scene),
    )
