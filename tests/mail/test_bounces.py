"""What mail servers report of emails that did not arrive."""

from __future__ import annotations

import pytest

from pbem.mail.bounces import is_mailbox_refusal, read_delivery_status

HEAD = (
    "From: MAILER-DAEMON@mx.example.org (Mail Delivery System)\r\n"
    "To: games+b.abc@pbem.example\r\nSubject: failure notice\r\nMIME-Version: 1.0\r\n"
)
ANN = "Final-Recipient: rfc822; ann@example.org"
FAILED = "Action: failed"


def report(*fields: str, words: str = "Sorry.") -> bytes:
    """A report as RFC 3464 has it, with these fields for its recipient."""
    return (
        HEAD
        + 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        + f"--b\r\nContent-Type: text/plain\r\n\r\n{words}\r\n\r\n"
        + "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n"
        + "".join(f"{field}\r\n" for field in (ANN, *fields))
        + "\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: games@pbem.example\r\n"
        + "To: ann@example.org\r\nSubject: x\r\n\r\n550 5.1.1 Your move\r\n--b--\r\n"
    ).encode()


def text(words: str) -> bytes:
    """A report in the way of qmail, which has no fields, above our own email."""
    return (
        HEAD
        + "\r\nHi. This is the qmail-send program at mx.example.org.\r\n"
        + f"<ann@example.org>:\r\n{words}\r\n\r\n"
        + "--- Below this line is a copy of the message.\r\n\r\nSubject: 550 5.1.1 x\r\n"
    ).encode()


@pytest.mark.parametrize(
    ("raw", "status", "refuses_mailbox"),
    [
        (report(FAILED, "Status: 5.1.1"), "5.1.1", True),
        (report("ACTION: Failed", "Status: 5.2.2 (full)"), "5.2.2", True),
        (report(FAILED), "", True),
        (report(FAILED, "Status: 4.4.1"), "4.4.1", False),
        (report("Action: delayed", "Status: 5.0.0"), "5.0.0", False),
        # A permanent failure of a second recipient counts.
        (report("Action: delayed", "Status: 4.4.1", "", ANN, FAILED, "Status: 5.1.1"), "5.1.1", 1),
        # The server's reply says more than a vague status.
        (report(FAILED, "Status: 5.0.0", "Diagnostic-Code: smtp; 550-5.7.1 No"), "5.7.1", False),
        (report(FAILED, "Diagnostic-Code: smtp; 552 #5.3.4 Too big"), "5.3.4", False),
        # What is refused because of its content says nothing of the mailbox.
        (report(FAILED, "Status: 5.7.1"), "5.7.1", False),
        (report(FAILED, "Status: 5.6.0"), "5.6.0", False),
        (report(FAILED, "Status: 5.2.3"), "5.2.3", False),
        (
            report(FAILED, "Status: 5.0.0", words="554 spam (in reply to end of DATA\r\n command)"),
            "5.0.0",
            False,
        ),
        (
            report(FAILED, "Status: 5.2.2", words="552 full (in reply to end of DATA command)"),
            "5.2.2",
            True,
        ),
        (text("This is a permanent error; I've given up."), "", True),
        (text("host said: 550 5.1.1 nobody (in reply to RCPT TO command)"), "5.1.1", True),
        (text("Remote host said: 554 5.7.1 looks like spam"), "5.7.1", False),
        (text("failed after I sent the message.\r\nRemote host said: 554 spam"), "", False),
    ],
)
def test_a_report_says_what_failed(raw: bytes, status: str, *, refuses_mailbox: bool) -> None:
    found = read_delivery_status(raw)
    assert found is not None
    refused = found.is_permanent and is_mailbox_refusal(found.status, found.diagnostic)
    assert (found.status, refused) == (status, bool(refuses_mailbox))


@pytest.mark.parametrize(
    "raw",
    [
        report("Action: delivered", "Status: 2.0.0"),
        text("I have not yet been able to deliver it: 550 5.1.1. It is still being retried."),
        b"From: ann@example.org\r\n\r\nplace c1",
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\n" * 100,
    ],
)
def test_other_emails_report_no_failure(raw: bytes) -> None:
    assert read_delivery_status(raw) is None
