"""New matches: finding the others, inviting those who are new, and the caps that stop abuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from pbem.legacy.bots.levels import level_unasked
from pbem.errors import Rejection
from pbem.fairness import LINKS, SECRET_BYTES, commitment
from pbem.games import GAMES, AnyGame
from pbem.games.naming import game_named, game_taught
from pbem.legacy.mail.free_text import TypedOrder
from pbem.legacy.mail.headers import mailbox_of
from pbem.legacy.mail.letter import is_address
from pbem.legacy.mail.verbs.seats import NewGame
from pbem.legacy.matches import challenges, seats
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.resigning import ENOUGH
from pbem.legacy.matches.unfolding import Deciding
from pbem.names import MatchId, PlayerId, is_bot
from pbem.legacy.orders.context import speak_as_sender
from pbem.legacy.orders.handlers.fitting import RATING, RELIABLE, asks
from pbem.legacy.players import decide as people
from pbem.legacy.players.names import POLITE, ROLES, is_name, is_reserved, named_among, skeleton, skeletons
from pbem.legacy.store import views
from pbem.legacy.store.log import event_log, sealed
from pbem.legacy.store.mails import leases
from pbem.legacy.store.people import roster
from pbem.legacy.store.people.roster import PlayerRow
from pbem.legacy.transaction.installation import match_stream
from pbem.legacy.transaction.limits import require_room_for_invitation, require_room_to_play
from pbem.legacy.transaction.own_limits import LIMIT, has_room, require_room_beside
from pbem.legacy.transaction.timers import find_bot, is_bots_name, level_asked
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transaction.working_copy import Lookup

LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0/O, 1/I/L and U: a name is read from paper and typed on a phone."""

STARTER: Final = "starter"
BY_CHANCE: Final = "random"
GIVEN: Final = "given"
"""Who begins: whoever is drawn, or who sits first; each game records it in words of its own."""

OUR_OPTIONS: Final = ("seats", STARTER, "time", "private", "unrated", RELIABLE, RATING)
"""Options of every match, whatever the game."""

VACANT: Final = "vacant"
"""An option of games for three and more (PLAY 3): what becomes of a seat whose player goes."""

STANDS_IN, LEAVES = "bot", "leave"

OWN_COLOUR: Final = "colour"
"""An option of games with colours: the challenger's own."""

_SPELT: Final = {"color": "colour", "colors": "colours", "seat_order": STARTER}

PLAYER: Final = "Player"
"""Who gives no name that may be borne is called so."""

MATCH_NAME, PLAYER_NAME, NAME = 5, 10, 20
"""Characters of a first name; a number may come behind it."""


def new_match(txn: Transaction, typed: TypedOrder, order: NewGame) -> None:
    """Issue a challenge, and account for it. Raises Rejection."""
    match = txn.match(challenge(txn, order))
    if match.status is Status.RUNNING:
        txn.done(typed.typed, "begun")
    elif match.waiting_for:
        txn.done(typed.typed, "challenged")
    else:
        txn.done(typed.typed, "opened" if match.table.link_until is None else "linked")


def challenge(txn: Transaction, order: NewGame) -> MatchId:
    """Issue a challenge to everybody named. Raises Rejection, and nobody is invited."""
    game = game_taught(order.game) if order.lesson else game_named(order.game)
    typed = {_SPELT.get(name, name): value for name, value in order.options}
    time = typed.pop("time", txn.house.settings.matches.time)
    private, unrated = _yes(typed, "private"), _yes(typed, "unrated")
    asked, colour = asks(typed), typed.pop(OWN_COLOUR, "")
    stays = _stands_in(typed, game)
    wanted = _number(typed, "seats", game.seats)
    _require_known(typed, game)
    options = game.normal_options(_as_the_game_says(typed, game))
    require_room_to_play(txn)
    named = len(order.opponents) + 1
    seats = _seats(order, game) if wanted is None else max(wanted, named)
    if order.links:
        seats = _linked_seats(txn, order, game, wanted)
    if seats not in game.seats:
        raise Rejection(
            "wrong_number_of_players", game=game.title, players=seats, seats=list(game.seats)
        )
    players = [txn.sender]
    for name in order.opponents:
        level = level_asked(txn.conn, name, game, txn.house.words)
        if level is None:
            players.append(opponent(txn, name).id)
        else:
            players.append(find_bot(txn.conn, level, but=players, now=txn.now))
    if len(set(players)) != len(players):
        raise Rejection("player_twice")
    if LIMIT in txn.player(txn.sender).wishes:
        require_room_beside(txn, players, open_seats=seats - named)
    issue = partial(
        challenges.issue,
        options=options,
        open_seats=seats - named,
        linked=order.links > 0,
        private=order.private or private,
        unrated=order.unrated or unrated or order.lesson,
        lesson=order.lesson,
        time=time,
        asks=asked,
        stand_in=level_unasked(game) if stays and seats > ENOUGH else "",
        colours={txn.sender: colour} if colour else {},
    )
    return issued(txn, issue, game.ruleset, tuple(players), tournament=False)


