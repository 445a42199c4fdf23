"""Nothing that is published before a draw predicts it: no link, nothing a link can be made from."""

from __future__ import annotations

import hashlib
import random
import re
from base64 import b64encode
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final

import pytest
import structlog

from pbem.bots.levels import random_move
from pbem.fairness import LINKS, Draws
from pbem.games import GAMES
from pbem.matches.match import Match, Status
from pbem.names import MatchId
from pbem.store import views
from pbem.store.log import event_log, sealed
from pbem.store.people import roster
from pbem.transaction.installation import find_match, match_stream
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.kept import kept

HEX: Final = re.compile(r"[0-9a-f]{16,}")
BEGINNING: Final = 16
"""So many digits of a link would be enough to know it again."""


def links(chain: Draws) -> list[bytes]:
    """All links of a chain, S_0 first, by its secret."""
    walk = [chain.secret]
    for _ in range(chain.links):
        walk.append(hashlib.sha256(b"pbem chain 1" + walk[-1]).digest())
    return walk[::-1]


def told_of(club: Club, after: int = 0) -> str:
    """All mails from one on as their readers see them, and as they are on the wire."""
    shown = [f"{mail.text}\n{mail.raw.decode('latin-1')}" for _, mail in club.postbox.mails[after:]]
    return "\n".join(shown).replace("=\r\n", "").replace("=\n", "")


def betrayed(published: str, future: list[bytes]) -> list[str]:
    """The links among those that are not shown yet which the text has, in some writing."""
    beginnings = {link.hex()[:BEGINNING] for link in future}
    found = [
        token
        for token in HEX.findall(published)
        for at in range(len(token) - BEGINNING + 1)
        if token[at : at + BEGINNING] in beginnings
    ]
    base64 = {b64encode(link)[:20].decode() for link in future}
    found += [text for text in base64 if text in published]
    return found


async def state(club: Club, name: MatchId) -> tuple[Match, str, list[Draws]]:
    """The match, its events as text, and its chains."""

    def unit(conn: Any) -> tuple[Match, str, list[Draws]]:
        loaded = find_match(conn, name)
        assert loaded is not None
        events = [one.data for one in event_log.load(conn, match_stream(name))]
        chains = [sealed.draws(conn, name), sealed.draws(conn, name, "secret")]
        return loaded.match, "\n".join(events), [one for one in chains if one is not None]

    found: Any = await club.read(unit)
    return found  # type: ignore[no-any-return]


async def reply(club: Club, player: str, text: str) -> None:
    mail = club.last(player)
    letter = club.letter(player, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


@kept
async def challenged(club: Club, ruleset: str) -> MatchId:
    await club.write(ANN, f"new {GAMES[ruleset].key} with {BOB}")
    await club.answer(ANN, "yes")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=2))
    return MatchId(rows[0].id)


@pytest.mark.parametrize("ruleset", GAMES)
async def test_nothing_that_was_sent_or_recorded_holds_a_link_that_is_to_come(
    tmp_path: Path, ruleset: str
) -> None:
    club, dice = open_club(tmp_path), random.Random(11)
    seen = 0
    with structlog.testing.capture_logs() as logged:
        name = await challenged(club, ruleset)
        for _ in range(8):
            match, events, chains = await state(club, name)
            future = [one for chain in chains for one in links(chain)[chain.next_index :]]
            if match.chance.secret_commitment and match.status is not Status.ENDED:
                future += links(chains[-1])[1:]  # the links of secret draws are not shown either
            # What was published before was held against these links when it was, and against more.
            assert betrayed(f"{told_of(club, seen)}\n{events}\n{logged!r}", future) == []
            seen = len(club.postbox.sent)
            if match.status is Status.CHALLENGE:
                await reply(club, BOB, "accept with words paper and stones")
                continue
            player = match.player_at(match.to_act[0])
            address = next(row.address for row in await people(club) if row.id == player)
            move = random_move(match.game, match.course.position, dice.randrange)
            await reply(club, address, match.game.notation(move))
    match, events, chains = await state(club, name)
    # The search would have found them: once they are shown, they stand in events and mails.
    past = links(chains[0])[1 : chains[0].next_index]
    assert past
    assert len(match.chance.made) >= 5
    for link in past:
        assert betrayed(events, [link])
    assert any(betrayed(told_of(club), [link]) for link in past)
    club.house.db.close()


async def people(club: Club) -> list[Any]:
    found: Any = await club.read(
        lambda conn: [roster.player_by_address(conn, who) for who in (ANN, BOB)]
    )
    return [row for row in found if row is not None]


def test_the_search_finds_links_in_every_writing() -> None:
    chain = Draws(MatchId("K7QX2"), bytes(range(32)), 40)
    future = links(chain)[3:]
    assert len(links(chain)) == 41
    for text in (
        future[0].hex(),
        f"x{future[5].hex()}y",
        future[9].hex()[:20],
        "00" * 9 + future[1].hex(),
        b64encode(future[2]).decode(),
    ):
        assert betrayed(text, future)
    assert not betrayed(f"{links(chain)[2].hex()} {'0' * 64} {LINKS}", future)
