"""The network between a worker and PostgreSQL is cut, also before the answer to a COMMIT.

What the worker does not hear may have happened. Whoever asks again must find out: a letter is
played once, and every mail of it is owed once.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

import pytest
from sqlalchemy.exc import SQLAlchemyError

from pbem.legacy.runners.deliver import Delivery
from pbem.legacy.runners.receive import store_letter, take_waiting
from pbem.legacy.store import views
from pbem.legacy.store.database import Database, fault_of_the_store
from pbem.legacy.store.log.verify import verify_all
from pbem.legacy.store.mails import inbox, outbox
from pbem.legacy.transaction.installation import find_match
from pbem.legacy.transport import Fetched
from tests.legacy import postgres
from tests.legacy.clubs.club import ANN, BOB, Club, open_club

pytestmark = [
    # SQLAlchemy leaves a connection that broke while it was made to the garbage collector.
    pytest.mark.filterwarnings("ignore:.*was deleted while still open:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["postgresql"], indirect=True),
]

STRIDE = 9
"""Each so many answers of the server one is cut off; with `--slow` each one."""

SOCKET = ".s.PGSQL.5432"


class Wire:
    """Stands between a client and the server, and is cut before the answer of a number."""

    def __init__(self, folder: Path, server: str) -> None:
        self._server = server
        self._left = 0
        self.answers = 0
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / SOCKET))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_before(self, answer: int) -> None:
        """Cut off the answer of this number, counted from now on; 0: none."""
        self.answers, self._left = 0, answer

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connected, args=(client,), daemon=True).start()

    def _connected(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._server)
            carry = partial(self._carry, server, client, answers=True)
            answers = threading.Thread(target=carry, daemon=True)
            answers.start()
            self._carry(client, server, answers=False)
            answers.join()

    def _carry(self, source: socket.socket, target: socket.socket, *, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if answers:
                    self.answers += 1
                    if self.answers == self._left:
                        break
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    folder = tmp_path / "wire"
    folder.mkdir()
    server = parse_qs(urlsplit(postgres.new_database()).query)["host"][0]
    with closing(Wire(folder, f"{server}/{SOCKET}")) as one:
        yield one


def _through(folder: Path, url: Path | str) -> Database:
    """The same database, by the wire."""
    parts = urlsplit(str(url))
    return Database.open(urlunsplit(parts._replace(query=urlencode({"host": str(folder)}))))


async def _insist(club: Club, delivery: Delivery) -> None:
    """As runners do: what fails since nobody answers is tried again."""
    while True:
        try:
            while await take_waiting(club.house) or await _sent(delivery):
                pass
        except SQLAlchemyError as error:
            if not fault_of_the_store(error):
                raise
        else:
            return


async def _sent(delivery: Delivery) -> bool:
    started = await delivery.start_due()
    while delivery.is_busy:
        await delivery.one_ends()
        started += await delivery.start_due()
    return bool(started)


async def _played(tmp_path: Path, wire: Wire, answer: int) -> int:
    """A move while the wire is cut before an answer; how many answers there were in all."""
    folder = tmp_path / f"cut{answer}"
    folder.mkdir()
    club = open_club(folder, database=partial(_through, tmp_path / "wire"), worker=1)
    with closing(club.house.db) as db:
        await club.write(ANN, f"new logger with {BOB} seat_order=given")
        await club.answer(ANN, "yes")
        await club.answer(BOB, "accept")
        [name] = db.read(partial(views.match_ids, statuses=["running"])).result()
        before = len(club.postbox.sent)
        letter = club.letter(ANN, club.last(ANN).reply_to, "place a1").as_bytes()
        await store_letter(Fetched("test", "INBOX", 1, 99, letter), club.house)
        wire.cut_before(answer)
        delivery = Delivery(club.house, club.postbox)
        await _insist(club, delivery)
        await delivery.close(0)
        answers = wire.answers
        wire.cut_before(0)
        loaded = db.read(partial(find_match, match=name)).result()
        assert loaded is not None
        assert [step.text for step in loaded.match.course.steps] == ["place a1"]
        assert db.read(verify_all).result().findings == ()
        assert set(db.read(inbox.counts).result()) == {"done"}
        states = db.read(outbox.counts).result()
        assert set(states) <= {"sent", "superseded"}
        assert len(club.postbox.sent) == states["sent"]
        assert len(club.postbox.sent) >= before + 1
        return answers


async def test_whatever_answer_is_cut_off_a_move_is_played_once(tmp_path: Path, wire: Wire) -> None:
    whole = await _played(tmp_path, wire, 0)
    assert whole > 30
    for answer in range(1, whole, STRIDE):
        await _played(tmp_path, wire, answer)
