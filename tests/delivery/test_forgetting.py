"""`my data` tells all, `delete me` leaves matches that are whole and nobody who is known."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import closing
from email.utils import parseaddr
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from pbem.delivery.records import holdings
from pbem.names import MatchId, PlayerId
from pbem.orders.handlers.people import forget
from pbem.runners.timers import keep_house
from pbem.store import tables, views
from pbem.store.database import Database
from pbem.store.log import event_log, exchange, verify
from pbem.store.packing import MARK, TEXT_MARK, unpack, unpack_text
from pbem.store.people import personal, roster
from pbem.transaction.installation import find_match, verified
from pbem.transaction.transaction import Transaction
from tests.clubs.club import ANN, BOB, CLEO, GAMES, Club, open_club
from tests.clubs.hostile import at_play
from tests.clubs.kept import kept
from tests.databases import new_database

SECRET = "my cat is called Schroedinger"


@kept
async def lived_in(club: Club) -> None:
    await at_play(club)
    await club.answer(BOB, "name Roberto")
    await club.answer(ANN, "e1")
    await club.answer(BOB, f"a5\n\nsay I write this because {SECRET}, one.")
    await club.answer(BOB, f"say {SECRET}, two")
    await club.answer(BOB, f"note {SECRET}, three")
    await club.insist(BOB, "address add bob@work.example")
    await club.answer("bob@work.example", "yes")


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """Ann and Bob play; Bob has said, noted and added something, and has a name of his own."""
    one = open_club(tmp_path)
    await lived_in(one)
    yield one
    one.house.db.close()


def matches(club: Club) -> list[MatchId]:
    return [row.id for row in club.house.db.read(views.matches).result()]


def player(club: Club, address: str) -> PlayerId:
    row = club.house.db.read(lambda conn: roster.player_by_address(conn, address)).result()
    assert row is not None
    return row.id


def everything(club: Club) -> str:
    """All that stands in any table, as one text."""

    def unit(conn: Connection) -> str:
        return "\n".join(
            repr(row)
            for table in tables.METADATA.sorted_tables
            for row in conn.execute(select(table))
        )

    return club.house.db.read(unit).result()


# --- my data -------------------------------------------------------------------------------------


def told(text: str) -> list[str]:
    """The records of a mail, each again on one line."""
    rows: list[str] = []
    for line in text.replace("\r", "").splitlines():
        if line.startswith("| {"):
            rows.append(line[2:])
        elif line.startswith("| "):
            rows[-1] += f" {line[2:]}"
    return rows


async def test_my_data_tells_all_that_is_held(club: Club) -> None:
    await club.answer(BOB, "my data")
    mail = club.last(BOB)
    assert mail.text.startswith("All that Club holds on you.")
    records = [json.loads(row) for row in told(mail.text)]
    said = json.dumps(records)
    for number in ("one", "two", "three"):
        assert f"{SECRET}, {number}" in said
    for text in ("Roberto", BOB, "bob@work.example", "MovePlayed", "NoteKept", "AddressConfirmed"):
        assert text in said
    assert ANN not in said
    letters = [record for record in records if "received_at" in record]
    assert len(letters) > 5
    assert all(record["kept"] > 0 for record in letters)


async def test_what_is_too_much_is_counted(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.delivery.records.LONGEST_DATA", 2_000)
    await club.answer(BOB, "my data")
    mail = club.last(BOB)
    assert "more records of this kind did not fit into this mail." in mail.text
    assert sum(map(len, told(mail.text))) < 2_500


async def test_no_line_of_the_records_is_an_order(club: Club) -> None:
    await club.answer(BOB, "say resign yes")
    await club.answer(BOB, "note board\nresign yes, or what?")
    await club.answer(BOB, "my data")
    records = club.last(BOB).text
    assert records.count("resign yes") >= 2
    await club.answer(BOB, "thanks")  # with all of it quoted
    await club.write(BOB, records, to=parseaddr(club.last(BOB).reply_to)[1])
    [name] = matches(club)
    row = club.house.db.read(lambda conn: views.match_row(conn, name)).result()
    assert row is not None
    assert row.status == "running"


# --- delete me -----------------------------------------------------------------------------------


async def test_it_asks_first(club: Club) -> None:
    await club.answer(BOB, "delete me")
    assert "You would resign in 1 running match." in " ".join(club.last(BOB).text.split())
    await club.answer(BOB, "no")
    assert player(club, BOB)


async def test_nothing_is_left_of_a_person(club: Club) -> None:
    texts = ("Roberto", BOB, "bob@work.example", SECRET)
    before, ann = everything(club), player(club, ANN)
    assert all(text in before for text in texts)
    await club.insist(BOB, "delete me")
    last = club.last(BOB)
    assert "Club has forgotten you, as you wished." in last.text
    assert parseaddr(last.reply_to)[1] == GAMES
    left = [line for line in everything(club).splitlines() if any(text in line for text in texts)]
    # What Ann wrote and what she was sent is hers, and goes with all old mail some day.
    anns = club.house.db.read(
        lambda conn: list(personal.rows_of(conn, "fingerprint", ann))
    ).result()
    hers = (ANN, ann, *(f"({row['outbox_id']}, '" for row in anns))
    assert [line for line in left if not any(mark in line for mark in hers)] == []


async def test_the_matches_stay_whole(club: Club, tmp_path: Path) -> None:
    [name] = matches(club)
    await club.insist(BOB, "delete me")
    found, _ = club.house.db.read(lambda conn: verified(conn, name)).result()
    assert found.findings == ()
    assert club.house.db.read(lambda conn: list(verify.verify(conn))).result() == []
    assert "Over: you won" in club.last(ANN).text
    lines = club.house.db.read(lambda conn: list(exchange.export(conn, f"match-{name}"))).result()
    assert SECRET not in "".join(lines)
    new_database(tmp_path / "other.db")
    other = Database.open(tmp_path / "other.db")
    other.write(lambda conn: exchange.import_stream(conn, lines)).result()
    again, _ = other.read(lambda conn: verified(conn, name)).result()
    other.close()
    assert again.findings == ()


async def test_the_others_see_a_question_mark_and_can_go_on(club: Club) -> None:
    await club.insist(BOB, "delete me")
    [name] = matches(club)
    await club.answer(ANN, f"{name} history")
    assert "Roberto" not in club.last(ANN).text
    assert "?: " in club.last(ANN).text
    await club.answer(ANN, "rematch")
    assert "Nobody was invited" in club.last(ANN).text
    assert len(matches(club)) == 1


async def test_who_comes_again_is_a_stranger(club: Club) -> None:
    old = parseaddr(club.last(BOB).reply_to)[1]
    await club.insist(BOB, "delete me")
    count = len(club.mails(BOB))
    await club.post(club.letter(BOB, old, "a4 plant b4").as_bytes())
    assert len(club.mails(BOB)) == count
    await club.write(BOB, "games")
    assert "Do you want to play" in club.last(BOB).text
    await club.answer(BOB, "yes")
    assert "You have no match at the moment." in club.last(BOB).text


async def test_a_yes_with_anything_behind_it_forgets_nobody(club: Club) -> None:
    await club.answer(BOB, "delete me")
    await club.answer(BOB, f"yes\nnew logger with {CLEO}")
    assert club.mails(CLEO) == []
    assert len(matches(club)) == 1
    assert player(club, BOB)


async def test_a_challenge_is_withdrawn_and_an_invitation_declined(club: Club) -> None:
    await club.write(CLEO, "games")
    await club.answer(CLEO, "yes")
    await club.answer(BOB, f"new logger with {CLEO}")
    await club.answer(CLEO, f"new logger with {BOB}")
    await club.insist(BOB, "delete me")
    rows = club.house.db.read(views.matches).result()
    assert sorted(row.status for row in rows) == ["ended", "off", "off"]


async def test_who_watched_is_gone_from_there_too(club: Club) -> None:
    [name] = matches(club)
    await club.write(CLEO, "games")
    await club.answer(CLEO, "yes")
    await club.answer(CLEO, f"watch {name}")
    loaded = club.house.db.read(lambda conn: find_match(conn, name)).result()
    assert loaded is not None
    assert loaded.match.table.watchers == (player(club, CLEO),)
    await club.insist(CLEO, "delete me")
    loaded = club.house.db.read(lambda conn: find_match(conn, name)).result()
    assert loaded is not None
    assert loaded.match.table.watchers == ()


async def test_what_was_never_said_goes_too(club: Club) -> None:
    await club.answer(ANN, "e3 plant d3")
    await club.answer(BOB, "window 5m")
    prompt = next(mail for mail in reversed(club.mails(BOB)) if "Your turn" in mail.text)
    to = parseaddr(prompt.reply_to)[1]
    await club.post(club.letter(BOB, to, f"a3 plant b3\n\nsay {SECRET}, five").as_bytes())
    await club.answer(BOB, "undo")
    kept = club.house.db.read(sealed_texts).result()
    assert f"{SECRET}, five" in kept
    await club.insist(BOB, "delete me")
    kept = club.house.db.read(sealed_texts).result()
    assert [text for text in kept if SECRET in text] == []


def sealed_texts(conn: Connection) -> list[str]:
    return list(conn.execute(select(tables.sealed.c.text)).scalars())


async def test_a_letter_that_was_doubted_goes_too(club: Club) -> None:
    await club.write(f'"Bob" <{BOB}>', f"board\n\n{SECRET}, four")
    assert f"{SECRET}, four" in everything(club)
    await club.insist(BOB, "delete me")
    assert f"{SECRET}, four" not in everything(club)


async def test_the_operator_may_do_it(club: Club) -> None:
    bob = player(club, BOB)

    def unit(conn: Connection) -> None:
        txn = Transaction(conn=conn, house=club.house, cause="operator:1", now=club.clock())
        forget(txn, bob, by="operator")
        txn.close()

    club.house.db.write(unit).result()
    await club.work()
    assert "its operator has deleted" in " ".join(club.last(BOB).text.split())
    stream = club.house.db.read(lambda conn: event_log.load(conn, f"player-{bob}")).result()
    assert stream[-1].type == "PlayerForgotten"
    assert json.loads(stream[-1].data) == {"by": "operator"}
    [name] = matches(club)
    loaded = club.house.db.read(lambda conn: find_match(conn, name)).result()
    assert loaded is not None
    assert loaded.match.course.outcome is not None


async def test_no_byte_of_a_person_is_in_the_files(club: Club, tmp_path: Path) -> None:
    """Not in what was deleted either; what others wrote of them goes with all old mail."""
    words = (BOB, "bob@work.example", "Roberto", "roberto", SECRET, "example.net")
    await club.answer(ANN, f"block {BOB}")
    await club.answer(ANN, f"new looney ludo with {BOB}, {CLEO}")
    await club.answer(BOB, "if a3 plant b3 then e2 plant e1")
    assert "packed" in found_in(tmp_path, [SECRET])  # it would be found
    await club.insist(BOB, "delete me")
    await keep_house(club.house)
    assert found_in(tmp_path, [f"{SECRET}, three", "bob@work.example"]) == {}
    await club.wait(hours=24 * 91)
    await keep_house(club.house)
    assert found_in(tmp_path, words) == {}
    # What stays says when somebody did what, under an id that leads to nobody.
    kinds = {"MovePlayed", "NoteKept", "MessageSaid", "PlayerForgotten", "NameChosen"}
    assert set(found_in(tmp_path, kinds)["pbem.db"]) == kinds


def found_in(folder: Path, words: Collection[str]) -> dict[str, list[str]]:
    """The words that stand in files of the database, as bytes, or in what its rows hold packed."""
    files = {path.name: path.read_bytes() for path in folder.glob("pbem.db*")}
    files["packed"] = b"\n".join(packed_in(folder / "pbem.db"))
    found = {
        name: [word for word in words if word.encode() in data] for name, data in files.items()
    }
    return {name: some for name, some in found.items() if some}


def packed_in(path: Path) -> Iterator[bytes]:
    """All that is kept compressed, as it was."""
    with closing(sqlite3.connect(path)) as conn:
        for (table,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
            for row in conn.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - a name of ours
                for value in row:
                    if isinstance(value, bytes) and value.startswith(MARK):
                        yield unpack(value)
                    elif isinstance(value, str) and value.startswith(TEXT_MARK):
                        yield unpack_text(value).encode()


def test_every_table_is_held_or_kept() -> None:
    named = [*personal.HELD, *personal.KEPT]
    assert sorted(named) == sorted(tables.METADATA.tables)


VIEWS = {"match_player", "result", "rating", "tournament_player"}
"""Tables that name players and say nothing that the log does not: `matches` and `profile` do."""

NAMES_SOMEBODY = {"player", "recipient", "to_address", "rcpt", "address", "envelope_to", "actor"}


def test_every_table_that_names_a_player_is_told_and_forgotten() -> None:
    """A new table, or a new column, is about somebody if it says so."""
    naming = {
        table.name
        for table in tables.METADATA.sorted_tables
        if NAMES_SOMEBODY & {column.name for column in table.columns}
        or any(key.column.table.name == "player" for key in table.foreign_keys)
    }
    assert naming - VIEWS <= set(personal.HELD)


async def test_of_every_table_held_the_rows_are_told(club: Club) -> None:
    await club.write(CLEO, "games")
    await club.answer(CLEO, "yes")
    await club.answer(CLEO, f"watch {matches(club)[0]}\n\nnew logger with bot")
    await club.answer(CLEO, "digest 18:00")
    await club.answer(ANN, "e3 plant d3")  # which waits for Cleo's digest
    await club.answer(CLEO, f"new logger with {ANN}")
    await club.answer(ANN, "accept")
    await club.answer(CLEO, "resign")
    await club.answer(CLEO, "yes")
    who = player(club, CLEO)
    found = club.house.db.read(lambda conn: holdings(conn, who)).result()
    assert {one.name for one in found} == {*personal.HELD, "stream", "matches"}
    counts = {one.name: one.count for one in found}
    assert [name for name in personal.HELD if not counts[name]] == []
    held = "\n".join(line for one in found for line in one.lines)
    assert CLEO in held
    assert BOB not in held
    assert ANN not in held


async def test_what_stands_around_a_move_is_not_kept(club: Club) -> None:
    """Only what is said is, though the move beside it be refused."""
    [name] = matches(club)
    kept = club.house.db.read(sealed_texts).result()
    await club.answer(ANN, "c1 plant c1\n\nMy parrot swears by trees.")
    assert plies(club, name) == 2
    assert club.house.db.read(sealed_texts).result() == kept
    await club.answer(ANN, "e2 plant e3\n\nMy goldfish swears by trees.")
    assert "goldfish" in club.last(ANN).text
    assert "goldfish" not in str(club.house.db.read(sealed_texts).result())
    await club.wait(hours=2)
    assert plies(club, name) == 3
    kept = club.house.db.read(sealed_texts).result()
    await club.answer(ANN, "c1 plant c1\n\nsay I hope that my cat is well.")
    assert plies(club, name) == 3
    [new] = set(club.house.db.read(sealed_texts).result()) - set(kept)
    assert new == "I hope that my cat is well."


def plies(club: Club, name: MatchId) -> int:
    row = club.house.db.read(lambda conn: views.match_row(conn, name)).result()
    assert row is not None
    return row.ply
