"""Whose eyes see a page, who asks for it, and how often they may."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Final

from pbem.games.game import Seat, Signs
from pbem.legacy.mail.addresses import PageLink, Purpose, page_path, read_page_token
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.table import may_speak
from pbem.names import MatchId, PlayerId
from pbem.legacy.notices.views.clean import NAME, clean
from pbem.legacy.notices.views.comments import comment_lines
from pbem.legacy.notices.views.matches import signs_at
from pbem.legacy.store.log.sealed import unseal
from pbem.legacy.store.people import personal, roster
from pbem.legacy.store.people.personal import ACCOUNT, Standing
from pbem.legacy.store.views import seat_names_of
from pbem.legacy.transaction.installation import find_match, load_player

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.types import Scope

    from pbem.legacy.notices.views.comments import CommentLine
    from pbem.legacy.store.people.roster import PlayerRow
    from pbem.legacy.transaction.installation import House


# --- access --------------------------------------------------------------------------------------
# Whose eyes see a page: tokens read, and what they are worth today.


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """A match, and who looks at it: nobody in particular, or a player.

    `signs` are the letters of the seats, `comments` what was said after the end, but for those whom
    the viewer has muted. `link` is what the page's token says. Where there is a
    newer address of its seat nobody in particular looks: whoever has the old one may be anybody.
    Who watches has no seat, and looks by the link of all their boards (`Purpose.PLAYER`).
    """

    match: Match
    names: tuple[str, ...]
    link: PageLink
    viewer: PlayerRow | None = None
    signs: Signs = ()
    comments: tuple[CommentLine, ...] = ()

    @property
    def viewpoint(self) -> Seat | None:
        """The viewer's seat, None for whoever sees what is public."""
        return self.match.seat_of(self.viewer.id) if self.viewer is not None else None

    @property
    def replaced(self) -> bool:
        """Whether this was the address of a seat, and shows only what everybody may see."""
        return self.link.purpose is not Purpose.VIEW and self.viewer is None

    @property
    def may_comment(self) -> bool:
        """Whether the viewer may say something of the moves here: not by a link that only shows."""
        if self.viewer is None or self.link.purpose not in (Purpose.ACT, Purpose.PLAYER):
            return False
        return self.match.status is Status.ENDED and may_speak(self.viewer.id, self.match)

    @property
    def told(self) -> int:
        """How much the viewer has heard of the match, the hints among it that they were given."""
        hints = self.match.table.hints if self.viewpoint is not None else ()
        told = self.match.told_to(self.viewer.id if self.viewer is not None else None)
        return told.count + len(hints)

    @property
    def title(self) -> str:
        """The match, as mails call it."""
        return f"{self.match.game.title} {self.match.id}"


def watched(conn: Connection, house: House, token: str) -> Seen | None:
    """A match as everybody may see it; none that is private or has not begun."""
    link = read_page_token(house.keys, Purpose.VIEW, token)
    found = find_match(conn, MatchId(link.name.upper()), house.cache) if link else None
    if link is None or found is None or not found.match.is_public:
        return None
    house.cache.keep(found)
    names = names_of(conn, found.match.table.players)
    signs = _signs(conn, found.match, names)
    comments = comments_on(conn, found.match) if found.match.table.comments else ()
    return Seen(match=found.match, names=names, link=link, signs=signs, comments=comments)


def seated(conn: Connection, house: House, purpose: Purpose, token: str) -> Seen | None:
    """A match as one of its players sees it, by the token of their seat.

    By one that was replaced, as everybody may see it, for a while.
    """
    link = read_page_token(house.keys, purpose, token)
    found = find_match(conn, MatchId(link.name.upper()), house.cache) if link else None
    if link is None or found is None or not 1 <= link.number <= len(found.match.table.entrants):
        return None
    match = found.match
    row = _living(conn, match.table.entrants[link.number - 1])
    if row is None:
        return None
    worth = personal.standing(conn, row.id, match.id, link.generation, house.now())
    is_open = match.is_public
    if worth is Standing.ALIVE:
        is_open = not match.table.private or row.id in match.table.players
    if worth not in (Standing.ALIVE, Standing.OLD) or not is_open:
        return None
    house.cache.keep(found)
    names = names_of(conn, match.table.players)
    return Seen(
        match=match,
        names=names,
        link=link,
        viewer=row if worth is Standing.ALIVE else None,
        signs=_signs(conn, match, names),
        comments=comments_on(conn, match, row if worth is Standing.ALIVE else None)
        if match.table.comments
        else (),
    )


def owned(conn: Connection, house: House, token: str, name: str) -> Seen | None:
    """A match of a player's, or one that they watch, by the token of all their boards."""
    row = player_of(conn, house, Purpose.PLAYER, token)
    found = find_match(conn, MatchId(name.upper()), house.cache) if row else None
    if row is None or found is None:
        return None
    match = found.match
    still = not match.table.private or row.id in match.table.players
    if row.id in match.table.entrants and still:
        link = seat_link(conn, match, row, Purpose.ACT)
    elif row.id in match.table.watchers and match.is_public:
        link = PageLink(Purpose.PLAYER, row.id, 0, newest_address(conn, row))
    else:
        return None
    house.cache.keep(found)
    names = names_of(conn, match.table.players)
    return Seen(
        match=match,
        names=names,
        link=link,
        viewer=row,
        signs=_signs(conn, match, names),
        comments=comments_on(conn, match, row) if match.table.comments else (),
    )


def looked_at(
    conn: Connection, house: House, purpose: Purpose, token: str, name: str = ""
) -> Seen | None:
    """A match as whoever has an address of a page sees it; `name` is that of one of many."""
    match purpose:
        case Purpose.VIEW:
            return watched(conn, house, token)
        case Purpose.PLAYER:
            return owned(conn, house, token, name)
        case _:
            return seated(conn, house, purpose, token)


