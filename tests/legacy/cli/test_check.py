"""The doctor: each thing that can be wrong, and the words for it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import Connection

from pbem.legacy.cli import opening
from pbem.legacy.cli.servers import _advice, _loop_advice
from pbem.legacy.config import Settings
from pbem.legacy.health import CHECKS
from pbem.legacy.runners.watch import note_signs
from pbem.legacy.store.database import Database
from pbem.legacy.store.mails import leases
from pbem.legacy.transport import LoginRefused, TransportError
from pbem.legacy.wiring.process import clock
from tests.legacy.cli.service import ADDRESS, Service
from tests.legacy.cli.test_matches import damage
from tests.legacy.servers import (
    DovecotServer,
    PostfixServer,
    dovecot,
    needs_dovecot,
    needs_postfix,
    open_folder,
    postfix,
)

PASSWORD = "hunter2"


def test_all_is_well(service: Service) -> None:
    said = service.run("check")
    assert said.endswith("all is well\n")
    assert re.search(r"ok +matches +1 replayed, every draw and move checked", said)
    assert "WRONG" not in said


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE event SET data = replace(data, 'gladly', 'never') WHERE type = 'SeatTaken'",
            "match-K7QX2 event 2: its hash is not that of its content",
        ),
        ("DELETE FROM event WHERE version = 5", "event 5 is missing before it"),
        (
            "UPDATE event SET position = position + 1000 WHERE version = 5",
            "position",
        ),
        ("UPDATE stream SET head_hash = 'x'", "its head has another hash than its newest event"),
        ("UPDATE chance_secret SET secret = x'00'", "its secret is not the one that was committed"),
    ],
)
def test_a_touched_log_is_found(service: Service, statement: str, said: str) -> None:
    damage(service, statement)
    found = service.run("check", "--offline", code=1)
    assert "WRONG event log" in found
    assert said in found


def test_what_is_used_of_a_cap_is_told(service: Service) -> None:
    service.write(service.config.read_text() + "[smtp]\nmax_mails_per_hour = 5\n")
    assert "0 of the 5 mails of an hour are used\n" in service.run("status")

    def use(conn: Connection) -> None:
        leases.count_tried(conn, range(4), clock())

    db = Database.open(service.database)
    db.write(use).result()
    db.close()
    told = "4 of the 5 mails of an hour are used: soon the next ones wait"
    assert told in service.run("status")
    assert re.search(f"ok +sending +{told}", service.run("check", "--offline"))


def test_a_disk_that_is_nearly_full_is_told(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert re.search(r"ok +disk +\d+ MB free in", service.run("check", "--offline"))
    monkeypatch.setattr("pbem.legacy.cli.doctor.ROOM", 1 << 60)
    said = service.run("check", "--offline", code=1)
    assert re.search(r"WRONG disk +\d+ MB free in .*: make room", said)


def test_open_keys_are_found(service: Service) -> None:
    (service.folder / "keys.toml").chmod(0o644)
    said = service.run("check", "--offline", code=1)
    assert re.search(r"WRONG keys +other users can read .*: run `chmod 600", said)
    assert said.endswith("1 thing to mend\n")


def test_a_missing_database_is_found(service: Service) -> None:
    service.database.unlink()
    assert re.search(
        r"WRONG database +there is no database .* `pbem restore` brings",
        service.run("check", "--offline", code=1),
    )


def test_settings_that_cannot_serve_are_found(service: Service) -> None:
    service.write(f'site.address = "{ADDRESS}"')
    assert re.search(
        r"WRONG settings +no mail can come in: set imap\.host",
        service.run("check", "--offline", code=1),
    )


OF_NO_USE = (
    ("notices/turn_prompt.txt.j2", "{% if %}", "mend it, or delete"),
    (
        "rejections/not_seated.txt.j2",
        "You are a guest.",
        'never used; move its words to the block "not_seated" of a rejections.txt.j2 of yours',
    ),
    (
        "notices/no_such_notice.txt.j2",
        "{% block board %}{% endblock %}",
        "no template of pbem has this name, so yours is never used; delete it",
    ),
    (
        "rejections.txt.j2",
        '{% extends "pbem/rejections.txt.j2" %}{% block not_there %}No.{% endblock %}',
        'no block of pbem is called "not_there", so yours is never used; delete it',
    ),
    (
        "orders.txt.j2",
        '{% extends "orders.txt.j2" %}{% block accept %}Yes.{% endblock %}',
        'uses itself; the one that it takes the place of is called "pbem/orders.txt.j2"',
    ),
    (
        "wishes.txt.j2",
        "{% block width %}How wide?{% endblock %}",
        'has no block "chat": let it begin with {% extends "pbem/wishes.txt.j2" %},',
    ),
    (
        "notices/welcome.txt.j2",
        "{% block subject %}Hello{% endblock %}{% block headline %}Hello!{% endblock %}",
        'has no block "action"',
    ),
    (
        "footer.txt.j2",
        '{% extends "pbem/footer.txt.j2" %}{% block more %}The end.{% endblock %}',
        'no block of pbem is called "more"',
    ),
)
"""Templates of an operator's own: the name, what stands there, and what is said of it."""


