"""What hostile letters are made of, and how to see what came of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from email import message_from_bytes
from email.utils import parseaddr
from itertools import count
from pathlib import Path

from pbem.legacy.config.settings import Settings
from pbem.names import MatchId
from pbem.legacy.store import views
from pbem.legacy.store.mails import inbox
from pbem.legacy.store.people import roster
from pbem.legacy.wiring.correspondent import ReceivedMail
from tests.legacy.cli.service import run
from tests.legacy.clubs.club import ANN, BOB, CLEO, GAMES, Club
from tests.legacy.clubs.kept import kept

THIEF = "thief@evil.example"
NUMBERS = count(1)


@kept
async def registered(club: Club) -> None:
    """Ann, Bob and Cleo have said yes, and play nothing."""
    for person in (ANN, BOB, CLEO):
        await club.write(person, "help")
        await club.answer(person, "yes")


@kept
async def at_play(club: Club) -> MatchId:
    """Ann and Bob play Logger; Ann is to move."""
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    found = re.search(r"\[Logger (\w{5})\]", club.last(ANN).subject)
    assert found is not None
    return MatchId(found[1])


async def player(club: Club, address: str) -> roster.PlayerRow:
    row = await club.read(lambda conn: roster.player_by_address(conn, address))
    assert isinstance(row, roster.PlayerRow)
    return row


async def ply(club: Club, name: MatchId) -> int:
    row = await club.read(lambda conn: views.match_row(conn, name))
    assert isinstance(row, views.MatchRow)
    return row.ply


async def status(club: Club, name: MatchId) -> str:
    row = await club.read(lambda conn: views.match_row(conn, name))
    assert isinstance(row, views.MatchRow)
    return row.status


async def became(club: Club) -> inbox.InboxLine:
    """What became of the newest letter."""
    lines = await club.read(lambda conn: inbox.listed(conn, limit=1))
    assert isinstance(lines, list)
    return lines[0]  # type: ignore[no-any-return]


def to_of(mail: ReceivedMail) -> str:
    """The reply address of a mail."""
    return parseaddr(mail.reply_to)[1]


def newest(mails: Iterable[ReceivedMail], words: str) -> ReceivedMail:
    """The newest mail whose text has these words."""
    return next(mail for mail in reversed(list(mails)) if words in " ".join(mail.text.split()))


def raw(sender: str, to: str, text: str, **headers: str) -> bytes:
    """A letter byte for byte, with headers that no library would write."""
    ident = f"<{next(NUMBERS)}@mua.example>"
    fields = {"From": sender, "To": to, "Subject": "Hello", "Message_ID": ident, **headers}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    kind = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
    return f"{head}{kind}\r\n{text}\r\n".encode()


def header_names(mail: ReceivedMail) -> set[str]:
    return {name.lower() for name in message_from_bytes(mail.raw)}


def with_settings(club: Club, settings: Settings) -> None:
    club.house = replace(club.house, settings=settings)


async def bounce(club: Club, reader: str, earlier: int = 0) -> None:
    """The newest mail to somebody, or one earlier, comes back for good."""
    sent = [envelope for envelope in club.envelopes if reader in envelope.rcpt_to][-1 - earlier]
    await club.post(bounce_of(sent.mail_from, reader, club.written))


def bounce_of(mail_from: str, reader: str, number: int) -> bytes:
    return (
        f"From: MAILER-DAEMON@mx.example\r\nTo: {mail_from}\r\nSubject: failed\r\n"
        f"Message-ID: <{number}@mx.example>\r\nReturn-Path: <>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: rfc822; {reader}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    ).encode()


def tags_of(mail: ReceivedMail) -> set[str]:
    """What proves that an answer comes from this mail's reader."""
    line = re.search(r"\[ref\s(\S+?)\]", mail.text)
    own = {to_of(mail), mail.message_id.strip("<>")}
    return own | ({line[1]} if line else set())


def run_cli(folder: Path, *arguments: str) -> str:
    """A command of the operator on the club's database."""
    config = folder / "pbem.toml"
    config.write_text(
        f'[site]\naddress = "{GAMES}"\n[store]\ndatabase = "{folder / "pbem.db"}"\n'
        f'[keys]\nfile = "{folder / "keys.toml"}"\n'
    )
    result = run("--config", str(config), *arguments)
    assert result.exit_code == 0, result.output
    return result.output
