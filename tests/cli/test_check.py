"""`pbem check`: what mail servers do to an email to ourselves, and what the operator reads."""

from __future__ import annotations

import json
import re
import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from pbem.transport import Envelope, SendOutcome, SendResult, TransportError
from pbem.transport.maildir import MaildirMailer
from tests.cli.conftest import Commands
from tests.server.test_serve import serving, wait_for
from tests.transport.dovecot import Dovecot, find_free_port, run_dovecot

AUTHSERV = "mx.pbem.example"
FULL, LATER = b"full", b"later"


class Relay:
    """Delivers emails to our own mailbox, after it has changed them."""

    def __init__(self, folder: Path, change: Callable[[bytes], bytes | None]) -> None:
        self.mailer, self.change = MaildirMailer(folder), change

    async def send(self, envelope: Envelope) -> SendResult:
        data = self.change(envelope.data)
        if data is None:
            return SendResult(outcome=SendOutcome.PERMANENT, code=550, reply="no such user")
        if data == FULL:
            reply = "5.2.2 Quota exceeded"
            return SendResult(outcome=SendOutcome.PERMANENT, code=552, reply=reply)
        if data == LATER:
            return SendResult(outcome=SendOutcome.TRANSIENT, code=451, reply="4.7.1 Try later.")
        if not data:
            return SendResult(outcome=SendOutcome.SENT, code=250, reply="ok")
        changed = Envelope(mail_from=envelope.mail_from, recipient=envelope.recipient, data=data)
        return await self.mailer.send(changed)

    async def check(self) -> str:
        return "a relay"

    async def close(self) -> None:
        pass


def remove_results(data: bytes) -> bytes:
    return re.sub(rb"(?m)^Authentication-Results:.*\r\n", b"", data)


def write_results(data: bytes, name: bytes = AUTHSERV.encode()) -> bytes:
    return b"Authentication-Results: %s; dmarc=none\r\n%s" % (name, data)


def remove_tag(data: bytes) -> bytes:
    return re.sub(rb"(?m)^To:.*", b"To: <games@pbem.example>", data)


CASES: dict[str, tuple[Callable[[bytes], bytes | None], str]] = {
    "as it is": (lambda data: data, "WRONG  headers   a forged Authentication-Results header of"),
    "header removed": (
        lambda data: write_results(remove_results(data)),
        f"ok     headers   a forged Authentication-Results header of {AUTHSERV!r} was removed",
    ),
    "header below another one": (write_results, "is below another one and is not read"),
    "another name on top": (
        lambda data: write_results(data, b"mx.example.net"),
        "The topmost one is of 'mx.example.net', so that no verdict counts",
    ),
    "no header": (remove_results, "was removed. The topmost one is of 'nobody'"),
    "tag removed": (remove_tag, "WRONG  loop      an email to games+p.check."),
    "refused": (lambda _: None, "was refused: 550 no such user. If this is about the recipient:"),
    "mailbox full": (lambda _: FULL, "was refused: 552 5.2.2 Quota exceeded. Delete old emails"),
    "refused for now": (lambda _: LATER, "was refused: 451 4.7.1 Try later. `pbem serve` would"),
    "lost": (lambda _: b"", "did not come back in 1 s. Look into the spam folder"),
}


@pytest.fixture
def maildir(pbem: Commands) -> Path:
    """The mailbox of a service whose mail server has a name."""
    pbem("init", "--yes", "--maildir", str(pbem.folder / "mail"))
    folder = pbem.folder / "mail/in"
    config = pbem.folder / "config.toml"
    text = config.read_text().replace("mail/out", "mail/in")
    config.write_text(text.replace("[site]", f'[site]\nauthserv_id = "{AUTHSERV}"'))
    return folder


