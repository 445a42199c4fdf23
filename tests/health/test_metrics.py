"""Metrics are read back by Prometheus's own parser, after a correspondence by script."""

from __future__ import annotations

import urllib.request
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from stat import S_IMODE

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from pbem import __version__
from pbem.config.settings import Metrics as Wishes
from pbem.config.settings import Smtp
from pbem.errors import ConfigError
from pbem.runners.metrics import Metrics
from pbem.runners.receive import store_letter, take_waiting
from pbem.runners.watch import Watch
from pbem.store import runner_state
from pbem.transport import REACHED, Fetched, Result
from pbem.wiring.watching import listening, watching, write_whole
from tests.clubs.club import ANN, BOB, CLEO, GAMES, Clock, Club

pytestmark = pytest.mark.sqlite

Samples = dict[tuple[str, str], float]


def samples(shown: bytes) -> Samples:
    """Each value by its name and its one label, if it has one."""
    found: Samples = {}
    for family in text_string_to_metric_families(shown.decode()):
        assert family.documentation
        for sample in family.samples:
            assert len(sample.labels) <= 1, sample
            label = next(iter(sample.labels.values()), "")
            assert (sample.name, label) not in found
            found[sample.name, label] = sample.value
    return found


async def looked(club: Club) -> tuple[bytes, Samples]:
    """What is shown after a look."""
    metrics = Metrics(club.house.tally)
    metrics.take(await Watch(club.house).look())
    page = metrics.text()
    return page, samples(page)


async def test_a_correspondence_is_counted_and_names_nobody(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB} time=fast seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "e1")
    await club.answer(BOB, "e1")  # taken: that is refused
    await club.write(CLEO, "hello", Auto_Submitted="auto-replied")
    mails = len(club.postbox.sent)
    club.postbox.verdict = lambda _: Result("permanent", 550, f"no {BOB}")
    await club.answer(BOB, "games")
    page, shown = await looked(club)
    assert shown["pbem_letters_total", "done"] == 4
    assert shown["pbem_letters_total", "refused"] == 1
    assert shown["pbem_letters_total", "automatic"] == 1
    assert shown["pbem_mails_total", "sent"] == mails
    assert shown["pbem_mails_total", "permanent"] == 1
    assert shown["pbem_mails_total", "ambiguous"] == 0
    assert shown["pbem_turn_seconds_count", ""] == shown["pbem_turn_seconds_bucket", "+Inf"] == 3
    assert 0 < shown["pbem_turn_seconds_sum", ""] < 60
    assert shown["pbem_build_info", __version__] == 1
    assert shown["pbem_check_well", "mails"] == 1
    assert shown["pbem_letter_oldest_seconds", ""] == shown["pbem_mail_oldest_due_seconds", ""] == 0
    assert shown["pbem_timer_late_seconds", ""] == 0
    assert shown["pbem_disk_free_ratio", ""] == 0.5
    assert shown["pbem_looked_timestamp_seconds", ""] > Clock().time.timestamp()
    for secret in ("ann", "bob", "cleo", "example", "logger"):
        assert secret not in page.decode().lower()


async def test_what_waits_grows_older(club: Club) -> None:
    club.house.tally.letters.clear()
    for number, reader in enumerate((ANN, BOB), 1):
        raw = club.letter(reader, GAMES, "hello").as_bytes()
        await store_letter(Fetched("test", "INBOX", 1, number, raw), club.house)
        await take_waiting(club.house)
    raw = club.letter(CLEO, GAMES, "hello").as_bytes()
    await store_letter(Fetched("test", "INBOX", 1, 3, raw), club.house)
    now = club.house.now()
    note = lambda conn: runner_state.note(conn, "receiving games", now, REACHED)  # noqa: E731
    club.house.db.write(note).result()
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(minutes=20)
    _, shown = await looked(club)
    for name in ("letter_oldest", "mail_oldest_due", "imap_last_seen"):
        assert 1200 <= shown[f"pbem_{name}_seconds", ""] < 1300
    assert shown["pbem_check_well", "letters"] == shown["pbem_check_well", "mails"] == 0


async def test_what_a_cap_leaves_and_who_is_cut_off(club: Club) -> None:
    smtp = Smtp(connections=1, max_mails_per_hour=10)
    settings = club.house.settings.model_copy(update={"smtp": smtp})
    club.house = replace(club.house, settings=settings)
    await club.write(ANN, "hello")
    await club.answer(ANN, "yes")
    cut_off = text("UPDATE address SET suspended_at = added_at")
    club.house.db.write(lambda conn: conn.execute(cut_off)).result()
    _, shown = await looked(club)
    assert len(club.postbox.sent) == 2
    assert shown["pbem_cap_left", "hour"] == 8
    assert shown["pbem_suspended_addresses", ""] == 1


def test_nothing_is_made_up_before_the_first_look(club: Club) -> None:
    shown = samples(Metrics(club.house.tally).text())
    assert ("pbem_letter_oldest_seconds", "") not in shown
    assert shown["pbem_turn_seconds_count", ""] == 0


def test_a_port_of_its_own_shows_them_and_is_free_again(club: Club) -> None:
    metrics = Metrics(club.house.tally)
    settings = club.house.settings.model_copy(update={"metrics": Wishes(listen="127.0.0.1:0")})
    with listening(metrics, settings) as port:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            assert ("pbem_build_info", __version__) in samples(answer.read())
        taken = settings.model_copy(update={"metrics": Wishes(listen=f"127.0.0.1:{port}")})
        with pytest.raises(ConfigError, match="cannot be had"), listening(metrics, taken):
            pass
    with listening(metrics, taken) as again:
        assert again == port


async def test_a_file_is_written_whole_for_others_to_read(club: Club, tmp_path: Path) -> None:
    file = tmp_path / "pbem.prom"
    settings = club.house.settings.model_copy(update={"metrics": Wishes(textfile=file)})
    object.__setattr__(club.house, "settings", settings)
    async with watching(club.house) as watch:
        await watch.tell(await watch.look())
        assert ("pbem_letter_oldest_seconds", "") in samples(file.read_bytes())
        assert S_IMODE(file.stat().st_mode) == 0o644
        file.unlink()
        file.mkdir()  # it cannot be written, which stops nothing
        await watch.tell(await watch.look())
    assert "pbem.prom" in names(tmp_path)
    assert not [name for name in names(tmp_path) if name.startswith(".")]


def names(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir()]


def test_a_reader_of_the_file_sees_the_old_or_the_new(tmp_path: Path) -> None:
    file = tmp_path / "pbem.prom"
    write_whole(file, b"old\n")
    with file.open("rb") as opened:
        write_whole(file, b"new\n")
        assert (opened.read(), file.read_bytes()) == (b"old\n", b"new\n")
