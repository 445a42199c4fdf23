"""Whole mails in German, as somebody gets them who plays in German against somebody who does not.

`--accept` rewrites; read the diff as a German player would.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from pbem.mail.free_text import read_orders
from pbem.notices.views.scene import MARKER
from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import ANN, BOB, WORDS, Club, open_club
from tests.offers import CHOICE

FOLDER: Final = Path(__file__).parent / "golden"
SAMPLE: Final = CHOICE
FOOT: Final = "\nJederzeit:"
GERMAN_MARKER: Final = "=== schreibe deinen Zug über diese Zeile ==="
GAMES: Final = {
    "logger": ("logger", "bleibe fälle a9"),
    "landrush": ("landrush starter=given", "z99 groß"),
    "logan_stones": ("logan stones starter=given", "9 Stein A1"),
    "looney_ludo": ("looney ludo", "springe Grün"),
}
"""How a game is called for, and an order of it that cannot be."""


async def club_of(folder: Path, game: str) -> Club:
    """Bob plays in German, Ann does not; their match has begun."""
    club = open_club(folder)
    await club.write(BOB, "Sprache Deutsch")
    await club.answer(BOB, "Ja")
    words, _, options = game.partition(" starter")
    with_options = f" starter{options}" if options else ""
    await club.write(ANN, f"new {words} with {BOB}{with_options}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "Annehmen.")
    return club


def acting(club: Club) -> str:
    """Whose turn it is, by the newest prompt."""
    return next(who for who, mail in reversed(club.postbox.mails) if SAMPLE.search(mail.text))


def sample(mail: ReceivedMail) -> str:
    """A move that the mail offers."""
    found = SAMPLE.search(mail.text)
    assert found is not None, mail.text
    return found[1]


async def play_until_bob_is_to_move(club: Club) -> None:
    for _ in range(12):
        who = acting(club)
        if who == BOB and "Dein Zug in" in club.last(BOB).text:
            return
        await club.answer(who, sample(club.last(who)))
    raise AssertionError("Bob was not asked")


def masked(mails: list[ReceivedMail]) -> str:
    texts = [f"Subject: {mail.subject}\n\n{mail.text}".replace("\r", "") for mail in mails]
    # The foot is the same everywhere; the last mail shows it.
    pages = "\n".join([*(text.partition(FOOT)[0] for text in texts[:-1]), texts[-1]])
    pages = re.sub(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b", "K7QX2", pages)
    pages = re.sub(r"\b[0-9a-f]{64}\b", "<64 hex digits>", pages)
    pages = re.sub(r"\b[0-9a-f]{16}\b", "<16 hex digits>", pages)
    return re.sub(r"\[ref [^]]+\]", "[ref ...]", pages)


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_reads_well_in_german(
    game: str, tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    called, wrong = GAMES[game]
    club = await club_of(tmp_path, called)
    await play_until_bob_is_to_move(club)
    await club.answer(BOB, wrong)
    move = sample(club.last(BOB))
    await club.answer(BOB, move)
    await club.answer(BOB, "Aufgeben ja")
    mails = club.mails(BOB)
    club.house.db.close()
    golden(FOLDER / f"{game}.txt", masked(mails))
    for mail in mails[2:]:
        assert GERMAN_MARKER in mail.text
        assert MARKER not in mail.text
        assert max(map(len, mail.text.splitlines())) <= 72
    assert "hat gewonnen" in mails[-1].text or "zu Ende" in mails[-1].text


async def test_orders_of_both_languages_work_for_everybody(tmp_path: Path) -> None:
    club = await club_of(tmp_path, "logger")
    await club.answer(BOB, "brett\nsage Viel Glück!\n\ngames")
    assert "Viel Glück!" in club.last(ANN).text
    account = club.last(BOB).text
    assert '- "sage Viel Glück!": Die anderen bekommen es zu lesen.' in account
    await club.answer(BOB, "Sprache Klingonisch")
    assert '"sprache de"' in club.last(BOB).text
    await club.answer(ANN, "lang deutsch")
    assert "Das gilt ab jetzt" in club.last(ANN).text
    await club.answer(ANN, "sprache en")
    assert "This holds from now on" in club.last(ANN).text
    club.house.db.close()


async def test_a_quoted_german_mail_gives_no_orders(tmp_path: Path) -> None:
    club = await club_of(tmp_path, "logger")
    before = len(club.mails(ANN))
    await club.answer(BOB, "")
    assert len(club.mails(ANN)) == before
    told = " ".join(club.last(BOB).text.split())
    assert "Deine Mail enthält keinen Zug und keine Anweisung." in told
    club.house.db.close()


@pytest.mark.parametrize("name", ["logger", "landrush", "logan_stones", "looney_ludo"])
def test_no_line_of_a_german_mail_is_an_order(name: str) -> None:
    pages = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    for line in pages.splitlines():
        alone = read_orders([line], None, words=WORDS).orders
        assert not alone, line
