"""Places in real matches at which somebody answers a mail: each is played there once, by mail."""

from __future__ import annotations

import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from typing import TYPE_CHECKING, Final, cast

from pbem.legacy.bots.levels import lively_move
from pbem.legacy.matches.match import Match
from pbem.names import MatchId
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.installation import find_match
from tests.legacy.clubs.club import Club
from tests.legacy.clubs.kept import kept

if TYPE_CHECKING:
    from pbem.legacy.wiring.correspondent import ReceivedMail

ANN, BOB, CLEO = (
    "Ann Miller <ann@example.org>",
    "Bob Fischer <bob@example.net>",
    "Cleo <cleo@example.com>",
)
"""The players, as their mail programs call them."""

_NAME: Final = re.compile(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b")


@dataclass(frozen=True, slots=True)
class Place:
    """Whose answer to which mail is looked at, and how it comes to that: `prepare` plays it."""

    writer: str
    prepare: Callable[[Club], Awaitable[MatchId]]


def mailbox(person: str) -> str:
    """The address alone, under which their mails are kept."""
    return parseaddr(person)[1]


def newest(club: Club, person: str, name: str) -> ReceivedMail:
    """The newest mail to somebody about a match."""
    return next(mail for mail in reversed(club.mails(mailbox(person))) if name in mail.subject)


async def answer(club: Club, person: str, mail: ReceivedMail, text: str) -> None:
    """Somebody answers a mail of ours, above its quote."""
    quote = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
    body = f"{text}\n\nOn Sat, 21 Nov 2026 at 14:05, {mail.sender} wrote:\n{quote}\n"
    to = parseaddr(mail.reply_to)[1]
    letter = club.letter(person, to, body, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


async def registered(club: Club, *people: str) -> None:
    """Each has played here before: they have proved their address, and have a name."""
    for person in people:
        await club.write(person, "games")
        await answer(club, person, club.last(mailbox(person)), "yes")


async def invited(club: Club, game: str, *others: str, options: str = "") -> MatchId:
    """Ann has invited others to a game."""
    order = f"new {game} with {', '.join(map(mailbox, others))} {options}"
    await answer(club, ANN, club.last(mailbox(ANN)), order)
    found = _NAME.search(club.last(mailbox(others[0])).subject)
    assert found is not None
    return MatchId(found[0])


async def began(club: Club, game: str, *others: str, options: str = "") -> MatchId:
    """Ann has begun a match of a game with the others: all have accepted."""
    name = await invited(club, game, *others, options=options)
    for other in others:
        await answer(club, other, newest(club, other, name), "accept")
    return name


async def match_of(club: Club, name: MatchId) -> Match:
    """A match as it stands."""

    def unit(conn: object) -> Match:
        loaded = find_match(conn, name)  # type: ignore[arg-type]
        assert loaded is not None
        return loaded.match

    return cast("Match", await club.read(unit))


async def address_of(club: Club, player: str) -> str:
    """The address of a player."""

    def unit(conn: object) -> str:
        found = roster.player(conn, player)  # type: ignore[arg-type]
        assert found is not None
        return found.address

    return cast("str", await club.read(unit))


async def mover(club: Club, match: Match) -> str:
    """Who is to move, as their mail program calls them."""
    [seat, *_] = match.to_act
    address = await address_of(club, match.table.players[seat - 1])
    return next(one for one in (ANN, BOB, CLEO) if mailbox(one) == address)


def a_move(match: Match) -> str:
    """A move that can be made."""
    choose = random.Random(f"{match.game.key} {match.course.ply}").randrange
    return match.game.notation(lively_move(match.game, match.course.position, choose))


async def move(club: Club, name: MatchId, *, wait: bool = True) -> str:
    """Who is to move in a match does so; the window closes unless it is not waited for."""
    match = await match_of(club, name)
    person = await mover(club, match)
    await answer(club, person, newest(club, person, name), a_move(match))
    if wait:
        await club.wait(minutes=6)
    return person


async def played(club: Club, name: MatchId, plies: int, until: str = ANN) -> MatchId:
    """So many moves are made, and more until it is somebody's turn."""
    while (match := await match_of(club, name)).course.ply < plies or await mover(
        club, match
    ) != until:
        await move(club, name)
        assert (await match_of(club, name)).course.ply > match.course.ply
    return name


# --- the places ----------------------------------------------------------------------------------


def _at_turn(game: str, plies: int, *others: str, options: str = "") -> Place:
    async def prepare(club: Club) -> MatchId:
        await registered(club, ANN, *others)
        return await played(club, await began(club, game, *others, options=options), plies)

    return Place(ANN, kept(prepare))


@kept
async def _held(club: Club) -> MatchId:
    """Ann has moved a minute ago: her move is held for five."""
    name = await PLACES["logger"].prepare(club)
    await move(club, name, wait=False)
    return name


@kept
async def _gone(club: Club) -> MatchId:
    """Ann's move has gone out, and Bob is to move."""
    name = await PLACES["logger"].prepare(club)
    await move(club, name)
    return name


@kept
async def _invited(club: Club) -> MatchId:
    """Bob, who is not known here, has an invitation of Ann."""
    await registered(club, ANN)
    return await invited(club, "logger", BOB)


@kept
async def _invited_again(club: Club) -> MatchId:
    """Bob, who plays here, has an invitation of Ann to Landrush."""
    await registered(club, ANN, BOB)
    return await invited(club, "landrush", BOB)


@kept
async def _draw_offered(club: Club) -> MatchId:
    """Bob has offered a draw, and Ann is to move."""
    name = await PLACES["stones"].prepare(club)
    await answer(club, BOB, newest(club, BOB, name), "offer draw")
    return name


@kept
async def _takeback_asked(club: Club) -> MatchId:
    """Bob has moved, Ann is to move, and he would like to take his move back."""
    name = await PLACES["logger"].prepare(club)
    await answer(club, BOB, newest(club, BOB, name), "undo")
    return name


@kept
async def _two(club: Club) -> MatchId:
    """Ann is to move in a match of Logger and in one of Landrush; she answers the Logger mail."""
    await registered(club, ANN, BOB, CLEO)
    other = await played(club, await began(club, "landrush", CLEO), 6)
    name = await played(club, await began(club, "logger", BOB), 5)
    assert await mover(club, await match_of(club, other)) == ANN
    return name


@kept
async def _over(club: Club) -> MatchId:
    """Bob has resigned, and Ann has won."""
    name = await PLACES["logger"].prepare(club)
    await answer(club, BOB, newest(club, BOB, name), "resign")
    await answer(club, BOB, newest(club, BOB, name), "yes")
    return name


@kept
async def _reminded(club: Club) -> MatchId:
    """Ann has let most of her time go by, and is reminded."""
    name = await PLACES["landrush"].prepare(club)
    before = len(club.mails(mailbox(ANN)))
    for _ in range(40):
        if len(club.mails(mailbox(ANN))) > before:
            break
        await club.wait(hours=8)
    return name


PLACES: Final[Mapping[str, Place]] = {
    "logger": _at_turn("logger", 6, BOB),
    "ludo": _at_turn("looney ludo", 7, BOB, CLEO),
    "stones": _at_turn("logan stones", 6, BOB, options="draw_offers=on"),
    "landrush": _at_turn("landrush", 8, BOB),
    "held": Place(ANN, _held),
    "gone": Place(ANN, _gone),
    "invited": Place(BOB, _invited),
    "invited-again": Place(BOB, _invited_again),
    "draw-offered": Place(ANN, _draw_offered),
    "takeback-asked": Place(ANN, _takeback_asked),
    "two": Place(ANN, _two),
    "over": Place(ANN, _over),
    "reminded": Place(ANN, _reminded),
}
"""Every place, by a short name. Its mail is the newest that its writer has."""
