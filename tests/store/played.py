"""A database of SQLite with something in most tables, played by letters to a club."""

from __future__ import annotations

from pathlib import Path

from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.databases import ENGINE


async def played(folder: Path) -> Path:
    """The database of a club with matches that run, have ended and wait for players."""
    ENGINE.append("sqlite")
    club = open_club(folder, resign=24)
    ENGINE.pop()
    await _play(club)
    club.house.db.close()
    return folder / "pbem.db"


async def _play(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    for writer, text in (
        (ANN, "yes"),
        (BOB, "accept"),
        (ANN, "e1"),
        (ANN, "say Well played!"),
        (BOB, "note They like corners."),
        (BOB, f"new looney_ludo with {ANN}"),
        (ANN, "accept"),
        (ANN, f"new logan_stones with {BOB}"),
        (BOB, "accept"),
        (BOB, "resign"),
        (ANN, f"new landrush with {BOB} seat_order=given"),
        (BOB, "accept"),
        (BOB, "resign"),
        (BOB, "no mail tips"),
        (ANN, "delete me"),
    ):
        await club.answer(writer, text)
    await club.write(CLEO, "new landrush")
    await club.answer(CLEO, "yes")
