"""docs/operators.md is followed to the letter: what it says of Postfix's files works."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import smtplib
import subprocess
from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path
from typing import Final

import pytest

from pbem.config import FIRST_KEY, AddressKeys, write_keys
from pbem.config.settings import KeyStore, Lmtp, Settings, Site, Smtp, Store
from pbem.store.schema import migrate
from pbem.wiring.correspondent import ReceivedMail
from pbem.wiring.service import open_house, run
from tests.servers import (
    HOST,
    PostfixServer,
    Sink,
    free_port,
    needs_postfix,
    open_folder,
    sink,
    wait_for_port,
)

PAGE: Final = Path(__file__).parents[2] / "docs" / "operators.md"
FILES: Final = re.compile(r"^```\n(# /etc/postfix/.*?)^```$", re.MULTILINE | re.DOTALL)
GAMES, ANN = "games@example.org", "ann@example.net"

OWN = """
queue_directory = {base}/queue
data_directory = {base}/data
maillog_file = {base}/maillog
maillog_file_prefixes = {base}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
compatibility_level = 3.6
myhostname = mx.example.org
mydestination = example.org
alias_maps = hash:{base}/etc/aliases
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
address_verify_poll_delay = 1s
"""


def test_a_script_for_commands_runs_and_leaves_no_password(tmp_path: Path) -> None:
    """The script of docs/installing.md, with folders and a user of the test's."""
    page = (PAGE.parent / "installing.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"^```sh\n(#!/bin/sh\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "bin").mkdir()
    for name, text in {
        "runuser": '#!/bin/sh\nshift 3\nexec "$@"\n',
        "install": '#!/bin/sh\ncp "$5" "$6"\n',
        "pbem": '#!/bin/sh\npwd\necho "$@"\ncat "$PBEM_IMAP__PASSWORD_FILE"\nexit 3\n',
    }.items():
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    for path in ("run", "etc", "var"):
        (tmp_path / path).mkdir()
    (tmp_path / "etc/mail-password").write_text("hunter2\n")
    for there, here in {
        "/run/": f"{tmp_path}/run/",
        "/etc/pbem/": f"{tmp_path}/etc/",
        "/var/lib/pbem": f"{tmp_path}/var",
        "/opt/pbem/bin/": f"{tmp_path}/bin/",
    }.items():
        assert there in script
        script = script.replace(there, here)
    done = subprocess.run(
        ["sh", "-c", script, "pbem", "check", "--loop"],
        env={"PATH": f"{tmp_path}/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [f"{tmp_path}/var", "check --loop", "hunter2"], done.stderr
    assert done.returncode == 3
    assert list((tmp_path / "run").iterdir()) == []


def configure(base: Path, lmtp_port: int) -> PostfixServer:
    """A Postfix like a fresh one, in which `games` is an alias, and what the page says added."""
    server = PostfixServer(base, lmtp_port)
    server.configure()
    etc = base / "etc"
    (etc / "main.cf").write_text(OWN.format(base=base))
    (etc / "aliases").write_text("games: postmaster\n")
    compile_table("postalias", etc, "aliases")
    blocks = FILES.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) == 2
    for block in blocks:
        text = block.replace(":2424", f":{lmtp_port}")
        main, table = re.split(r"^# /etc/postfix/(?!main)", text, maxsplit=1, flags=re.MULTILINE)
        with (etc / "main.cf").open("a") as file:
            file.write(main.replace("/etc/postfix/", f"{etc}/"))
        name, _, lines = table.partition(",")
        (etc / name).write_text(lines.partition("\n")[2])
        compile_table("postmap", etc, name)
    return server


def compile_table(program: str, etc: Path, name: str) -> None:
    found = shutil.which(program, path="/usr/sbin:/usr/local/sbin:/usr/bin")
    assert found is not None
    subprocess.run([found, "-c", str(etc), f"hash:{etc}/{name}"], check=True, timeout=120)


@contextlib.asynccontextmanager
async def service(folder: Path, lmtp_port: int, smtp_port: int) -> AsyncIterator[None]:
    keys, database = folder / "keys.toml", folder / "pbem.db"
    write_keys(keys, AddressKeys(FIRST_KEY, {FIRST_KEY: bytes(range(32))}))
    migrate(database)
    settings = Settings(
        site=Site(title="Club", address=GAMES),
        store=Store(database=database),
        keys=KeyStore(file=keys),
        lmtp=Lmtp(enabled=True, port=lmtp_port),
        smtp=Smtp.model_validate({"host": HOST, "port": smtp_port, "security": "none"}),
    )
    stop = asyncio.Event()
    with open_house(settings) as house:
        running = asyncio.create_task(run(house, stop))
        try:
            await asyncio.to_thread(wait_for_port, lmtp_port)
            yield
        finally:
            stop.set()
            await running


def send(port: int, to: str, text: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = ANN, to, f"<{hash(text)}@example.net>"
    mail.set_content(text)
    with smtplib.SMTP(HOST, port, timeout=80) as talk:
        talk.sendmail(ANN, [to], mail.as_bytes())


async def arrived(relay: Sink, number: int) -> tuple[str, ReceivedMail]:
    """The newest of so many mails that the service has sent, and the sender of its envelope."""
    async with asyncio.timeout(80):
        while len(relay.mails) < number:  # noqa: ASYNC110 - the relay tells nobody
            await asyncio.sleep(0.05)
    sender, _, raw = relay.mails[-1]
    return sender, ReceivedMail.read(raw)


@needs_postfix
async def test_postfix_hands_mail_over_by_lmtp_as_the_page_says(tmp_path: Path) -> None:
    port = free_port()
    with open_folder() as base:
        postfix = configure(base, port)
        await asyncio.to_thread(postfix.start)
        try:
            async with sink() as relay, service(tmp_path, port, relay.port):
                await asyncio.to_thread(send, postfix.smtp_port, GAMES, "hello")
                sender, mail = await arrived(relay, 1)
                assert mail.subject == "Play at Club?"
                reply_to = mail.reply_to
                await asyncio.to_thread(send, postfix.smtp_port, reply_to, "yes")
                assert (await arrived(relay, 2))[1].subject == "Welcome to Club"
                # A bounce finds its way, and what we never made is refused at the door.
                await asyncio.to_thread(send, postfix.smtp_port, sender, "a bounce")
                for address in ("games+nonsense@example.org", sender.replace("+b.", "+b.x")):
                    with pytest.raises(smtplib.SMTPRecipientsRefused, match="no such address here"):
                        await asyncio.to_thread(send, postfix.smtp_port, address, "hello")
        finally:
            await asyncio.to_thread(postfix.stop)
