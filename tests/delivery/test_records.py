"""`record` brings the match as a file: what its reader may know by now, all of it after the end."""

from __future__ import annotations

import gzip
import json
import random
import re
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Connection

from pbem.bots.levels import lively_move
from pbem.cli.record import called, sound, taken_in
from pbem.delivery import records
from pbem.games import GAMES
from pbem.games.game import Ply, Seat, Style
from pbem.matches.match import Match, Status
from pbem.names import MatchId
from pbem.notices.views.told import record_lines
from pbem.store import views
from pbem.store.log import exchange
from pbem.store.log.exported import read_export
from pbem.store.people import roster
from pbem.transaction.installation import find_match
from pbem.transaction.installation import verified as verified_match
from tests.cli.service import run
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.fairness_page import check_draws
from tests.sampling import sampled

KEYS: Final = sorted({game.key for game in GAMES.values()})
SECRETS: Final = {"MoveHeld", "MoveWithdrawn", "ConditionsGiven", "ConditionsDropped", "NoteKept"}


CLOCKS: Final = re.compile(
    r"^(?:You have|Ann has|Bob has) .*?(?=^Any time:)", re.DOTALL | re.MULTILINE
)
START: Final = datetime(2026, 11, 21, tzinfo=UTC)


def folder_in(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


async def begin(folder: Path, game: str = "logger", *, window: int = 0, more: str = "") -> Club:
    club = open_club(folder, window=window)
    await club.write(ANN, f"new {game} with {BOB} {more}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept with words so far so good")
    return club


async def match_of(club: Club) -> Match:
    name = MatchId(club.last(BOB).subject.partition("]")[0].rpartition(" ")[2])
    loaded: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = loaded.match
    return match


async def reply(club: Club, reader: str, text: str) -> None:
    """An answer to the last mail, which quotes nothing."""
    mail = club.last(reader)
    letter = club.letter(reader, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


async def mover(club: Club, match: Match) -> str:
    row: Any = await club.read(lambda conn: roster.player(conn, match.player_at(match.to_act[0])))
    address: str = row.address
    return address


async def play(club: Club, turns: int) -> None:
    dice = random.Random(3)
    for _ in range(turns):
        match = await match_of(club)
        if match.status is not Status.RUNNING:
            return
        move = lively_move(match.game, match.course.position, dice.randrange)
        await reply(club, await mover(club, match), match.game.notation(move))
        await club.wait(minutes=6)


async def record(club: Club, reader: str, order: str = "record") -> list[str]:
    """The lines of the file that comes for `record`."""
    await reply(club, reader, order)
    mail = club.last(reader)
    [(name, data)] = mail.files.items()
    assert name in " ".join(mail.text.split())
    return data.decode().splitlines()


async def shown(club: Club, reader: str) -> list[str]:
    """What somebody is shown who asks for all that can be asked for."""
    texts = []
    for order in ("board", "verify", "history"):
        await reply(club, reader, order)
        text = "\n".join(club.last(reader).text.splitlines())
        texts.append(CLOCKS.sub("", text))  # time goes by
    assert all("Fair play" in text and "history " in text for text in texts)
    return texts


def kinds(lines: list[str]) -> list[str]:
    return [line["type"] for text in lines if "type" in (line := json.loads(text))]


def verified(folder: Path, lines: list[str]) -> str:
    file = folder / "record.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    result = run("verify", "--file", str(file))
    assert result.exit_code == 0, result.output
    return result.output


# --- what it is ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sampled(KEYS, 2))
async def test_anybody_can_check_it_before_the_end_and_after(tmp_path: Path, game: str) -> None:
    club = await begin(tmp_path, game, window=5)
    await play(club, 6)
    match = await match_of(club)
    for reader in (ANN, BOB):
        lines = await record(club, reader)
        assert "hash" not in "".join(lines)
        assert kinds(lines).count("MovePlayed") == match.course.ply
        code, said = check_draws(tmp_path, lines)
        assert (code, "draw" in said) == (0, True), said
        assert "all is as it should be" in verified(tmp_path, lines)
    await reply(club, ANN, "resign yes")
    for reader in (ANN, BOB):
        lines = await record(club, reader)
        assert check_draws(tmp_path, lines)[0] == 0
        said = verified(tmp_path, lines)
        assert "each event's hash" in said
        assert "each ply was legal" in said
        head = said.partition("head of the hash chain: ")[2].partition("\n")[0]
        await reply(club, reader, "verify")
        assert head in club.last(reader).text
        assert [json.loads(line)["name"] for line in lines if '"player"' in line[-30:]] in (
            [], ["Ann", "Bob"], ["Bob", "Ann"],
        )  # fmt: skip
    club.house.db.close()


async def test_it_comes_by_any_of_its_names(tmp_path: Path) -> None:
    club = await begin(tmp_path)
    match = (await match_of(club)).id
    files = [await record(club, ANN, order) for order in ("record", "export", f"record {match}")]
    assert files[0] == files[1] == files[2]
    mail = club.last(ANN)
    assert list(mail.files) == [f"logger-{match}.jsonl"]
    assert b"Content-Type: application/jsonl\r\n" in mail.raw
    assert mail.html
    assert max(map(len, mail.raw.partition(b"application/jsonl")[2].split(b"\r\n"))) <= 76
    await club.write(ANN, "games")
    await reply(club, ANN, f"mail text\n{match} record")
    assert [list(mail.files) for mail in club.mails(ANN)[-2:] if mail.files]
    club.house.db.close()


async def test_a_long_one_is_packed_and_one_that_no_mailbox_takes_stays_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = await begin(tmp_path)
    plain = await record(club, ANN)
    monkeypatch.setattr(records, "PLAIN", 100)
    await reply(club, ANN, "record")
    [(name, data)] = club.last(ANN).files.items()
    assert name.endswith(".jsonl.gz")
    assert gzip.decompress(data).decode().splitlines() == plain
    monkeypatch.setattr(records, "LONGEST", 100)
    await reply(club, ANN, "record")
    assert club.last(ANN).files == {}
    assert "too long to be sent by mail" in " ".join(club.last(ANN).text.split())
    club.house.db.close()


# --- what is not in it ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", sampled(KEYS, 2, first=1))
async def test_what_the_other_does_in_secret_changes_no_byte_of_it(
    tmp_path: Path, game: str
) -> None:
    club = await begin(tmp_path, game, window=5)
    await play(club, 3)
    match = await match_of(club)
    acting = await mover(club, match)
    other = BOB if acting == ANN else ANN
    before, told = await record(club, other), await shown(club, other)
    move = match.game.notation(
        lively_move(match.game, match.course.position, random.Random(1).randrange)
    )
    await reply(club, acting, "tz Pacific/Chatham\nquiet 22-7\nrest sunday\nnote He will lose")
    await reply(club, acting, "if any then resign yes")
    await reply(club, acting, f"{move}\n\nA gift")
    own = await record(club, acting)
    assert {"MoveHeld", "NoteKept"} < set(kinds(own))
    assert "He will lose" in "".join(own)
    assert move in "".join(own)
    assert await record(club, other) == before
    assert await shown(club, other) == told
    await reply(club, acting, "undo")
    assert await shown(club, other) == told
    assert await record(club, other) == before
    await club.write(CLEO, f"watch {match.id}")
    await club.answer(CLEO, "yes")
    assert await record(club, other) == before
    theirs = [line for line in map(json.loads, before) if line.get("type") in SECRETS]
    assert [line for line in theirs if line["data"]["seat"] == match.to_act[0]] == []
    club.house.db.close()


async def test_after_the_end_it_opens_what_was_decided_and_keeps_what_was_private(
    tmp_path: Path,
) -> None:
    club = await begin(tmp_path, window=5, more="seat_order=given")
    await club.write(CLEO, f"watch {(await match_of(club)).id}")
    await club.answer(CLEO, "yes")
    await reply(club, ANN, "note My secret plan\n\nsay Good luck")
    await reply(club, BOB, "if any then resign yes")
    await reply(club, BOB, "queue clear")
    await reply(club, ANN, "e1\n\nsay How do you like it?")
    await reply(club, ANN, "undo")
    await reply(club, ANN, "e5\n\nsay This one is better!")
    await club.wait(minutes=6)
    watched = "".join(await record(club, CLEO))
    assert "place e5" in watched
    assert not [word for word in ("luck", "better", "MessageSaid") if word in watched]
    await reply(club, BOB, "resign yes")
    told = {reader: await record(club, reader) for reader in (ANN, BOB, CLEO)}
    texts = {reader: "".join(lines) for reader, lines in told.items()}
    words = ("My secret plan", "Good luck", "better", "How do you like it", "any", "Pacific")
    seen = {
        reader: [word for word in words if word in text.partition('"sealed":')[2]]
        for reader, text in texts.items()
    }
    assert seen[ANN] == ["My secret plan", "Good luck", "better", "any"]
    assert seen[BOB] == ["Good luck", "better", "any"]
    assert seen[CLEO] == ["any"]
    for reader, lines in told.items():
        watching = ["withheld" in line for line in lines].count(True)
        assert watching == (0 if reader == CLEO else 1)
        said = verified(tmp_path, lines)
        assert "only their hashes are there" in said or reader == CLEO
        assert "all is as it should be" in said
        assert read_export(lines).findings == []
        assert "@example" not in texts[reader]
    club.house.db.close()


async def test_no_reply_address_that_slipped_into_a_letter_is_in_it(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    bobs = parseaddr(club.last(BOB).reply_to)[1]
    await reply(club, BOB, f"accept with words write to {bobs} now")
    await reply(club, BOB, f"say Or say it to {bobs} here")
    lines = "".join(await record(club, ANN))
    assert "write to" in lines
    assert "Or say it to" in lines
    assert bobs.partition("@")[0].partition("+")[2] not in lines
    club.house.db.close()


async def test_a_changed_record_is_found(tmp_path: Path) -> None:
    club = await begin(tmp_path, more="seat_order=given")
    await reply(club, ANN, "e1")
    lines = await record(club, ANN)
    forged = [line.replace('"notation":"place e1"', '"notation":"place e9"') for line in lines]
    assert forged != lines
    (tmp_path / "forged.jsonl").write_text("\n".join(forged), encoding="utf-8")
    result = run("verify", "--file", str(tmp_path / "forged.jsonl"))
    assert result.exit_code == 1
    assert "WRONG: line" in result.output
    club.house.db.close()


# --- from one club to another --------------------------------------------------------------------


@pytest.mark.parametrize("game", KEYS)
async def test_a_match_of_a_club_is_the_same_in_an_empty_one(tmp_path: Path, game: str) -> None:
    there, here = (folder_in(tmp_path, name) for name in ("there", "here"))
    club = await begin(there, game, window=5)
    await play(club, 4)
    await reply(club, ANN, "say Nearly done\n\nnote Keep this")
    await reply(club, ANN, "resign yes")
    match = await match_of(club)
    lines: Any = await club.read(
        lambda conn: list(exchange.export(conn, f"match-{match.id}", called(conn, match.id)))
    )
    assert "@" not in "".join(line for line in lines if '"player"' in line)
    other = open_club(here)
    other.house.db.write(lambda conn: taken_in(conn, *sound(lines), other.clock())).result()

    def seen(conn: Connection) -> object:
        found = find_match(conn, match.id)
        assert found is not None
        row = views.match_row(conn, match.id)
        assert row is not None
        names = called(conn, match.id)
        boards = [
            match.game.board(found.match.position_after(Ply(ply)), seat, Style.ASCII).lines
            for ply in range(match.course.ply + 1)
            for seat in (None, Seat(1), Seat(2))
        ]
        texts = list(exchange.sealed_lines(conn, [one.text for one in found.match.table.said]))
        shown = replace(row, updated_at=START, waiting_since=None)
        text = record_lines(found.match, names)
        return boards, names, text, texts, shown, verified_match(conn, match.id)

    assert await other.read(seen) == await club.read(seen)
    found, _ = other.house.db.read(lambda conn: verified_match(conn, match.id)).result()
    assert found.findings == ()
    # Who is called like a guest is somebody else, and nothing is ever mailed to a guest.
    await other.write(f"Ann <{ANN}>", "games")
    assert "Do you want to play" in other.last(ANN).text
    await other.answer(ANN, "name Ann")
    assert "Ann 2" not in other.last(ANN).text
    assert {reader for reader, _ in other.postbox.mails} == {ANN}
    for one in (club, other):
        one.house.db.close()


async def test_the_end_tells_points_moves_and_days(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "a1")
    await club.wait(days=3)
    await club.answer(BOB, "resign")
    await club.answer(BOB, "yes")
    over = " ".join(club.last(ANN).text.split())
    assert "Over: you won Logger" in over
    assert "Ann (you) 0 points" in over
    assert "The match took 1 move in 3 days" in over
    club.house.db.close()
