from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.legacy.mail.automatic import Bounce, read_bounce
from pbem.legacy.mail.letter import UnreadableLetter, read_letter
from tests.legacy.effort import clock, in_reference_seconds

HEAD = (
    "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example.org (Mail Delivery System)\r\n"
    "To: games+b.abc@pbem.example\r\nSubject: {subject}\r\nMIME-Version: 1.0\r\n"
)


def report(*fields: str, subject: str = "Undelivered Mail Returned to Sender") -> bytes:
    """A bounce as RFC 3464 has it, with these fields for its recipient."""
    return (
        HEAD.format(subject=subject)
        + 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        + "--b\r\nContent-Type: text/plain\r\n\r\nSorry. c1 plant c2\r\n\r\n"
        + "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n"
        + "".join(f"{field}\r\n" for field in fields)
        + "\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: games@pbem.example\r\n"
        + "To: ann@example.org\r\nSubject: x\r\n\r\nYour move\r\n--b--\r\n"
    ).encode()


ANN = "Final-Recipient: rfc822; ann@example.org"


@pytest.mark.parametrize(
    ("fields", "bounce"),
    [
        ((ANN, "Action: failed", "Status: 5.1.1"), Bounce(True, "ann@example.org", "5.1.1")),
        ((ANN, "Action: failed", "Status: 4.4.1"), Bounce(False, "ann@example.org", "4.4.1")),
        ((ANN, "Action: delayed", "Status: 5.0.0"), Bounce(False, "ann@example.org", "5.0.0")),
        ((ANN, "Action: failed"), Bounce(True, "ann@example.org")),
        ((ANN, "ACTION: Failed", "Status: 5.7.1 (no)"), Bounce(True, "ann@example.org", "5.7.1")),
        (
            ("Original-Recipient: rfc822;Ann@Example.org", ANN, "Action: failed", "Status: 5.2.2"),
            Bounce(True, "Ann@example.org", "5.2.2"),
        ),
        (
            ("Final-Recipient: rfc822; <ann@example.org>", "Action: failed", "Status: 5.2.2"),
            Bounce(True, "ann@example.org", "5.2.2"),
        ),
        ((ANN, "Action: delivered", "Status: 2.0.0"), None),
        ((ANN, "Action: relayed", "Status: 2.0.0"), None),
        (
            (
                ANN,
                "Action: failed",
                "Status: 5.0.0",
                "Diagnostic-Code: smtp; 550-5.7.1 Spam\r\n 550 no",
            ),
            Bounce(True, "ann@example.org", "5.7.1"),
        ),
        (
            (ANN, "Action: failed", "Diagnostic-Code: smtp; 552 #5.3.4 Too big"),
            Bounce(True, "ann@example.org", "5.3.4"),
        ),
        (("Final-Recipient: x400; /S=ann", "Action: failed", "Status: 5.1.1"), None),
    ],
)
def test_reports_are_read(fields: tuple[str, ...], bounce: Bounce | None) -> None:
    assert read_bounce(report(*fields)) == bounce


def test_a_permanent_refusal_comes_first() -> None:
    bob = "Final-Recipient: rfc822; bob@example.org"
    raw = report(
        ANN, "Action: delayed", "Status: 4.4.1", "", bob, "Action: failed", "Status: 5.1.1"
    )
    assert read_bounce(raw) == Bounce(True, "bob@example.org", "5.1.1")


def test_other_habits_are_guessed() -> None:
    # qmail's way, which has no report.
    raw = (
        HEAD.format(subject="failure notice")
        + "\r\nHi. This is the qmail-send program at mx.example.org.\r\n"
        "I'm afraid I wasn't able to deliver your message to the following addresses.\r\n"
        "This is a permanent error; I've given up. Sorry it didn't work out.\r\n\r\n"
        "<ann@example.org>:\r\n192.0.2.1 does not like recipient.\r\n\r\n"
        "--- Below this line is a copy of the message.\r\n\r\nReturn-Path: <x@y>\r\n"
    ).encode()
    assert read_bounce(raw) == Bounce(True, "ann@example.org")


QMAIL = (
    "Hi. This is the qmail-send program at mx.example.org.\r\n"
    "I'm afraid I wasn't able to deliver your message to the following addresses.\r\n"
    "This is a permanent error; I've given up. Sorry it didn't work out.\r\n\r\n"
    "<ann@example.org>:\r\n{}\r\n\r\n--- Below this line is a copy of the message.\r\n\r\n"
    "Return-Path: <x@y>\r\n\r\nsay 554 5.1.1 (in reply to end of DATA command)\r\n"
)


@pytest.mark.parametrize(
    ("said", "status", "after_data"),
    [
        ("Remote host said: 554 5.7.1 looks like spam", "5.7.1", False),
        ("192.0.2.1 failed after I sent the message.\r\nRemote host said: 554 spam", None, True),
        ("host said: 554 spam (in reply to end of DATA\r\n command)", None, True),
        ("host said: 550 5.1.1 nobody (in reply to RCPT TO command)", "5.1.1", False),
        ("remote mail server after end of data:\r\n554 no", None, True),
    ],
)
def test_words_say_what_was_refused_and_when(
    said: str, status: str | None, *, after_data: bool
) -> None:
    raw = HEAD.format(subject="failure notice") + "\r\n" + QMAIL.format(said)
    assert read_bounce(raw.encode()) == Bounce(True, "ann@example.org", status, after_data)


def test_a_guesser_that_raises_knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(_message: object) -> None:
        raise KeyError

    monkeypatch.setattr("flufl.bounce.all_failures", raising)
    assert read_bounce(b"From: ann@example.org\r\n\r\nHello") is None


def test_a_letter_is_no_bounce() -> None:
    assert (
        read_bounce(b"From: ann@example.org\r\nTo: games@pbem.example\r\n\r\nc1 plant c2") is None
    )


def test_a_bounce_is_known_before_it_is_read() -> None:
    letter = read_letter(report(ANN, "Action: failed", "Status: 5.1.1"))
    assert (letter.is_bounce, letter.automatic is None) == (True, False)


@given(st.binary(max_size=500))
def test_any_bytes_are_read_or_refused(tail: bytes) -> None:
    try:
        found = read_bounce(report(ANN, "Action: failed") + tail)
    except UnreadableLetter:
        found = None
    assert found is None or found.recipient


@pytest.mark.parametrize("line", ["<a@b.c>:\r\n", "550 5.1.1 ", "\r\n", "---", "<<<<", "a@b "])
def test_long_bounces_are_read_in_time(line: str) -> None:
    raw = (
        HEAD.format(subject="failure notice") + "\r\n" + line * (1_000_000 // len(line))
    ).encode()
    begun = clock()
    read_bounce(raw)
    assert in_reference_seconds(clock() - begun) < 5
