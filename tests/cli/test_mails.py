"""Letters and mails as operators see them, and their second chances."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar

import pytest
from sqlalchemy import Connection

from pbem.store import runner_state
from pbem.store.database import Database
from pbem.store.mails import inbox, leases, outbox
from pbem.wiring.process import clock
from tests.cli.service import START, Service
from tests.matches.story import ANN

T = TypeVar("T")


def do(service: Service, unit: Callable[[Connection], T]) -> T:
    db = Database.open(service.database)
    try:
        return db.write(unit).result()
    finally:
        db.close()


def letter(key: str) -> inbox.Received:
    return inbox.Received(
        key=key,
        account="a",
        mailbox="INBOX",
        uidvalidity=1,
        uid=1,
        message_id=f"<{key}@example.org>",
        envelope_to=None,
        raw=b"From: a@example.org\r\n\r\nc1\r\n",
    )


@pytest.fixture
def busy(service: Service) -> Service:
    """A service with letters and mails in every state that needs an operator."""

    def unit(conn: Connection) -> None:
        letters = [letter("aaaa1111aaaa1111"), letter("aaaa2222aaaa2222"), letter("bbbb" * 4)]
        inbox.receive(conn, letters, None, START)
        inbox.shunt(conn, "aaaa1111aaaa1111", "ValueError: no such thing")
        inbox.shunt(conn, "aaaa2222aaaa2222", "ValueError: another thing")
        inbox.settle(conn, "bbbb" * 4, state="refused", disposition="refused", code="not_your_turn")
        mails = [
            outbox.QueuedMail(
                key=f"cause{n}:ann", message_id=f"<{n}@x>", recipient=ANN, kind="turn", notices="[]"
            )
            for n in (1, 2)
        ]
        outbox.queue(conn, mails, START)
        lease = leases.lease(conn, now=START, limit=1, lease_for=timedelta(minutes=5))
        outbox.failed(conn, lease[0].id, permanent=True, reply="550 no such user")

    do(service, unit)
    return service


def test_a_letter_is_shown_as_it_came(busy: Service) -> None:
    assert busy.run("mails", "bbbb") == "From: a@example.org\n\nc1\n"
    assert "several letters begin with aaaa" in busy.run("mails", "aaaa", code=1)
    assert "no letter begins with cccc" in busy.run("mails", "cccc", code=1)
    do(busy, lambda conn: inbox.prune(conn, START + timedelta(days=1)))
    assert "the letter bbbb has been emptied" in busy.run("mails", "bbbb", code=1)


def test_what_a_terminal_would_obey_is_not_shown(service: Service) -> None:
    sly = replace(
        letter("cccc" * 4), raw=b"Subject: hi\r\n\r\n\x1b]0;owned\x07\tb\xc3\xa4h\x9b2J\r\n"
    )
    do(service, lambda conn: inbox.receive(conn, [sly], None, START))
    assert service.run("mails", "cccc") == "Subject: hi\n\n\ufffd]0;owned\ufffd\tb\u00e4h\ufffd2J\n"


def test_a_mail_is_shown_as_it_went(busy: Service) -> None:
    first, second = do(busy, lambda conn: [row.id for row in outbox.listed(conn)])
    written = outbox.FinishedMail(
        id=first,
        data=b"To: ann\r\n\r\nYour move\r\n",
        mail_from="games@pbem.example",
        rcpt="ann@example.net",
        fingerprints=(),
    )
    do(busy, lambda conn: outbox.keep(conn, [written]))
    assert busy.run("mails", "--outbox", str(first)) == "To: ann\n\nYour move\n"
    assert "is not written yet" in busy.run("mails", "--outbox", str(second), code=1)
    for wrong in ("99", "xx"):
        assert f"there is no mail {wrong}" in busy.run("mails", "--outbox", wrong, code=1)


def test_letters_are_listed_with_what_became_of_them(busy: Service) -> None:
    listed = busy.run("mails")
    assert re.search(r"aaaa1111aaaa .* shunted .* ValueError: no such thing", listed)
    assert re.search(r"bbbbbbbbbbbb .* refused .* not_your_turn", listed)
    shunted = busy.run("mails", "--shunted")
    assert "not_your_turn" not in shunted
    assert shunted.count("shunted") == 2


def test_mails_are_listed_with_the_servers_answer(busy: Service) -> None:
    listed = busy.run("mails", "--outbox")
    assert re.search(r"1 .* dead +1 +Ann +turn +550 no such user", listed)
    assert re.search(r"2 .* new +0 +Ann +turn", listed)


def test_nothing_to_list_is_said(service: Service) -> None:
    assert service.run("mails") == "There are none.\n"
    assert service.run("mails", "--outbox") == "There are none.\n"


def test_only_letters_are_shunted(service: Service) -> None:
    assert "only letters are shunted" in service.run("mails", "--shunted", "--outbox", code=2)


def test_a_shunted_letter_is_taken_again_by_the_beginning_of_its_key(busy: Service) -> None:
    busy.run("retry", "aaaa1")
    found = do(busy, lambda conn: inbox.letter(conn, "aaaa1111aaaa1111"))
    assert found is not None
    assert (found.state, found.attempts) == ("new", 0)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("aaaa", "several shunted letters begin with aaaa"),
        ("bbbb", "no shunted letter begins with bbbb"),
    ],
)
def test_a_letter_that_is_not_named_well_is_told(busy: Service, key: str, said: str) -> None:
    assert said in busy.run("retry", key, code=1)


def test_a_dead_mail_is_sent_again(busy: Service) -> None:
    busy.run("resend", "1")
    found = do(busy, lambda conn: outbox.row(conn, 1))
    assert found is not None
    assert (found.state, found.attempts) == ("new", 0)


@pytest.mark.parametrize("number", ["2", "99"])
def test_a_mail_under_way_is_not_sent_again(busy: Service, number: str) -> None:
    assert f"mail {number} is not there, or still under way" in busy.run("resend", number, code=1)


def test_status_counts_what_waits(busy: Service) -> None:
    shown = busy.run("status")
    assert "No runner has run yet" in shown
    assert re.search(r"letters +0 +2 +3", shown)
    assert re.search(r"mails +1 +1 +2", shown)
    assert "`pbem mails --shunted`" in shown
    assert "`pbem mails --outbox`" in shown


def test_status_tells_who_is_silent(service: Service) -> None:
    now = clock()
    ago = now - timedelta(hours=3)
    do(service, lambda conn: runner_state.note(conn, "letters", now, "2 letters"))
    do(service, lambda conn: runner_state.note(conn, "send", ago, "1 mail"))
    do(service, lambda conn: runner_state.note(conn, "housekeeping", ago, "waiting"))
    shown = service.run("status")
    assert re.search(r"letters .* \d+ s +2 letters", shown)
    assert re.search(r"send .* 3 h +silent +1 mail", shown)
    assert re.search(r"housekeeping .* 3 h +waiting", shown)  # it works every six hours


def test_the_doctor_points_to_shunted_letters(busy: Service) -> None:
    said = busy.run("check", "--offline", code=1)
    assert re.search(r"WRONG letters +2 failed three times: `pbem mails --shunted`", said)
    assert re.search(r"ok +mails +1 refused for good", said)