@pytest.mark.parametrize(("change", "message"), CASES.values(), ids=CASES)
def test_the_loop(
    change: Callable[[bytes], bytes | None],
    message: str,
    pbem: Commands,
    maildir: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    relay = Relay(maildir, change)
    monkeypatch.setattr("pbem.server.probe.open_mailer", lambda _: relay)
    fails = int(any(word in message for word in ("WRONG", "refused", "did not come back")))
    assert message in pbem("check", "--loop", "--seconds", "1", fails=fails)


def test_a_running_service_leaves_the_email(pbem: Commands, maildir: Path) -> None:
    pbem("check", "--loop", fails=1)
    with serving(pbem.folder):
        wait_for(maildir, "cur/*")
        while not (emails := json.loads(pbem("mail", "list", "--state", "done", "--json"))):
            time.sleep(0.2)
    assert pbem("mail", "outbox", "--state", "sent") == "There are none.\n"
    [email] = emails
    assert email["result"].startswith("ignored")


def test_what_is_missing_is_named(pbem: Commands, maildir: Path) -> None:
    config = pbem.folder / "config.toml"
    maildir.parent.mkdir()
    (maildir.parent / "file").touch()
    text = config.read_text().replace(str(maildir), str(maildir.parent / "file"))
    config.write_text(text.replace("[site]", '[site]\ntemplates = "nowhere"'))
    output = pbem("check", fails=1)
    assert "WRONG  templates" in output
    assert "WRONG  mailbox   Cannot use the Maildir" in output
    assert "WRONG  sending   Cannot use the Maildir" in output


@pytest.mark.usefixtures("maildir")
def test_templates_of_the_operator_are_read(pbem: Commands) -> None:
    config, words = pbem.folder / "config.toml", pbem.folder / "words"
    config.write_text(config.read_text().replace("[site]", '[site]\ntemplates = "words"'))
    for name, source in {
        "email/welcome.txt.j2": "{% include 'email/rules.txt.j2' %}",
        "email/rules.txt.j2": "We meet on Thursday.",
        "email/welcom.txt.j2": "Hello",
        "pages/club.html.j2": "\n{% if %}",
    }.items():
        (words / name).parent.mkdir(parents=True, exist_ok=True)
        (words / name).write_text(source)
    lines = [line for line in pbem("check", fails=1).splitlines() if "WRONG" in line]
    assert [line.split()[1] for line in lines] == ["templates", "templates"]
    assert f"{words / 'email/welcom.txt.j2'} replaces no template" in lines[0]
    assert f"{words / 'pages/club.html.j2'}, line 2: Expected" in lines[1]


def test_an_expired_certificate_may_be_a_wrong_clock(
    pbem: Commands, maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Expired(Relay):
        async def check(self) -> str:
            raise TransportError("certificate verify failed: certificate has expired")

    mailer = Expired(maildir, lambda data: data)
    monkeypatch.setattr("pbem.server.checking.open_mailer", lambda _: mailer)
    assert "has expired. Renew the certificate" in pbem("check", fails=1)


def test_mail_servers_are_tried_without_a_database(pbem: Commands, maildir: Path) -> None:
    database = pbem.folder / "pbem.db"
    database.unlink()
    database.mkdir()
    output = pbem("check", "--loop", fails=1)
    assert "WRONG  database  unable to open database file. Does it run" in output
    assert f"ok     mailbox   Maildir {maildir}" in output


class Delivery:
    """Gives each email to Dovecot, as the mail server beside it would."""

    def __init__(self, dovecot: Dovecot) -> None:
        self.dovecot = dovecot

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        for recipient in envelope.rcpt_tos:
            try:
                self.dovecot.deliver_by_lmtp(recipient, remove_results(envelope.content))
            except smtplib.SMTPException as error:
                return f"550 {error}"
        return "250 OK"


@contextmanager
def run_relay(dovecot: Dovecot) -> Iterator[int]:
    port = find_free_port()
    relay = Controller(Delivery(dovecot), hostname="127.0.0.1", port=port)
    relay.start()
    try:
        yield port
    finally:
        relay.stop()


@pytest.mark.server
def test_the_loop_through_dovecot(pbem: Commands) -> None:
    with run_dovecot() as dovecot, run_relay(dovecot) as port:
        pbem(*("init", "--yes", "--address", dovecot.user), *("--imap", "127.0.0.1", "--smtp", "x"))
        login = f'user = "{dovecot.user}"\npassword = "{dovecot.password}"\n'
        here = 'host = "127.0.0.1"\nsecurity = "none"\n'
        config = pbem.folder / "config.toml"
        config.write_text(
            f'[site]\naddress = "{dovecot.user}"\nauthserv_id = "{AUTHSERV}"\n'
            f"[imap]\n{here}port = {dovecot.imap_port}\n{login}[smtp]\n{here}port = {port}\n"
        )
        dovecot.deliver(b"Subject: older\r\n\r\nhello\r\n")
        output = pbem("check", "--loop", "--seconds", "20")
        assert "came back in" in output
        assert "was removed" in output
        text = config.read_text()
        config.write_text(text.replace("[smtp]", 'mailbox = "Nofolder"\n[smtp]'))
        output = pbem("check", fails=1)
        assert "imap.mailbox is 'Nofolder'" in output
        assert "host, port and security" not in output
        config.write_text(text.replace(dovecot.password, "wrong"))
        output = pbem("check", "--loop", fails=1)
        assert "WRONG  mailbox   Login of games@example.org refused" in output
        assert "app password" in output
        assert "came back" not in output
