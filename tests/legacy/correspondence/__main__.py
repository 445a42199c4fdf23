"""Shows the mail that is answered at each place: `python -m tests.legacy.correspondence FOLDER`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

import structlog

from tests.legacy.clubs.club import open_club
from tests.legacy.correspondence.places import PLACES, a_move, mailbox, match_of


async def show(folder: Path) -> None:
    """Write each mail into a file of its own."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    for key, place in PLACES.items():
        with tempfile.TemporaryDirectory() as empty:
            club = open_club(Path(empty), window=5)
            name = await place.prepare(club)
            mail = club.last(mailbox(place.writer))
            head = f"To: {place.writer}\nFrom: {mail.sender}\nSubject: {mail.subject}\n"
            (folder / f"{key}.txt").write_text(f"{head}\n{mail.text}", encoding="utf-8")
            match = await match_of(club, name)
            move = a_move(match) if match.course.position is not None and match.to_act else "-"
            sys.stdout.write(f"{key}: {name} ply {match.course.ply}, e.g. {move}\n")
            club.house.db.close()


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    asyncio.run(show(Path(sys.argv[1])))