def _yes(typed: dict[str, str], name: str) -> bool:
    """Take a choice of ours out of the options. Raises Rejection `bad_option`."""
    value = typed.pop(name, "no")
    if value not in ("yes", "no"):
        raise Rejection("bad_option", name=name, value=value, values=["yes", "no"])
    return value == "yes"


def _stands_in(typed: dict[str, str], game: AnyGame) -> bool:
    """Take out of the options whether a bot plays on for who goes. Raises `bad_option`."""
    if max(game.seats) <= ENOUGH:
        return False
    value, values = typed.pop(VACANT, STANDS_IN), [STANDS_IN, LEAVES]
    if value not in values:
        raise Rejection("bad_option", name=VACANT, value=value, values=values)
    return value == STANDS_IN


def _number(typed: dict[str, str], name: str, numbers: Sequence[int]) -> int | None:
    """Take a number out of the options. Raises Rejection `bad_option`."""
    value = typed.pop(name, None)
    allowed = [str(number) for number in numbers]
    if value is not None and value not in allowed:
        raise Rejection("bad_option", name=name, value=value, values=allowed)
    return None if value is None else int(value)


def _as_the_game_says(typed: dict[str, str], game: AnyGame) -> dict[str, str]:
    """The options with who begins under the name that the game records it by."""
    value = typed.pop(STARTER, BY_CHANCE)
    for option in game.options:
        if option.begins:
            if value not in (BY_CHANCE, *option.values):
                values = [BY_CHANCE, GIVEN]
                raise Rejection("bad_option", name=STARTER, value=value, values=values)
            typed[option.name] = option.default if value == BY_CHANCE else value
    return typed


def _require_known(typed: Mapping[str, str], game: AnyGame) -> None:
    """Only options that there are. Raises Rejection `bad_option` with the names of all."""
    known = [option.name for option in game.options if not option.begins]
    ours = [*OUR_OPTIONS, *_own_options(game)]
    for name in typed:
        if name not in (*known, STARTER):
            raise Rejection("bad_option", name=name, value=typed[name], names=[*ours, *known])


def _own_options(game: AnyGame) -> Iterator[str]:
    """Options of ours that not every game has."""
    if max(game.seats) > ENOUGH:
        yield VACANT
    if game.colours is not None:
        yield OWN_COLOUR


def _seats(order: NewGame, game: AnyGame) -> int:
    """How many are to play: who is named, and open seats as asked for; at least one of these."""
    named = len(order.opponents) + 1
    if order.seats is None:
        return named
    fewest = next((seats for seats in game.seats if seats > named), named + 1)
    return max(order.seats, named + 1) if order.seats else fewest


def _linked_seats(txn: Transaction, order: NewGame, game: AnyGame, wanted: int | None) -> int:
    """How many are to play where a link fills the last seat. Raises Rejection."""
    if not txn.house.settings.web.public_url:
        raise Rejection("no_links", game=game.title)
    seats = len(order.opponents) + 2
    if order.links > 1 or order.seats is not None or wanted not in (None, seats):
        raise Rejection("one_seat_a_link", game=game.title)
    return seats