def test_templates_of_ones_own_that_are_of_no_use_are_found(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In one folder, since each check compiles every template that there is; what takes the faulty
    # ones in is wrong as well, so all findings are shown and not the first few.
    monkeypatch.setattr(opening, "FEW", 1000)
    for name, source, _ in OF_NO_USE:
        path = service.folder / "words" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    service.write(service.config.read_text() + '[templates]\nfolder = "words"\n')
    said = service.run("check", "--offline", code=1)
    for name, _, fault in OF_NO_USE:
        assert re.search(rf"WRONG templates +{re.escape(name)}\b.* {re.escape(fault)}", said), said


def test_templates_of_ones_own_are_counted(service: Service) -> None:
    folder = service.folder / "words"
    (folder / "notices").mkdir(parents=True)
    (folder / "club.txt.j2").write_text("{% macro name() %}The Club{% endmacro %}")
    (folder / "how_to_answer.txt.j2").write_text("Ask the caretaker.")
    (folder / "rejections.txt.j2").write_text(
        '{% extends "pbem/rejections.txt.j2" %}{% import "club.txt.j2" as club %}'
        "{% block not_seated %}Only members play at {{ club.name() }}.{% endblock %}"
    )
    (folder / "notices" / "player_back.txt.j2").write_text(
        "{% for part in () %}{% endfor %}{% block subject %}Back{% endblock %}"
        "{% block headline %}Hello!{% endblock %}{% block board %}{% endblock %}"
    )
    service.write(service.config.read_text() + '[templates]\nfolder = "words"\n')
    assert re.search(r"ok +templates +\d+, 4 of them your own", service.run("check", "--offline"))


def test_a_missing_folder_of_templates_is_found(service: Service) -> None:
    service.write(service.config.read_text() + '[templates]\nfolder = "gone"\n')
    assert "templates.folder: there is no folder" in service.run("check", "--offline", code=1)


# --- mail servers --------------------------------------------------------------------------------


SERVE = """
import asyncio, re, sys
from pbem.legacy.transport import loopback as module
from pbem.legacy.transport.loopback import loopback

OURS = rb"Authentication-Results: mx\\.example\\.org"
REAL = b"Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\\r\\n"
OTHER = b"Authentication-Results: filter.example.org; dmarc=none\\r\\n"
WAYS = {
    "keeps": lambda data: data,
    "removes": lambda data: re.sub(rb"(?m)^" + OURS + rb".*\\r\\n([ \\t].*\\r\\n)*", b"", data),
    "adds": lambda data: REAL + data,
    "adds another": lambda data: OTHER + data,
}
WAYS["removes and adds"] = lambda data: REAL + WAYS["removes"](data)
append, way = module._append, WAYS[sys.argv[3]]

async def through(backend, mailbox, data):
    await append(backend, mailbox, way(data))

module._append = through

async def serve():
    async with loopback({sys.argv[1]: sys.argv[2]}) as servers:
        print(servers.smtp_port, servers.imap_port, flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(serve())
"""


@dataclass(frozen=True, slots=True)
class Ports:
    smtp_port: int
    imap_port: int


@pytest.fixture(scope="module")
def servers() -> Iterator[Ports]:
    """SMTP and IMAP in a process of their own, since commands have a loop of their own."""
    with serving("keeps") as ports:
        yield ports


@contextmanager
def serving(way: str) -> Iterator[Ports]:
    """The same, with what the server does to Authentication-Results of its name."""
    words = [sys.executable, "-c", SERVE, ADDRESS, PASSWORD, way]
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[3],
        text=True,
    ) as process:
        assert process.stdout is not None
        smtp_port, imap_port = process.stdout.readline().split()
        try:
            yield Ports(int(smtp_port), int(imap_port))
        finally:
            process.terminate()