def _signs(conn: Connection, match: Match, names: tuple[str, ...]) -> Signs:
    if not match.terms.ruleset or match.game.reserved is None:
        return ()
    return signs_at(match.game, names, seat_names_of(conn, [match.id]).get(match.id))


def comments_on(
    conn: Connection, match: Match, viewer: PlayerRow | None = None
) -> tuple[CommentLine, ...]:
    """What was said of a match after its end, as a viewer may read it."""
    made = match.table.comments
    texts = unseal(conn, [one.text for one in made])
    rows = roster.players(conn, sorted({one.author for one in made}))
    names = {player: row.name for player, row in rows.items()}
    heard_no_more = load_player(conn, viewer.id).muted if viewer is not None else ()
    return comment_lines(
        match, names, texts, [author for where, author in heard_no_more if where == match.id]
    )


def player_of(conn: Connection, house: House, purpose: Purpose, token: str) -> PlayerRow | None:
    """Whose list of matches a token opens, or whose mail it stops."""
    link = read_page_token(house.keys, purpose, token)
    row = _living(conn, PlayerId(link.name)) if link else None
    if link is None or row is None:
        return None
    worth = personal.standing(conn, row.id, ACCOUNT, link.generation, house.now())
    return row if worth is Standing.ALIVE else None


def _living(conn: Connection, player: PlayerId) -> PlayerRow | None:
    row = roster.player(conn, player)
    return row if row is not None and row.address and not row.banned else None


def names_of(conn: Connection, players: Iterable[PlayerId]) -> tuple[str, ...]:
    """Names in the order of their players, as a page may show them."""
    wanted = tuple(players)
    known = roster.players(conn, wanted)
    return tuple(clean(known[one].name if one in known else "?", NAME) for one in wanted)


def newest_address(conn: Connection, player: PlayerRow, match: MatchId = ACCOUNT) -> int:
    """The generation of the links of a player's seat, or of their own pages, as they are today."""
    alive = personal.alive_at(conn, player.id, match)
    return personal.newest(alive, match, player.generation)


def seat_link(conn: Connection, match: Match, player: PlayerRow, purpose: Purpose) -> PageLink:
    """The link of a player's seat as it is today."""
    number = match.table.entrants.index(player.id) + 1
    return PageLink(purpose, match.id, number, newest_address(conn, player, match.id))


def view_path(house: House, match: MatchId) -> str:
    """Where everybody may look at a match."""
    return page_path(house.keys, PageLink(Purpose.VIEW, match))


# --- visitors ------------------------------------------------------------------------------------
# Whose a request is: the peer's, or that of the visitor whom a trusted proxy names.

Network = IPv4Network | IPv6Network
_Address = IPv4Address | IPv6Address

_NETWORK: Final = 64
"""Bits of an IPv6 address that say whose it is."""


def visitor(scope: Scope, trusted: Collection[Network]) -> str:
    """Whose bounds count for a request; who has no address is on this machine, and trusted."""
    peer = scope.get("client")
    nearest = _read(peer[0]) if peer else None
    if peer and not _is_of(nearest, trusted):
        return _owner(nearest)
    said = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    for text in reversed(b",".join(said).decode("latin-1").split(",")):
        named = _read(text)
        if named is None:
            break
        nearest = named
        if not _is_of(named, trusted):
            break
    return _owner(nearest)


def owner(address: str) -> str:
    """An IPv4 address, or of IPv6 the network that one customer has all of."""
    return _owner(_read(address))


def _owner(address: _Address | None) -> str:
    if isinstance(address, IPv6Address):
        return str(IPv6Address(int(address) >> _NETWORK << _NETWORK))
    return str(address or "")


def _read(text: str) -> _Address | None:
    """An address as proxies write it, perhaps with a port; one of IPv4 in IPv6 is that of IPv4."""
    host = text.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _is_of(address: _Address | None, networks: Collection[Network]) -> bool:
    return address is not None and any(address in network for network in networks)


def is_from_elsewhere(headers: Mapping[str, str], public_url: str) -> bool:
    """Whether a browser says that a page of another site has it send a form (Fetch Metadata).

    Older browsers name an origin (RFC 6454), `null` for pages that name no referrer, as ours.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin", "null")
    return bool(public_url) and origin not in ("null", public_url.rstrip("/").lower())


# --- bounds --------------------------------------------------------------------------------------
# How much one visitor may ask of the pages: leaky buckets in memory, as wide as a busy reader.

KEPT: Final = 10_000
"""Visitors who are remembered for each bucket; those that asked longest ago are forgotten first."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """So many requests at once, and so many a second in the long run."""

    room: float
    a_second: float


READING: Final = Bucket(room=120, a_second=4)
WRITING: Final = Bucket(room=40, a_second=0.5)


@dataclass(slots=True)
class Bounds:
    """How full the buckets of visitors are.

    Each bucket has its own visitors: many who read make nobody forgotten who has filled a slow one.
    """

    _levels: defaultdict[Bucket, OrderedDict[str, tuple[float, float]]] = field(
        default_factory=lambda: defaultdict(OrderedDict)
    )

    def wait(self, visitor: str, now: float, bucket: Bucket) -> float:
        """Seconds until a visitor may ask again; 0 if it may now, and then it has."""
        levels = self._levels[bucket]
        level, then = levels.pop(visitor, (0.0, now))
        level = max(0.0, level - (now - then) * bucket.a_second)
        over = level + 1 - bucket.room
        levels[visitor] = (level if over > 0 else level + 1, now)
        if len(levels) > KEPT:
            levels.popitem(last=False)
        return max(0.0, over / bucket.a_second)