def rematch_asked(txn: Transaction, name: MatchId) -> MatchId | None:
    """The challenge to a rematch of a match that waits for answers, if there is one."""
    rows = views.matches_of(txn.conn, txn.sender, (Status.CHALLENGE.value,))
    return next((row.id for row in rows if txn.match(row.id).terms.rematch_of == name), None)


def rematch(txn: Transaction, match: Match) -> MatchId:
    """A new challenge to the same players; who sat first sits last."""
    if match.status is not Status.ENDED:
        raise Rejection("match_not_over")
    require_room_to_play(txn)
    if LIMIT in txn.player(txn.sender).wishes:
        require_room_beside(txn, match.table.players)
    issue = partial(
        challenges.issue,
        options=match.terms.options,
        rematch_of=match.id,
        private=match.table.private,
        unrated=match.terms.unrated,
        time=match.terms.time,
        stand_in=match.terms.stand_in,
        colours={
            one: colour for one, colour in match.table.colours.items() if one in match.table.players
        },
    )
    players = (*match.table.players[1:], match.table.players[0])
    return issued(txn, issue, match.terms.ruleset, players, tournament=False)


def issued(
    txn: Transaction,
    issue: Callable[..., Deciding],
    ruleset: str,
    players: Sequence[PlayerId],
    *,
    tournament: bool,
) -> MatchId:
    """Issue a challenge with chains of its own, for a `tournament` or the sender; bots sit down."""
    by = players[0] if tournament else txn.sender
    others = [one for one in players if one != by]
    asked = [] if tournament else [one for one in others if not is_bot(one)]
    for player in asked:
        require_welcome(txn, player)
    secret, second = txn.house.entropy(SECRET_BYTES), txn.house.entropy(SECRET_BYTES)
    hidden, name = GAMES[ruleset].secrets, new_match_name(txn)
    txn.begin(name)
    txn.decide(
        name,
        issue,
        ruleset=ruleset,
        challenger=by,
        players=players,
        commitment=commitment(secret, LINKS).hex(),
        links=LINKS,
        secret_commitment=commitment(second, LINKS).hex() if hidden else "",
    )
    sealed.open_chain(txn.conn, match_stream(name), secret, LINKS)
    if hidden:
        sealed.open_chain(txn.conn, match_stream(name), second, LINKS, kind="secret")
    for player in asked:
        txn.decide_player(player, people.invite, by=by)
        speak_as_sender(txn, player)
    for bot in filter(is_bot, others):
        txn.decide(name, seats.accept, player=bot)
    return name


def require_welcome(txn: Transaction, player: PlayerId, *, count: bool = True) -> None:
    """Whether the sender may invite somebody. Raises Rejection; nobody is invited yet.

    `count`: they are written to with this letter.
    """
    people.invite(txn.player(player), txn.now, by=txn.sender)
    if LIMIT in txn.player(player).wishes and not has_room(txn, player):
        raise Rejection("invitations_refused")
    row = roster.player(txn.conn, player)
    if row is not None and not row.confirmed and leases.has(txn.conn, mailbox_of(row.address)):
        raise Rejection("invitations_refused")
    require_room_for_invitation(txn, txn.sender, player, count=count)


def opponent(txn: Transaction, typed: str) -> PlayerRow:
    """A player by name or address; an address that nobody has yet makes a new one."""
    if not is_address(typed):
        return player_named(txn, typed)
    known = roster.player_by_address(txn.conn, typed)
    if known is not None:
        return known
    if txn.house.is_ours(typed):
        raise Rejection("no_such_player", player=typed)
    return new_player(txn, typed)


def player_named(txn: Transaction, typed: str) -> PlayerRow:
    """A player by address or unique name, or by the first name of one they have played with.

    Raises Rejection `no_such_player`.
    """
    if is_address(typed):
        known = roster.player_by_address(txn.conn, typed)
        rows = [known] if known is not None else []
    else:
        rows = roster.players_named(txn.conn, typed)
        if len(rows) > 1:  # names of before may look alike: then only the very same one is meant
            rows = [row for row in rows if roster.folded(row.name) == roster.folded(typed)]
        rows = rows or _met(txn, typed)
    if len(rows) != 1:
        raise Rejection("no_such_player", player=typed)
    return rows[0]


