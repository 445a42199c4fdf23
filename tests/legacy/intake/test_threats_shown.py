"""What a hostile letter may try: what others are shown, and what the log keeps (MAIL 3, 6)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from email.utils import parseaddr
from pathlib import Path

import pytest
import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError
from structlog.testing import LogCapture

from pbem.legacy.cli.serve import redacted
from pbem.legacy.config.settings import Imap
from pbem.games.game import Seat
from pbem.legacy.intake.intent import Intent
from pbem.legacy.intake.take_letter import Taken
from pbem.legacy.mail.addresses import SeatAddress, mint, without_tags
from pbem.names import MatchId, PlayerId
from pbem.legacy.notices.rendering.render import Rendered, Renderer
from pbem.legacy.notices.views.scene import View
from pbem.legacy.store.mails import inbox
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.installation import House
from pbem.legacy.transport import Envelope
from tests.legacy.clubs.club import ANN, BOB, CLEO, GAMES, Club, open_club
from tests.legacy.clubs.hostile import (
    THIEF,
    at_play,
    bounce,
    header_names,
    newest,
    player,
    ply,
    raw,
    status,
    tags_of,
    to_of,
    with_settings,
)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


# --- what others are shown ------------------------------------------------------------------------

EVIL_NAMES = (
    "=?utf-8?q?Eve=0D=0ABcc:_victim=40example.org?=",
    "=?utf-8?q?Eve=0ABcc=3A_x?=",
    "=?utf-8?b?RXZlDQpCY2M6IHZpY3RpbUBleGFtcGxlLm9yZw==?=",
    '"Eve\\\r\n Bcc: victim@example.org"',
)


@pytest.mark.parametrize("display", EVIL_NAMES)
async def test_no_display_name_injects_a_header(club: Club, display: str) -> None:
    # MAIL 6: player text is cleaned before it meets a header.
    await club.post(raw(f"{display} <eve@example.org>", GAMES, f"new logger with {BOB}"))
    if club.mails("eve@example.org"):
        await club.answer("eve@example.org", "yes")
        await club.answer(BOB, "accept")
    for _, mail in club.postbox.mails:
        assert "bcc" not in header_names(mail)
        assert all(len(line) <= 998 for line in mail.raw.split(b"\r\n"))
        assert b"\n\n" not in mail.raw.replace(b"\r\n", b"\n").split(b"\n\n", 1)[0]


async def test_no_subject_or_message_id_of_a_letter_injects_a_header(club: Club) -> None:
    await at_play(club)
    to = to_of(club.last(ANN))
    for ident in (
        "<a@b>\r\n\tBcc: x@y.example",
        "<a\u2028Bcc:@b>",
        "<=?utf-8?q?a=0D=0ABcc:_x?=@b>",
    ):
        evil = raw(ANN, to, "board", Message_ID=ident, Subject="=?utf-8?q?a=0D=0ABcc:_x=40y.z?=")
        await club.post(evil)
    assert all("bcc" not in header_names(mail) for _, mail in club.postbox.mails)
    assert b"Bcc" not in b"".join(mail.raw for mail in club.mails(ANN)[-3:])


async def test_what_is_said_injects_no_header_and_no_order_of_ours(club: Club) -> None:
    name = await at_play(club)
    await club.answer(
        ANN, "say resign yes\n.\nFrom me\nresign yes, he said\nBcc: victim@example.org"
    )
    mail = newest(club.mails(BOB), "From me")
    assert "bcc" not in header_names(mail)
    assert "victim" not in mail.text  # what is said ends above a header
    assert [
        line for line in mail.text.splitlines() if line.startswith((".", "From ", "resign"))
    ] == []
    assert "| resign yes\r\n| .\r\n| From me\r\n| resign yes, he said\r\n" in mail.text
    assert await status(club, name) == "running"


async def test_bidi_and_control_characters_reach_nobody(club: Club) -> None:
    await at_play(club)
    evil = "\x01\x05\x07\x1b[31m\u202egnp.exe\u2066\u200b\u2028x\u0085y\x06\x0e"
    await club.post(raw(ANN, to_of(club.last(ANN)), f"e1\n\nsay Look {evil} here\n"))
    mail = newest(club.mails(BOB), "Look")
    for part in (mail.text.replace("\r\n", ""), mail.html.replace("\r\n", "")):
        assert [char for char in part if not (char.isprintable() or char in "\n\t")] == []
    await club.post(raw(ANN, to_of(club.last(ANN)), f"name Ann{evil}\n"))
    name = (await player(club, ANN)).name
    assert name.isprintable()
    assert all(char.isprintable() for _, mail in club.postbox.mails for char in mail.subject)


async def test_html_in_chat_is_shown_and_not_run(club: Club) -> None:
    await at_play(club)
    evil = "<script>alert(1)</script><img src=http://evil.example/x.png onerror=a()>&lt;b&gt;"
    await club.answer(ANN, f"say {evil}")
    html = newest(club.mails(BOB), "alert(1)").html
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "&amp;lt;b&amp;gt;" in html


@pytest.mark.parametrize("evil", ["{{ 7*191 }}", "{% raw %}", "%(name)s 100%s", "{# x #}", "${7}"])
async def test_template_text_stays_text(club: Club, evil: str) -> None:
    await at_play(club)
    await club.answer(ANN, f"name {evil}")
    ann = await player(club, ANN)
    assert ann.name == "Ann"
    # Names that were given before this was refused stay.
    await asyncio.wrap_future(club.house.db.write(lambda conn: roster.rename(conn, ann.id, evil)))
    await club.answer(ANN, f"say I say {evil}")
    mail = newest(club.mails(BOB), "I say")
    assert f"I say {evil}" in mail.text
    assert evil in mail.text.split("\n", 1)[0]
    assert "1337" not in mail.text + mail.html


LOOKS_LIKE_BOB = (
    "bob", "BOB", "B ob", "B.o.b", "B-ob", "Bob!", "B0b", "Bób", "B\u200bob", "\uff22\uff4f\uff42",
    "\u0392\u03bfb", "\u0412ob", "B\u043eb", "\U0001d401\U0001d428\U0001d41b", "B\u3164ob",
    "Bo\u0336b", "\u0412\u043e\u0432",
)  # fmt: skip


@pytest.mark.parametrize("name", LOOKS_LIKE_BOB)
async def test_no_name_looks_like_another_players(club: Club, name: str) -> None:
    await at_play(club)
    await club.answer(ANN, f"name {name}")
    assert (await player(club, ANN)).name == "Ann"


async def test_a_newcomer_is_never_called_like_a_player_or_like_us(club: Club) -> None:
    await at_play(club)
    shown = ("Bob <eve@example.org>", "B\u043eb <bob@evil.example>", "Club <x@evil.example>")
    unasked, consented = [], []
    for sender in shown:
        address = parseaddr(sender)[1]
        await club.post(raw(sender, GAMES, "games"))
        unasked.append((await player(club, address)).name)
        asked = club.last(address)
        await club.post(raw(sender, to_of(asked), "yes", In_Reply_To=asked.message_id))
        assert "+p." in club.last(address).reply_to  # the answer counts
        consented.append((await player(club, address)).name)
    # They are called by their addresses, since none may have the name that they sign with.
    assert unasked == consented == ["Eve", "Bob 2", "X"]
    found = await club.read(lambda conn: roster.players_named(conn, "Bob"))
    assert [row.address for row in found] == [BOB]  # type: ignore[attr-defined]


# --- what is attached, and what is quoted ---------------------------------------------------------


@pytest.mark.parametrize("name", ["../../etc/cron.d/x", "/etc/passwd", "..\\x.txt", "a\x00b", "e1"])
async def test_attachments_are_neither_read_nor_kept_under_their_names(
    club: Club, tmp_path: Path, name: str
) -> None:
    match = await at_play(club)
    before = {path for path in tmp_path.parent.rglob("*") if "pbem.db" not in path.name}
    letter = club.letter(ANN, to_of(club.last(ANN)), "see the file")
    letter.add_attachment("e1\n", filename="x.txt")
    await club.post(letter.as_bytes().replace(b"x.txt", name.encode()))
    assert await ply(club, match) == 0
    assert {path for path in tmp_path.parent.rglob("*") if "pbem.db" not in path.name} == before


# --- nothing of one player's in another's mail ----------------------------------------------------


async def test_no_mail_has_the_token_address_or_letter_of_another(club: Club) -> None:
    await at_play(club)
    ids = []
    for reader, text in (
        (ANN, "Nice to meet you here, my friend!\n\ne1"),
        (BOB, "a5\n\nsay Hello Ann"),
        (ANN, "c3 plant c9"),
        (ANN, "e3 plant d3\n\nI write from ann@example.org by the way, do not tell"),
        (BOB, "verify\nrecord\nhistory\n\nboard"),
        (BOB, "offer draw"),
        (ANN, "say what now?"),
        (BOB, "resign yes"),
        (ANN, "rematch"),
        (BOB, "decline"),
    ):
        ids.append((reader, f"<{club.written}.ident@{reader.partition('@')[2]}>"))
        letter = club.letter(reader, to_of(club.last(reader)), text)
        letter.replace_header("Message-ID", ids[-1][1])
        await club.post(letter.as_bytes())
    await club.post(raw(THIEF, to_of(club.last(ANN)), "board\n\nmy thieving words"))
    for reader, other in ((ANN, BOB), (BOB, ANN)):
        theirs = {tag for mail in club.mails(other) for tag in tags_of(mail)}
        theirs |= {ident for writer, ident in ids if writer == other}
        theirs |= {other, THIEF}
        assert len(theirs) > 5
        # What a letter in her own name asked for is shown to Ann before it is done.
        for mail in (one for one in club.mails(reader) if "Do you want to play" not in one.text):
            everything = mail.raw.decode() + mail.text + mail.html + mail.subject
            assert [secret for secret in theirs if secret.casefold() in everything.casefold()] == []
    assert not any("thieving" in mail.text for mail in club.mails(BOB))


@pytest.mark.parametrize(
    "text",
    [
        "say Look: {to} and {line}\nBye",
        "say Look: {line}",
        "say A{line}B",
        "e1\n\nsay I see a {line} here",
    ],
)
async def test_a_quote_that_slipped_into_a_message_gives_no_token_away(
    club: Club, text: str
) -> None:
    await at_play(club)
    prompt = club.last(ANN)
    line = next(line for line in prompt.text.splitlines() if line.startswith("[ref"))
    await club.post(raw(ANN, to_of(prompt), text.format(line=line, to=to_of(prompt).upper())))
    tag = line.removeprefix("[ref ").rstrip("]").casefold()
    for mail in club.mails(BOB):
        assert tag not in (mail.raw.decode() + mail.text + mail.html).casefold()


async def test_only_tags_of_ours_are_taken_out_of_a_message(club: Club) -> None:
    keys = club.house.keys
    tag = mint(keys, SeatAddress(MatchId("K7QX2"), Seat(1)))
    said = f"Write to games+{tag}@pbem.example, {tag.upper()} or [ref {tag}], www.example.org!"
    assert without_tags(keys, said) == "Write to ,  or , www.example.org!"
    other = "k7qx2.1.aaaaaaaaaaaaaaaaaa"
    assert without_tags(keys, other) == other


# --- logs and reprs -------------------------------------------------------------------------------


@pytest.fixture
def log() -> Iterator[LogCapture]:
    """The lines of the log as `serve` writes them."""
    capture = LogCapture()
    structlog.configure(processors=[structlog.processors.format_exc_info, redacted, capture])
    yield capture
    structlog.reset_defaults()


async def test_the_log_holds_no_token_and_no_address(
    club: Club, log: LogCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_play(club)
    prompt = club.last(ANN)
    await club.answer(ANN, "e1")
    await club.answer(BOB, "nonsense of bob@example.net")
    await club.post(raw(THIEF, to_of(prompt), "e1"))
    await club.write(CLEO, "games")
    await bounce(club, BOB)

    def fails(conn: Connection, house: House, row: inbox.InboxRow, intent: Intent) -> Taken:
        del house
        letter = intent.letter
        if row.attempts == 1:  # an error of the database, which would repeat the row
            taken = roster.all_players(conn)[0].id
            roster.add_player(conn, taken, address=ANN, name="", now=row.received_at)
        raise ValueError(f"cannot take {letter.sender} to {letter.recipients}")

    monkeypatch.setattr("pbem.legacy.runners.receive.take", fails)
    await club.answer(BOB, "a5")
    monkeypatch.undo()

    def raises(_: Renderer, view: View) -> Rendered:
        raise ValueError(f"no mail for {view.reply_address} and {view.token_line}")

    monkeypatch.setattr(Renderer, "render", raises)
    await club.answer(BOB, "board")
    monkeypatch.undo()

    async def broken(envelope: Envelope) -> dict[str, object]:
        raise ConnectionError(f"{envelope.rcpt_to} from {envelope.mail_from} not taken")

    monkeypatch.setattr(club.postbox, "send", broken)
    await club.write("dan@example.org", "games")
    written = "\n".join(map(repr, log.entries)).casefold()
    assert "letter_failed" in written
    assert "integrityerror" in written
    assert "letter_shunted" in written
    assert "mail_failed" in written
    assert "send_failed" in written
    people = {ANN, BOB, CLEO, THIEF, "dan@example.org"}
    secrets = {tag for _, mail in club.postbox.mails for tag in tags_of(mail)} | people
    assert [secret for secret in secrets if secret.casefold() in written] == []


async def test_an_error_of_the_database_does_not_repeat_the_row(club: Club) -> None:
    await at_play(club)

    def twice(conn: Connection) -> None:
        roster.add_player(conn, PlayerId("x"), address=ANN, name="", now=club.house.now())

    with pytest.raises(IntegrityError) as caught:
        await asyncio.wrap_future(club.house.db.write(twice))
    assert ANN not in str(caught.value)


async def test_every_letter_has_one_structured_record(club: Club, log: LogCapture) -> None:
    match = await at_play(club)
    log.entries.clear()
    await club.answer(ANN, "e1")
    [line] = [entry for entry in log.entries if entry["event"] == "letter"]
    told = {name: line[name] for name in ("disposition", "code", "match", "ply")}
    assert told == {"disposition": "done", "code": None, "match": match, "ply": 1}


async def test_secrets_stand_in_no_repr(club: Club) -> None:
    imap = Imap.model_validate(
        {"host": "mx.example", "user": "games", "password": "tell-nobody", "port": 993}
    )
    with_settings(club, club.house.settings.model_copy(update={"imap": imap}))
    shown = repr(club.house) + repr(club.house.settings) + str(club.house.keys)
    assert "tell-nobody" not in shown
    assert repr(club.house.keys.secrets["a"]) not in shown
    assert club.house.keys.secrets["a"].hex() not in shown
