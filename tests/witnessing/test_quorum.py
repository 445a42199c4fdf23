"""Witnesses whose signatures a club takes in: below its checkpoint, in digests, on its page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError
from typer.testing import CliRunner, Result

from pbem.cli.app import app
from pbem.config.sections import Checkpoints
from pbem.notices.checks import Signed
from pbem.transaction.checkpoints import signed, take_signatures
from pbem.witnessing import notes
from tests.store.given import read, write
from tests.witnessing.served import Served, looks, served

CLEO, DEE, EVE, STRANGER = (
    notes.SecretKey(f"{name}.example", bytes([number]) * 32, notes.COSIGNATURE)
    for number, name in enumerate(("cleo", "dee", "eve", "stranger"), 1)
)
AT = 1_800_000_000


def trust(club: Served, *keys: notes.SecretKey) -> None:
    """Name these witnesses in the settings."""
    named = Checkpoints(witnesses=tuple(str(key.public) for key in keys))
    settings = club.house.settings.model_copy(update={"checkpoints": named})
    club.house = replace(club.house, settings=settings)


def take(club: Served, text: str) -> list[str]:
    keys = club.house.settings.checkpoints.keys
    taken = write(club.house.db, lambda conn: take_signatures(conn, keys, text))
    return [key.name for key in taken]


def told(club: Served) -> Signed:
    (found,) = read(club.house.db, lambda conn: signed(conn, club.house))
    return found


async def test_signatures_of_known_witnesses_stand_below_the_checkpoint(tmp_path: Path) -> None:
    known = [str(key.public) for key in (CLEO, DEE, EVE)]
    async with (
        served(tmp_path / "club", witnesses=known) as club,
        httpx.AsyncClient() as client,
    ):
        note = club.newest().note
        assert (told(club).witnesses, told(club).known) == (0, 3)
        both = notes.cosigned(notes.cosigned(note, CLEO, AT), STRANGER, AT)
        assert take(club, both) == ["cleo.example"]
        assert take(club, notes.cosigned(note, DEE, AT)) == ["cleo.example", "dee.example"]
        kept = club.newest().note
        assert notes.cosigned_at(kept, CLEO.public) == notes.cosigned_at(kept, DEE.public) == AT
        assert notes.opened(kept, club.key)
        assert "stranger" not in kept
        # A later signature takes the place of an earlier one, and is no second witness.
        assert len(take(club, notes.cosigned(note, DEE, AT + 60))) == 2
        assert notes.cosigned_at(club.newest().note, DEE.public) == AT + 60
        assert len(notes.parts(club.newest().note)[1]) == 3

        size = club.size
        assert (told(club).witnesses, told(club).known, told(club).witnessed) == (2, 3, size)
        assert (await client.get(f"{club.address}/checkpoint")).text == club.newest().note
        page = (await client.get(club.address)).text
        assert "witnessed by 2 of 3" in page
        assert '<a href="/checkpoint">' in page
        # A witness follows a note with such lines as any other.
        assert (await looks(club, tmp_path / "witness")).exit_code == 0

        await club.play()
        assert (told(club).size, told(club).witnessed) == (club.size, size)
        assert told(club).witnesses == 2
        again = (await client.get(club.address)).text
        assert f"that of {size} events witnessed by 2 of 3" in again
        trust(club, EVE)  # whom nobody trusts any more does not count
        assert (told(club).witnesses, told(club).known) == (0, 1)


async def test_what_is_no_signature_below_a_checkpoint_of_ours_is_refused(tmp_path: Path) -> None:
    async with served(tmp_path / "club") as club:
        trust(club, CLEO, DEE)
        note = club.newest().note
        log = notes.SecretKey(club.key.name, bytes(range(32)))
        point = notes.read_checkpoint(notes.opened(note, club.key))
        larger = notes.signed(str(replace(point, size=point.size + 1)), log)
        forked = notes.signed(str(replace(point, root=bytes(32))), log)
        good = notes.cosigned(note, CLEO, AT)
        line = good.removeprefix(note)
        false = note + line.replace(line[-9:-5], "AAAA" if line[-9:-5] != "AAAA" else "BBBB")
        for text, words in [
            (notes.cosigned(larger, CLEO, AT), "no checkpoint of"),
            (notes.cosigned(forked, CLEO, AT), "another note"),
            (false, "signature by cleo.example is false"),
            ("Hello!", "no signed note"),
        ]:
            with pytest.raises(notes.WrongNote, match=words):
                take(club, text)
        assert club.newest().note == note
        assert take(club, note) == []


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ([str(notes.SecretKey("club.example", bytes(32)).public)], "the key of a log"),
        ([str(CLEO.public), str(replace(CLEO, name="second.example").public)], "the same key"),
        (["cleo.example"], "is no public key"),
    ],
)
def test_only_keys_of_witnesses_are_named_each_once(keys: list[str], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        Checkpoints(witnesses=tuple(keys))


async def test_the_command_takes_what_pbem_witness_has_written(tmp_path: Path) -> None:
    async with served(tmp_path / "club") as club:
        folder, config = tmp_path / "witness", tmp_path / "config.toml"
        found = await looks(club, folder, "--name", "ann.example")
        key = next(word for word in found.output.split() if word.startswith("ann.example+"))

        def add(*more: str, text: str = "") -> Result:
            asked = ["--config", str(config), "checkpoint", "add", *more]
            return CliRunner().invoke(app, asked, input=text)

        database = club.house.settings.store.database
        begins = f'[site]\naddress = "games@pbem.example"\n[store]\ndatabase = "{database}"\n'
        config.write_text(begins, encoding="utf-8")
        file = folder / "cosigned.txt"
        assert "names no witness yet" in " ".join(add(str(file)).output.split())
        config.write_text(f'{begins}[checkpoints]\nwitnesses = ["{key}"]\n', encoding="utf-8")
        for said in (add(str(file)), add("-", text=file.read_text(encoding="utf-8"))):
            assert said.exit_code == 0, said.output
            assert "witnessed by 1 of 1: ann.example" in said.output
        assert notes.cosigned_at(club.newest().note, notes.read_key(key))
        assert add("-", text="Hello!").exit_code == 1
        # The row that was written anew is whole to who looks at each.
        asked = ["--config", str(config), "check", "--deep", "--offline"]
        assert "each row is as it was written" in CliRunner().invoke(app, asked).output