def online(
    service: Service,
    servers: Ports,
    password: str = PASSWORD,
    extra: str = "",
    imap: str = 'security = "none"',
) -> None:
    """Settings with the servers in place of folders."""
    (service.folder / "secret").write_text(password)
    (service.folder / "secret").chmod(0o600)
    service.write(
        f"""
        [site]
        address = "{ADDRESS}"
        {extra}
        [imap]
        host = "127.0.0.1"
        port = {servers.imap_port}
        {imap}
        user = "{ADDRESS}"
        password_file = "secret"
        [smtp]
        host = "127.0.0.1"
        port = {servers.smtp_port}
        security = "none"
        """
    )


def test_servers_that_answer_are_well(service: Service, servers: Ports) -> None:
    online(service, servers)
    said = service.run("check")
    assert re.search(r"ok +imap +127\.0\.0\.1: none; mails \d+", said)
    assert re.search(r"ok +smtp +127\.0\.0\.1: none", said)


def test_a_mail_to_ourselves_comes_back(service: Service, servers: Ports) -> None:
    online(service, servers)
    said = service.run("check", "--loop", "--seconds", "20")
    assert re.search(
        r"ok +loop +a mail to games\+p\.check\.\w+@example\.org came back in \d+\.\d s", said
    )


def test_a_mail_to_ourselves_that_is_refused_is_told(service: Service, servers: Ports) -> None:
    # The server knows `+` only, so an address with another sign is nobody's.
    online(service, servers, extra='delimiter = "="')
    said = service.run("check", "--loop", "--seconds", "20", code=1)
    assert re.search(r"WRONG loop +the mail to games=p\.check\S+ was not taken: .*delimiter", said)


TRUSTING = 'authserv_id = "mx.example.org"'


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("removes", r"ok +forgery +a forged \S+ of 'mx\.example\.org' was removed\n"),
        ("removes and adds", r"ok +forgery +a forged \S+ of 'mx\.example\.org' was removed\n"),
        ("adds", r"ok +forgery +a forged \S+ of 'mx\.example\.org' stands below another one"),
        (
            "adds another",
            r"ok +forgery .*is of 'filter\.example\.org', which is not what site\.",
        ),
    ],
)
def test_a_server_that_lets_no_forged_verdict_through(
    service: Service, way: str, said: str
) -> None:
    with serving(way) as servers:
        online(service, servers, extra=TRUSTING)
        assert re.search(said, service.run("check", "--loop", "--seconds", "20"))


def test_a_server_that_lets_a_forged_verdict_through_is_told(
    service: Service, servers: Ports
) -> None:
    online(service, servers, extra=TRUSTING)
    said = service.run("check", "--loop", "--seconds", "20", code=1)
    assert re.search(r"ok +loop", said)
    assert re.search(
        r"WRONG forgery .*'mx\.example\.org' came through\. .*authserv_id = \"\"", said
    )


def test_where_nobody_is_trusted_nothing_is_forged(service: Service, servers: Ports) -> None:
    online(service, servers)
    said = service.run("check", "--loop", "--seconds", "20")
    assert re.search(r"ok +forgery +site\.authserv_id is not set", said)


