"""A witness, and servers that are not honest: each is found by the next look, with proof."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest

from pbem.store.log import tree
from pbem.witnessing import notes
from pbem.witnessing.merkle import check_consistency
from tests.store.given import behind_its_back, read
from tests.web.site import open_site
from tests.witnessing.served import looks, served


async def test_an_honest_log_is_followed_and_signed(tmp_path: Path) -> None:
    async with served(tmp_path / "club") as club:
        folder = tmp_path / "witness"
        first = await looks(club, folder, "--name", "ann.example")
        assert first.exit_code == 0, first.output
        assert "pbem.example/games: " in first.output
        assert str(club.key) in first.output
        size = club.size
        await club.play()
        second = await looks(club, folder, "--name", "ann.example")
        assert second.exit_code == 0, second.output
        assert f"it goes on from {size}" in second.output
        assert club.size > size
        assert (await looks(club, folder)).exit_code == 0  # and nothing new is no fault

        both = (folder / "cosigned.txt").read_text(encoding="utf-8")
        assert notes.opened(both, club.key) == str(notes.read_checkpoint(notes.parts(both)[0]))
        key = next(word for word in second.output.split() if word.startswith("ann.example+"))
        assert notes.cosigned_at(both, notes.read_key(key))
        assert (folder / "witness-key").stat().st_mode & 0o777 == 0o600


REWRITTEN = """UPDATE event SET data = replace(data, 'logger', 'lagger'),
    hash = substr(hash, 3) || 'ab' WHERE position = 2"""
CLOSED_UP = """UPDATE event SET position = (
    SELECT count(*) FROM event AS e WHERE e.position <= event.position)"""
DONE = {
    "an old move is rewritten": (REWRITTEN,),
    "a match is dropped": (
        "DELETE FROM event WHERE stream = (SELECT min(id) FROM stream WHERE category = 'match')",
        CLOSED_UP,
        "UPDATE log_head SET position = (SELECT count(*) FROM event)",
    ),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("done", DONE.values(), ids=DONE)
async def test_what_is_done_to_an_old_event_is_found(tmp_path: Path, done: tuple[str, ...]) -> None:
    """The server does all it can: it hashes everything anew, and signs it."""
    async with served(tmp_path / "club") as club:
        folder = tmp_path / "witness"
        assert (await looks(club, folder)).exit_code == 0
        behind_its_back(club.file, *done)
        club.hash_and_sign_anew()
        for _ in range(2):  # it is told each time, not once
            found = await looks(club, folder)
            assert found.exit_code == 2, found.output
            assert "BROKEN" in found.output
        await club.play()
        assert (await looks(club, folder)).exit_code == 2
        proof = (folder / "broken-1.txt").read_text(encoding="utf-8")
        assert proof.count("— pbem.example/games ") == 2
        kept = json.loads((folder / "seen.json").read_text(encoding="utf-8"))["note"]
        assert kept in proof


@pytest.mark.sqlite
async def test_a_backup_that_is_rolled_back_is_found(tmp_path: Path) -> None:
    """At once while it is shorter, and, when it has grown again, by what it then is."""
    async with served(tmp_path / "club") as club:
        folder, backup = tmp_path / "witness", tmp_path / "backup.db"
        club.copy_to(backup)
        await club.play()
        assert (await looks(club, folder)).exit_code == 0
    async with served(tmp_path / "club", database=backup) as club:
        found = await looks(club, folder)
        assert found.exit_code == 2
        assert "it fell back" in found.output
        await club.play(other=True)
        await club.play(other=True)
        found = await looks(club, folder)
        assert found.exit_code == 2
        assert "fell back" not in found.output


@pytest.mark.sqlite
async def test_a_fork_is_found_where_two_readers_compare(tmp_path: Path) -> None:
    async with served(tmp_path / "club") as club:
        club.copy_to(tmp_path / "other.db")
        await club.play()
        assert (await looks(club, tmp_path / "ann")).exit_code == 0
    async with served(tmp_path / "fork", database=tmp_path / "other.db") as club:
        await club.play(other=True)
        assert (await looks(club, tmp_path / "bob")).exit_code == 0
        # Bob takes what he has seen to Ann.
        found = await looks(club, tmp_path / "ann")
        assert found.exit_code == 2
        assert "forked" in found.output


async def test_a_file_is_followed_as_an_address_is(tmp_path: Path) -> None:
    async with served(tmp_path / "club") as club:
        file, folder = tmp_path / "note.txt", tmp_path / "witness"
        file.write_text(club.newest().note, encoding="utf-8")
        said = await looks(club, folder, source=str(file))
        assert said.exit_code == 1
        assert "--key" in said.output
        assert (await looks(club, folder, "--key", str(club.key), source=str(file))).exit_code == 0
        old = club.size
        await club.play()
        note = club.newest()
        path = read(club.house.db, lambda conn: tree.consistency(conn, old, note.size))
        text = notes.consistency_text(old, path, note.note)
        file.write_text(text, encoding="utf-8")
        assert (await looks(club, folder, source=str(file))).exit_code == 0


async def test_a_note_by_another_key_is_no_note_of_the_club(tmp_path: Path) -> None:
    async with served(tmp_path / "club") as club:
        folder = tmp_path / "witness"
        assert (await looks(club, folder)).exit_code == 0
        club.house = replace(club.house, log_seed=bytes(32))
        await club.play()
        found = await looks(club, folder)
        assert found.exit_code == 1
        assert "is not signed by pbem.example/games" in " ".join(found.output.split())


async def test_the_page_says_what_it_was_asked(tmp_path: Path) -> None:
    async with served(tmp_path / "club") as club, httpx.AsyncClient() as client:

        async def asked(rest: str) -> httpx.Response:
            return await client.get(f"{club.address}/checkpoint{rest}")

        note = club.newest()
        plain = await asked("")
        assert (plain.status_code, plain.text) == (200, note.note)
        assert plain.headers["content-type"].startswith("text/plain")
        assert (await asked("/key")).text == f"{club.key}\n"
        old, path, again = notes.read_consistency((await asked("?from=1")).text)
        assert (old, again) == (1, note.note)
        first = read(club.house.db, partial(tree.root, size=1))
        check_consistency(1, note.size, path, first, note.root)
        more = await asked(f"?from={note.size + 1}")
        assert (more.status_code, more.text) == (409, note.note)
        for wrong in ("-1", "x", "1" * 19, "%D9%A1"):
            assert (await asked(f"?from={wrong}")).status_code == 400


async def test_a_club_that_has_signed_nothing_has_no_checkpoint(tmp_path: Path) -> None:
    site = open_site(tmp_path)
    for path in ("/checkpoint", "/checkpoint?from=0", "/checkpoint/key"):
        assert (await site.get(path)).status_code == 404
