"""Keys of the reply addresses: listed without secrets, rotated in one step, retired when asked."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.config import AddressKeys, load_keys, replace_keys, write_keys
from pbem.errors import ConfigError
from pbem.games.game import Seat
from pbem.mail.addresses import DIGITS, Keys, SeatAddress, message_id, mint, read
from pbem.names import MatchId
from pbem.store import views
from pbem.store.database import Database
from pbem.store.mails import outbox
from tests.cli.service import START, Service
from tests.matches.story import ANN, BOB, MATCH

TO = SeatAddress(MatchId("K7QX2"), Seat(1))


def stored(service: Service) -> Keys:
    loaded = load_keys(service.folder / "keys.toml")
    return Keys(loaded.current, loaded.secrets)


def write(service: Service, unit: Callable[[Connection], None]) -> None:
    db = Database.open(service.database)
    db.write(unit).result()
    db.close()


def send(service: Service, *causes: str) -> None:
    """Mails of a match that runs, made with the key of now; Bob gets the last of them."""
    keys = stored(service)
    mails = [
        outbox.QueuedMail(
            key=f"{cause}:{reader}",
            message_id=message_id(keys, cause=f"{cause}:{reader}", domain="example.org"),
            recipient=reader,
            kind="prompt",
            notices="[]",
            stream=f"match-{MATCH}",
        )
        for cause in causes
        for reader in (ANN, BOB)
    ]

    def unit(conn: Connection) -> None:
        outbox.queue(conn, mails, START)
        row = views.match_row(conn, MATCH)
        assert row is not None
        views.put_match(conn, replace(row, status="running"))

    write(service, unit)


def test_a_new_key_is_made_and_the_old_one_is_still_read(service: Service) -> None:
    before = stored(service)
    tag = mint(before, TO)
    said = service.run("keys", "rotate")
    after = stored(service)
    assert after.current == "b"
    assert after.secrets["a"] == before.secrets["a"]
    assert len(after.secrets["b"]) == 32
    assert read(after, tag) == TO
    assert mint(after, TO) != tag
    assert "new addresses are made with key b; 2 keys are read" in said
    assert "Start `pbem serve` again" in said
    assert (service.folder / "keys.toml").stat().st_mode & 0o777 == 0o600
    assert not (service.folder / "keys.toml.unfinished").exists()
    assert "2 keys, new addresses with 'b'" in service.run("check", "--offline")


def test_keys_are_listed_without_their_secrets(service: Service) -> None:
    send(service, "one", "two")
    service.run("keys", "rotate")
    send(service, "three")
    listed = service.run("keys", "list")
    rows = [line.split() for line in listed.splitlines()[1:]]
    assert rows == [["a", "only", "read", "4", "0"], ["b", "new", "addresses", "2", "2"]]
    for secret in stored(service).secrets.values():
        assert secret.hex() not in listed


def test_an_old_key_is_retired_after_a_warning(service: Service) -> None:
    send(service, "one")
    service.run("keys", "rotate")
    said = service.run("keys", "retire", "a", typed="n\n", code=1)
    assert "For 2 seats in matches that run it is the newest mail" in said
    assert set(stored(service).secrets) == {"a", "b"}
    send(service, "two")
    said = service.run("keys", "retire", "a", typed="y\n")
    assert "2 mails made with key a could not be answered any more; none is the newest" in said
    assert set(stored(service).secrets) == {"b"}
    assert service.run("keys", "retire", "a", code=1).startswith("pbem: there is no key 'a'")


def test_a_key_that_nothing_was_made_with_goes_without_loss(service: Service) -> None:
    service.run("keys", "rotate")
    said = service.run("keys", "retire", "a", "--yes")
    assert "No mail that we still know was made with key a." in said


def test_the_key_of_new_addresses_is_not_retired(service: Service) -> None:
    said = service.run("keys", "retire", "a", "--yes", code=1)
    assert "`pbem keys rotate` first" in said


def test_ids_go_round_and_end(tmp_path: Path) -> None:
    folder = tmp_path / "service"
    folder.mkdir()
    service = Service(folder)
    service.write("")
    secrets = {key: bytes(32) for key in DIGITS if key not in "ac"}
    write_keys(folder / "keys.toml", AddressKeys("7", secrets))
    service.run("keys", "rotate")
    assert stored(service).current == "a"
    service.run("keys", "rotate")
    assert stored(service).current == "c"
    assert "there are 32 keys already" in service.run("keys", "rotate", code=1)


def test_a_failed_write_leaves_the_keys_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "keys.toml"
    old = AddressKeys("a", {"a": bytes(32)})
    write_keys(file, old)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ConfigError, match="No space left"):
        replace_keys(file, AddressKeys("b", {**old.secrets, "b": bytes(range(32))}))
    assert load_keys(file) == old
    assert [path.name for path in tmp_path.iterdir()] == ["keys.toml"]


def test_the_key_of_the_log_stays_whatever_becomes_of_the_others(service: Service) -> None:
    file = service.folder / "keys.toml"
    assert load_keys(file).log_seed is None  # as where an older pbem has made the file
    service.run("keys", "rotate", "--log")
    first = load_keys(file).log_seed
    assert first is not None
    assert len(first) == 32
    service.run("keys", "rotate")
    service.run("keys", "retire", "a", "--yes")
    assert load_keys(file).log == {1: first}
    service.run("keys", "rotate", "--log")
    assert load_keys(file).log[1] == first
    assert load_keys(file).log_seed not in (first, None)
    assert list(load_keys(file).secrets) == ["b"]
    file.write_text(file.read_text(encoding="utf-8").replace(first.hex(), "ab"), encoding="utf-8")
    with pytest.raises(ConfigError, match="a key of the log has 32 bytes"):
        load_keys(file)