@needs_dovecot
@needs_postfix
def test_the_table_of_the_handbook_takes_a_forged_verdict_out(service: Service) -> None:
    """docs/operators.md, word for word."""
    page = (Path(__file__).parents[3] / "docs" / "operators.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"(?m)^/\^Authentication-Results:.*$", page)
    with dovecot() as box, open_folder() as base:
        relay = PostfixServer(base, box.lmtp_port)
        relay.configure()
        (base / "etc" / "verdicts").write_text(f"{line}\n")
        with (base / "etc" / "main.cf").open("a") as file:
            file.write(f"header_checks = regexp:{base}/etc/verdicts\n")
        relay.start()
        try:
            through(service, box, relay, TRUSTING)
            said = service.run("check", "--loop", "--seconds", "30")
        finally:
            relay.stop()
    assert re.search(r"ok +forgery +a forged \S+ of 'mx\.example\.org' was removed", said)


def through(service: Service, box: DovecotServer, relay: PostfixServer, extra: str = "") -> None:
    """Settings with these servers."""
    service.write(
        f"""
        [site]
        address = "{box.user}"
        {extra}
        [imap]
        host = "127.0.0.1"
        port = {box.imaps_port}
        ca_file = "{box.cert}"
        user = "{box.user}"
        password = "{box.password}"
        [smtp]
        host = "127.0.0.1"
        port = {relay.smtp_port}
        security = "none"
        """
    )


@needs_dovecot
@needs_postfix
def test_who_may_send_only_as_themselves_is_told_of_it(service: Service) -> None:
    with dovecot() as box, open_folder() as base:
        relay = PostfixServer(base, box.lmtp_port)
        relay.configure()
        (base / "etc" / "senders").write_text("/[+]/ REJECT not owned by user games\n")
        with (base / "etc" / "main.cf").open("a") as file:
            file.write(f"smtpd_sender_restrictions = check_sender_access regexp:{base}/etc/senders")
        relay.start()
        try:
            through(service, box, relay)
            said = service.run("check", "--loop", "--seconds", "30", code=1)
            assert re.search(r"WRONG loop .*not owned by user games.*set site\.plain_sender", said)
            through(service, box, relay, "plain_sender = true")
            assert re.search(r"ok +loop", service.run("check", "--loop", "--seconds", "30"))
        finally:
            relay.stop()


@needs_dovecot
@needs_postfix
def test_a_mail_to_ourselves_comes_back_through_postfix_and_dovecot(service: Service) -> None:
    with dovecot() as box, postfix(box.lmtp_port) as relay:
        through(service, box, relay)
        said = service.run("check", "--loop", "--seconds", "30")
    assert re.search(r"ok +imap +127\.0\.0\.1: TLSv1\.[23]; mails 0", said)
    assert re.search(r"ok +loop +a mail to games\+p\.check\.\S+ came back", said)


def test_a_folder_that_is_not_there_is_told(service: Service, servers: Ports) -> None:
    online(service, servers, imap='security = "none"\nmailbox = "Nowhere"')
    said = service.run("check", code=1)
    assert re.search(r"WRONG imap .*is there a folder 'Nowhere'\? imap\.mailbox names", said)


def test_what_may_pass_is_told_so() -> None:
    login = Settings().smtp
    error = TransportError("smtp.example.org:465 refuses the login of x: 454 4.7.0 not now")
    assert "this may pass" in _advice("smtp", login, error)
    error = TransportError("smtp.example.org:465 cannot be used: 454")
    assert "belong together" in _advice("smtp", login, error)


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("the mail did not come within 30 s", "spam folder"),
        ("the mail to a+b@c was not taken: 553 5.7.1 <a+x@c>: Sender address rejected", "plain_s"),
        ("the mail to a+b@c was not taken: 550 5.7.60 client has no SendAs, send as", "plain_s"),
        ("the mail to a+b@c was not taken: 550 5.1.1 User unknown", "site.delimiter is its sign"),
        ("the mail to a+b@c was not taken: 454 4.7.1 Relay access denied", "this may pass"),
        ("the mail to a+b@c was not taken: 554 5.7.1 content", "If that is about the sender: It"),
        ("smtp.example.org:465 cannot be reached", "lines `imap` and `smtp` above"),
    ],
)
def test_the_advice_after_a_loop_fits_what_was_said(said: str, advice: str) -> None:
    words = _loop_advice(TransportError(said))
    assert advice in words
    assert ("spam" in words) == ("did not come" in said)


