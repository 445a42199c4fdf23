"""Nothing that a stranger writes stands in a mail of ours to anybody who has not agreed to hear it.

Every place of a letter that its writer fills has a link, an address, a number to dial and a word
that nobody else uses; a question shows of all that what we would write ourselves.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import default
from pathlib import Path

import pytest

from pbem.intake.doubtful_orders import HIDDEN, registration_lines
from pbem.mail.free_text import read_orders
from pbem.mail.html import html_lines
from pbem.mail.verbs.verb_table import VERBS
from pbem.wiring.correspondent import ReceivedMail
from pbem.wiring.words import words_of
from tests.clubs.club import ANN, BOB, GAMES, Club, open_club
from tests.clubs.hostile import at_play, became, raw, to_of

EVE = "eve@example.com"
FILLED = ("http://evil.example/login", "www.evil.example", "buy@evil.example", "zyxgold dot com",
          "0900 123 4567")  # fmt: skip
MARKS = ("evil", "zyxgold", "0900", "4567")
LETTERS = (
    "new logger with {}",
    "new logger with bot tree_limit={}",
    "new {} with bot",
    "new landrush with bot, {} colours={}",
    "name {}", "say {}", "note {}", "mute {}", "block {}", "unblock {}", "why {}", "try {}",
    "accept {}", 'accept "{}"', "join K7QX2 {}", "watch {}", "board {}", "help {}", "rules {}",
    "address add {}", "address remove {}", "lang {}", "tz {}", "digest {}",
    "width {}", "set {} {}", "away {}", "quiet {}", "rest {}", "if {} then {}", "queue {}",
    "{}#1 e1", "K7QX2#{} e1", "e1 {}", "{} e1", "{}", "hepl {}", "stop {}", "open {}",
    "offer draw {}", "resign {}", "claim {}", "delete me {}",
)  # fmt: skip


def seen(mail: ReceivedMail) -> str:
    """All that a mail shows: its texts, subject and names, as they are read."""
    message = message_from_bytes(mail.raw, policy=default)
    shown = [str(make_header(decode_header(str(value)))) for name, value in message.items()
             if name.lower() in ("subject", "from", "to", "reply-to", "cc", "list-id")]  # fmt: skip
    for part in message.walk():
        if part.get_content_maintype() == "text":
            text = str(part.get_content())
            shown.append(text)
            if part.get_content_subtype() == "html":
                shown.extend(line.text for line in html_lines(text))
    return "\n".join(shown).casefold()


def quiet(club: Club, sent: int) -> None:
    """No mail since then shows anything of a letter."""
    for reader, mail in club.postbox.mails[sent:]:
        text = seen(mail)
        assert not [mark for mark in MARKS if mark in text], (reader, mail.text)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def filled(template: str, what: str) -> str:
    return template.replace("{}", what)


HEADERS = {
    "Subject": "zyxgold: Re: www.evil.example, new logger with buy@evil.example",
    "Reply_To": "buy@evil.example",
    "Message_ID": "<zyxgold@evil.example>",
    "Organization": "zyxgold",
}


MANY = [(template, FILLED[number % len(FILLED)]) for number, template in enumerate(LETTERS)]
ALL = [("\n\n".join(LETTERS), what) for what in FILLED]


async def test_registration_repeats_nothing(club: Club) -> None:
    """A letter in a stranger's name makes us write to them."""
    for number, (template, what) in enumerate([*MANY, *ALL]):
        sender = f'"zyxgold {what.replace("@", " ")}" <victim{number}@domain{number}.example>'
        await club.post(raw(sender, GAMES, filled(template, what), **HEADERS))
        sender = f'"zyxgold dot com" <v{number}@place{number}.example>'
        if number % 5 == 0:
            await club.post(raw(sender, GAMES, filled(template, what), **HEADERS))
    assert len(club.postbox.mails) > len(LETTERS)
    quiet(club, 0)


async def test_a_doubt_repeats_nothing(club: Club) -> None:
    """A letter with Ann's reply address, and one with her name alone."""
    await at_play(club)
    prompt = club.last(ANN)
    for number, (template, what) in enumerate([*MANY, *ALL]):
        sent = len(club.postbox.mails)
        sender, to = ((EVE, to_of(prompt)), (ANN, GAMES))[number % 2]
        text = filled(template, what)
        await club.post(raw(f'"zyxgold" <{sender}>', to, text, **HEADERS))
        assert (await became(club)).code == ("other_sender", "unproved")[number % 2]
        assert len(club.postbox.mails) == sent + 1
        quiet(club, sent)
        await club.wait(days=1)


@pytest.mark.parametrize("days", [0, 20])
async def test_who_has_seen_the_address_writes_to_nobody_through_us(club: Club, days: int) -> None:
    await at_play(club)
    old = to_of(club.last(ANN))
    await club.post(raw(ANN, old, "board", Cc=BOB))
    await club.wait(days=days)
    for template, what in [*MANY, *ALL][days > 0 :: 2]:
        sent = len(club.postbox.mails)
        await club.post(raw(ANN, old, filled(template, what), **HEADERS))
        assert len(club.postbox.mails) > sent
        quiet(club, sent)
        await club.wait(hours=3)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_an_order_of_our_own_is_shown_as_it_is_or_not_at_all(verb: object) -> None:
    """Who says yes has seen what they say it to, but for how the others are called, or they."""
    words = words_of()
    for example in verb.examples:  # type: ignore[attr-defined]
        line = example.format(move="e1", answer="a5")
        kept = registration_lines(read_orders([line], None, words=words), words)
        assert len(kept.shown) == len(kept.held)
        for held, shown in zip(kept.held, kept.shown, strict=True):
            assert shown == held or (HIDDEN in shown and shown.startswith(("new ", "name ")))
        assert kept.shown or kept.more or line in ("e1", "#12 e1"), line


@pytest.mark.parametrize(
    "line",
    ["Sprache Deutsch", "Bitte auf Deutsch", "lang german", "tz Europe/Berlin", "stopp alles",
     "neues Spiel Logger mit bot", "Breite 60", "stop chat", "window 0", "digest 18:00",
     "away 2026-12-24 2027-01-02", "quiet 22-7"],
)  # fmt: skip
def test_words_of_every_language_are_ours(line: str) -> None:
    words = words_of()
    kept = registration_lines(read_orders([line], None, words=words), words)
    assert kept.shown == kept.held == (line,)
    assert not kept.more