def _met(txn: Transaction, first_name: str) -> list[PlayerRow]:
    matches = views.matches_of(txn.conn, txn.sender, views.STATUSES)
    others = {player for match in matches for player in match.players} - {txn.sender}
    rows = roster.players(txn.conn, sorted(others))
    found = named_among({player: row.name for player, row in rows.items()}, first_name)
    return [] if found is None else [rows[found]]


def new_player(txn: Transaction, address: str) -> PlayerRow:
    """A row for an address that is new, under a name that is nobody else's.

    It is called by the address's local part until it consents (see `call_as_signed`).
    """
    player = PlayerId(_letters(txn, PLAYER_NAME).lower())
    local = address.partition("@")[0].partition("+")[0].title()[:NAME].strip()
    name = _free_name(txn, local if _may_be(txn, local) else PLAYER)
    return roster.add_player(txn.conn, player, address=address, name=name, now=txn.now)


def call_as_signed(txn: Transaction, player: PlayerId, display_name: str) -> None:
    """Call somebody as they call themselves, from their first answer on."""
    name = " ".join(display_name[:NAME].split())
    if _may_be(txn, name) and not is_borne(txn, name, by_others_than=player):
        roster.rename(txn.conn, player, name)


def _free_name(txn: Transaction, wish: str) -> str:
    """The name, or the name with a number: who writes from `bob@elsewhere` is no other Bob."""
    tries = (wish, *(f"{wish} {number}" for number in range(2, 10)))
    free = (name for name in tries if not is_borne(txn, name))
    return next(free, None) or f"{wish[:12]} {_letters(txn, PLAYER_NAME)}"


def is_taken(txn: Lookup, name: str, *, by_others_than: PlayerId | None = None) -> bool:
    """Whether a name is somebody else's, or ours, an order's or a bot's, or looks as if it were."""
    return is_ours(txn, name) or is_borne(txn, name, by_others_than=by_others_than)


def is_borne(txn: Lookup, name: str, *, by_others_than: PlayerId | None = None) -> bool:
    """Whether somebody else has a name that looks like this one."""
    rows = (row for seen in sorted(skeletons(name)) for row in roster.players_seen(txn.conn, seen))
    return any(row.id != by_others_than for row in rows)


def is_ours(txn: Lookup, name: str) -> bool:
    """Whether a name says that its bearer is the service, or would be read as something of ours.

    That is an order in any language, a game, a match, or a move.
    """
    verbs = frozenset(txn.house.words.verbs)
    kept, beside = _kept(verbs, txn.house.settings.site.title)
    return is_bots_name(name, txn.house.words) or is_reserved(name, kept, beside) or _is_said(name)


def _is_said(name: str) -> bool:
    """Whether a name is written as a match is called, or as a move."""
    if len(name) == MATCH_NAME and not name.isalpha() and set(name) <= set(LETTERS):
        return True
    return any(game.words.fullmatch(name.casefold()) is not None for game in GAMES.values())


def _may_be(txn: Lookup, wish: str) -> bool:
    return is_name(wish) and not is_ours(txn, wish)


@lru_cache(maxsize=8)
def _kept(verbs: frozenset[str], title: str) -> tuple[frozenset[str], frozenset[str]]:
    """What is nobody's name, and what makes no other name of it; both as skeletons."""
    games = [text for game in GAMES.values() for text in (game.title, *game.title.split())]
    kept = (*ROLES, *POLITE, *verbs, title, *title.split(), *games)
    beside = (word for verb in verbs for word in verb.split())
    return frozenset(map(skeleton, kept)), frozenset(map(skeleton, beside))


def new_match_name(txn: Transaction) -> MatchId:
    """A name that no match has; it holds a digit, so that it is no English word."""
    while True:
        name = MatchId(_letters(txn, MATCH_NAME))
        if not name.isalpha() and event_log.head(txn.conn, match_stream(name)) is None:
            return name


def _letters(txn: Transaction, count: int) -> str:
    # A name need not be unpredictable, only new.
    return "".join(LETTERS[byte % len(LETTERS)] for byte in txn.house.entropy(count))