def test_a_login_refused_in_a_loop_is_no_matter_of_senders() -> None:
    assert "whose login" in _loop_advice(LoginRefused("a:465 refuses the login of sender: 535"))


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_password_that_others_can_read_is_told(service: Service, mode: int) -> None:
    online(service, Ports(1, 1))
    (service.folder / "secret").chmod(0o600)
    assert "WRONG secrets" not in service.run("check", "--offline")
    (service.folder / "secret").chmod(mode)
    said = service.run("check", "--offline", code=1)
    assert re.search(r"WRONG secrets +imap\.password_file \(.*\): other users .*`chmod 600", said)


def test_a_refused_password_is_told(service: Service, servers: Ports) -> None:
    online(service, servers, password="wrong")
    said = service.run("check", code=1)
    assert "login_refused" not in said
    assert re.search(r"WRONG imap .*Is user 'games@example\.org' right\? Many providers", said)


def test_a_server_that_is_not_there_is_told(service: Service) -> None:
    online(service, Ports(1, 1))
    said = service.run("check", code=1)
    assert re.search(r"WRONG imap .*Do imap\.host, port and security belong together\?", said)
    assert re.search(r"WRONG smtp .*Do smtp\.host, port and security belong together\?", said)


@needs_dovecot
def test_a_certificate_that_is_not_trusted_is_told(service: Service) -> None:
    with dovecot() as box:
        there = Ports(1, box.imaps_port)
        online(service, there, imap="")
        said = service.run("check", code=1)
        assert re.search(r"WRONG imap .*imap\.ca_file names the file to trust", said)
        online(service, there, imap='ca_file = "gone.pem"')
        said = service.run("check", code=1)
    assert re.search(
        r"WRONG imap +imap\.ca_file \(\S+, line \d+\): \S+gone\.pem cannot be used: .*No such file",
        said,
    )


def test_offline_asks_no_server(service: Service) -> None:
    online(service, Ports(1, 1))
    assert "imap" not in service.run("check", "--offline")


def test_folders_need_no_loop(service: Service) -> None:
    assert "left out: it needs imap.host" in service.run("check", "--loop")


def test_a_maildir_that_cannot_be_made_is_found(service: Service, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    text = f'[maildir]\nincoming = "{tmp_path}/file/in"\noutgoing = "mail/out"\n'
    service.write(f'[site]\naddress = "{ADDRESS}"\n{text}')
    assert re.search(r"WRONG maildir +.*/file/in", service.run("check", "--offline", code=1))


def test_a_command_for_alarms_that_is_there_is_well(service: Service) -> None:
    service.write(f"{service.config.read_text()}[watch]\nalert_command = 'sh -c true'\n")
    assert "alert_command" not in service.run("check", "--offline")


# --- `pbem status --check` ------------------------------------------------------------------------


class Disk(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def _disk_with_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(1000, 500, 500))


def judged(service: Service, *words: str, code: int) -> dict[str, tuple[str, str]]:
    """What is said of each check: `ok` or `WRONG`, and the rest of its line."""
    lines = service.run("status", "--check", *words, code=code).splitlines()
    found = [re.fullmatch(r"(ok   |WRONG) (\w+) +(.+)", line) for line in lines]
    return {one[2]: (one[1].strip(), one[3]) for one in found if one is not None}


@pytest.mark.usefixtures("_disk_with_room")
def test_the_status_checked_ends_with_1_unless_all_is_well(service: Service) -> None:
    before = judged(service, code=1)
    assert list(before) == list(CHECKS)
    assert before["writer"] == ("WRONG", "no service has been heard of: start `pbem serve`")
    assert list(judged(service, "--quiet", code=1)) == ["writer"]
    db = Database.open(service.database)
    db.write(partial(note_signs, name="writer", took=0.2, now=clock())).result()
    db.close()
    assert {mark for mark, _ in judged(service, code=0).values()} == {"ok"}
    assert judged(service, "--quiet", code=0) == {}


def test_the_status_checked_tells_of_a_database_that_is_none(
    service: Service,
) -> None:
    service.database.write_bytes(b"x" * 10_000)
    assert "is no database" in judged(service, code=1)["schema"][1]
    service.database.unlink()
    assert "there is no database at" in judged(service, code=1)["schema"][1]
