"""Who wrote an email, and what may be sent to whom: each sentence of the rules, attacked.

Each row of `SENTENCES` is a sentence in short, with conversations that would go wrong if it did not
hold. They are written as in tests/conversations (see its README), with four additions:

- `{bob turn address}`, `{bob turn id}` and `{bob turn root}` are the reply address, the Message-ID
  and the first of the References of the newest email of a kind to a person;
- `{games/ 900 times}` is that text so often; a slash in it is a line end;
- the step `raw` posts its text as it is, below a verdict of our own mail server if the step names
  one: `raw pass ann`. It adds From, To and Message-ID unless the text has them;
- the step `complaint cleo question` posts a spam complaint about that email.
"""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from email.utils import format_datetime, parseaddr
from pathlib import Path
from typing import Final

import pytest
from structlog.testing import capture_logs

from pbem.mail.commands import parse
from pbem.service.registry import command_table
from tests.conversations.runner import Conversation
from tests.conversations.script import PEOPLE, Step, parse_script
from tests.conversations.service import DrivenService

MOST_SECONDS: Final = 1.0  # of the processor for one email
_TIMES: Final = re.compile(r"\{(.+?) (\d+) times\}")
_COMPLAINT: Final = re.compile(r"^complaint (\w+ \w+)\n", re.MULTILINE)
_PLACE: Final = re.compile(r"\{(\w+) (\w+) (address|tag|tap|id|root)\}")


class Attack(Conversation):
    """A conversation in which some people forge what they send."""

    async def _play(self, step: Step) -> None:
        if step.words[0] != "raw":
            await super()._play(step)
            return
        self._acts()
        *verdict, name = step.words[1:] or ["nobody"]
        usual = {
            "Date": format_datetime(self.now),
            "From": PEOPLE.get(name, ""),
            "To": "games@pbem.example",
            "Message-ID": f"<{self.rng.randbytes(8).hex()}@mallory.example>",
        }
        head = step.text.partition("\n\n")[0]
        named = {line.partition(":")[0] for line in head.splitlines()}
        fields = [f"{key}: {value}" for key, value in usual.items() if key not in named]
        if verdict:
            domain = parseaddr(PEOPLE[name])[1].partition("@")[2]
            result = f"dmarc={verdict[0]} header.from={domain}"
            fields.insert(0, f"Authentication-Results: mx.pbem.example; {result}")
        text = "\n".join([*fields, self._named(step.text)])
        await self._post(text.replace("\n", "\r\n").encode())

    def _named(self, text: str) -> str:
        text = _TIMES.sub(lambda found: found[1].replace("/", "\n") * int(found[2]), text)
        return super()._named(_PLACE.sub(self._find_place, text))

    def _find_place(self, found: re.Match[str]) -> str:
        email = self.find_last(found[1], found[2])
        address = parseaddr(email.reply_to)[1]
        tag = address.partition("+")[2].partition("@")[0]
        texts = {"address": address, "tag": tag, "tap": address.replace("+", "%2B")}
        if found[3] in texts:
            return texts[found[3]]
        return email.message_id if found[3] == "id" else email.references.split()[0]


# The step `complaint` as a step `raw`.
COMPLAINT: Final = """\
raw
    From: Feedback <fbl@isp.example>
    To: {EMAIL address}
    Message-ID: <1@isp.example>
    Subject: complaint
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=feedback-report; boundary=b

    --b
    Content-Type: text/plain

    This is a complaint.
    --b
    Content-Type: message/feedback-report

    Feedback-Type: abuse
    User-Agent: x/1
    Version: 1

    --b
    Content-Type: message/rfc822

    From: games@pbem.example
    Message-ID: {EMAIL id}
    Subject: x

    text
    --b--
"""


async def play(folder: Path, text: str) -> None:
    """Play a conversation that stands in a string.

    No email may fail, and no line of our emails may read as a yes.
    """
    text = _COMPLAINT.sub(lambda step: COMPLAINT.replace("EMAIL", step[1]), text)
    attack = Attack(parse_script(text), folder, DrivenService)
    await attack.play()
    lines = [line for email in attack.received for line in email.text.splitlines()]
    assert [line for line in lines if parse(line, command_table(), None).is_strict_yes] == []
    with closing(sqlite3.connect(folder / "pbem.db")) as database:
        assert database.execute("SELECT error FROM inbox WHERE error != ''").fetchall() == []


SENTENCES: Final = {
    "read from our own Message-ID in In-Reply-To: of an email to this player": """
match logger ann bob
ann replies
    place a1
raw bob
    In-Reply-To: {ann turn id}
    References: {ann turn root} {bob start root} {ann turn id}
    Subject: The ids that Ann knows prove nothing in Bob's name

    place e5
expect ann nothing
raw bob
    In-Reply-To: {bob turn id}
    Subject: The id of his own email does

    say Hi Ann
expect ann message
raw bob
    To: {bob turn address}
    In-Reply-To: {ann turn id}
    Subject: His address counts more than the id

    place e5
expect ann turn
""",
    "a copy to another player has shown the tag: that of the address it went to": """
register ann
ann writes
    games
match logger ann bob
ann replies to answer verdict none
    + Cc: Bob <bob@example.net>
    say Hi Bob
expect bob message
expect ann account
    Bob
raw ann
    To: {ann welcome address}
    Subject: Bob has the address of a player from Ann's copy

    place a1
expect bob nothing
""",
    "a copy to another player has shown the tag: the Message-ID that stands for it": """
match logger ann bob
ann writes
    + In-Reply-To: {ann turn id}
    + Cc: Bob <bob@example.net>
    say Hi Bob
expect bob message
expect ann account|answer
    Bob
raw ann
    In-Reply-To: {ann turn id}
    Subject: Bob has the id from Ann's copy

    place a1
expect bob nothing
""",
    "asked: five questions a day with a tag, but not with a tag of another player": """
register ann bob
bob writes
    new address
bob replies to question
    yes
raw ann
    To: {bob welcome address}
    Subject: Bob has an old address of his own

    set language de
raw ann
    To: {bob welcome address}
    Subject: Bob has an old address of his own

    set window 1
raw ann
    To: {bob welcome address}
    Subject: Bob has an old address of his own

    set window 2
expect ann question
raw ann
    To: {bob welcome address}
    Subject: Bob has an old address of his own

    set digest on
expect ann nothing
expect bob nothing
""",
    "a copy to another player has shown the tag: of an invitation": """
register ann
ann writes
    new logger with bob@example.net starter=given
bob replies verdict none
    + Cc: Ann <ann@example.org>
    yes
expect bob account|start
    Ann
ann replies to turn
    place a1
raw bob
    To: {bob invitation address}
    Subject: Ann has the address from Bob's copy

    place e5
expect ann nothing
bob replies to turn
    place e5
expect ann turn
""",
    "a copy to another player has shown the tag: of a question to a new address": """
address bob work bob@work.example
register ann
ann writes
    new logger with bob@example.net starter=given
bob replies from work
    yes
expect bob question
bob replies to question from work
    + Cc: Ann <ann@example.org>
    yes
expect ann turn
ann replies to turn
    place a1
raw
    From: Bob <bob@work.example>
    To: {bob question address}
    Subject: Ann has the address from Bob's copy

    place e5
expect ann nothing
bob replies to turn from work
    place e5
expect ann turn
""",
    "verified: Date is at most 7 days away, and no other Date stands above it": """
match logger ann bob
raw pass ann
    Date: Sat, 21 Nov 2026 12:03:00 +0000
    Date: Tue, 01 Sep 2026 12:00:00 +0000
    Subject: The second Date is signed

    place a1
expect bob nothing
raw pass ann
    Date: Tue, 01 Sep 2026 12:00:00 +0000
    Subject: Signed long ago

    place a1
expect bob nothing
raw pass ann
    Date: Tue, 01 Dec 2026 12:00:00 +0000
    Subject: Signed for later

    place a1
expect bob nothing
""",
    "verified: our public address is in To or Cc, and no other To stands above it": """
match logger ann bob
raw pass ann
    To: games@pbem.example
    To: bob@example.net
    Subject: The second To is signed

    place a1
expect bob nothing
raw pass ann
    Delivered-To: games@pbem.example
    To: bob@example.net
    Subject: Sent to Bob, and by him to us

    place a1
expect bob nothing
""",
    "verified: the verdict is about what is read, not about another part of the body": """
match logger ann bob
raw pass ann
    Content-Type: multipart/mixed; boundary=quoted
    From: Ann <ann@example.org>
    To: games@pbem.example
    Message-ID: <1@example.org>
    Content-Type: text/plain
    Subject: Only the text is signed

    Bob wrote me this:
    --quoted

    place a1
    --quoted--
expect bob nothing
""",
    "verified: a signed email that is sent again by others is carried out once": """
match logger ann bob
raw pass ann
    To: games@pbem.example
    Cc: bob@example.net
    Message-ID: <1@example.org>
    Subject: Hello

    say Hello
expect bob message exactly 1
raw pass ann
    To: games@pbem.example
    Cc: bob@example.net
    Message-ID: <1@example.org>
    Subject: Hello

    say  Hello
expect bob nothing
""",
    "stranger: verdict fail: nothing": """
raw fail cleo
    Subject: Hello

    hello
expect cleo nothing
""",
    "never, or an unsubscribe, of a stranger: only by themselves": """
register ann
ann writes
    new logger with bob@example.net
raw cleo
    To: {bob invitation address}
    Subject: Bob answers in Cleo's name

    never
raw cleo
    Subject: unsubscribe

    unsubscribe
ann writes
    new logger with cleo@example.com
expect cleo invitation
wait 1 day
raw pass dora
    Subject: Hello

    hello
raw emil
    To: {dora question address}
    Subject: unsubscribe

    unsubscribe
ann writes
    new logger with emil@example.info
expect emil invitation
raw dora
    To: {dora question address}
    Subject: unsubscribe

    unsubscribe
raw pass finn
    Subject: Unsubscribe

    unsubscribe
wait 2 days
ann writes
    new logger with dora@example.edu
expect dora nothing
ann writes
    new logger with finn@example.biz
expect finn nothing
""",
    "never is lifted only by their own verified email": """
register ann
ann writes
    new logger with cleo@example.com
cleo replies
    never
wait 2 days
raw pass cleo
    Date: Tue, 01 Sep 2026 12:00:00 +0000
    To: bob@example.net
    Delivered-To: games@pbem.example
    Subject: Signed long ago, and sent to us by Bob

    hello
expect cleo nothing
raw cleo
    Subject: Forged

    hello
expect cleo nothing
cleo writes
    hello
expect cleo question
""",
    "never of a player: no question because of forgers": """
register ann
ann writes
    never
wait 2 days
raw ann
    Subject: Forged

    set language de
expect ann nothing
ann writes
    start
expect ann answer
""",
    "an owner is asked about the same only once while the question is open": """
register ann
ann writes verdict none
    games
expect ann question
wait 3 days
ann writes verdict none
    games
expect ann nothing
wait 15 days
ann writes verdict none
    games
expect ann question
""",
    "an invitation gets one hint for any answer but yes, and none after a refusing word": """
register ann
ann writes
    new logger with bob@example.net starter=given

    new logger with cleo@example.com
bob replies
    What is this?
expect bob answer exactly 1
    tap: yes
bob replies to invitation
    Who are you?
expect bob nothing
bob replies to invitation
    Yes, and who are you?
expect bob nothing
cleo replies
    Yes, stop this
expect cleo nothing
expect ann nothing
bob replies to invitation
    yes
expect ann turn
""",
    "hostile text never crashes: an address in a thousand brackets": """
register ann
ann writes
    address add {( 900 times}
expect ann refusal
""",
    "a flood in one email is refused as a whole": """
match logger ann bob
ann replies
    {games/ 21 times}
expect ann refusal exactly 1
ann replies to turn
    {say hello// 21 times}
expect ann refusal exactly 1
expect bob nothing
ann replies to turn
    {games/ 20 times}
expect ann answer exactly 1
""",
    "texts of players pass a filter: for tags, also as they are in taps, and Message-IDs": """
match logger ann bob
ann replies
    say Look at mailto:{ann turn tap}?body=x and games+{ann turn tag} or {ann turn id} there
expect bob message
    Look at
    there
    not: {ann turn tag}
    not: {ann turn id}
ann replies to turn
    name {ann turn tag}
expect ann refusal
""",
    "texts of players pass a filter: they are text in HTML": """
match logger ann bob
ann replies
    say <script>alert(1)</script>
expect bob message
    html: &lt;script&gt;
ann replies to turn
    name Ann <b>
expect ann refusal
""",
    "a spam complaint of a stranger: never again": """
register ann
cleo writes
    hello
expect cleo question
complaint cleo question
expect cleo nothing
wait 2 days
ann writes
    new logger with cleo@example.com
expect cleo nothing
""",
    "a spam complaint about an email whose reader has deleted the account changes nothing": """
register ann
ann writes
    delete me
ann replies
    yes
complaint ann welcome
ann writes
    hello
expect ann question
""",
    "a spam complaint of a player stops emails, and not those of others": """
register ann bob
ann writes
    address add cleo@example.com
ann replies to question
    yes
raw
    From: Feedback <fbl@isp.example>
    Subject: complaint
    Feedback-Type: abuse

    Message-ID: {cleo question id}
bob writes
    new logger with ann@example.org
expect ann invitation
raw
    From: Feedback <fbl@isp.example>
    Subject: complaint
    Feedback-Type: abuse

    Message-ID: {ann invitation id}
bob writes
    new logger with ann@example.org
expect ann nothing
""",
    "verified: From is one of the player's addresses, and exactly one address": """
register ann
raw pass ann
    From: Ann <ann@example.org>
    From: Bob <bob@example.net>
    Subject: Two From fields

    games
raw pass ann
    From: ann@example.org, bob@example.net
    Subject: Two addresses

    games
raw pass ann
    From: "ann@example.org" <mallory@example.com>
    Subject: An address as a name

    games
raw pass ann
    From: =?utf-8?q?ann=40example=2Eorg?= <mallory@example.com>
    Subject: The same in an encoded word

    games
raw pass ann
    From: Friends: ann@example.org;
    Subject: A group

    games
raw pass ann
    From: ann＠example.org
    Subject: A wide @

    games
expect ann nothing
""",
    "verified: the verdict is that of the configured server, topmost, and aligned": """
register ann
raw ann
    Authentication-Results: other.example; dmarc=pass header.from=example.org
    Authentication-Results: mx.pbem.example; dmarc=pass header.from=example.org
    Subject: The second is forged

    games
expect ann question
    not: no games
wait 2 days
raw ann
    Authentication-Results: mx.pbem.example;
     spf=pass smtp.mailfrom="; dmarc=pass header.from=example.org"@mallory.example;
     dkim=pass (; dmarc=pass header.from=example.org) header.d=mallory.example
    Subject: Words of the sender in the verdict

    settings
expect ann question
""",
    "verified: the tag is that of this player and match, and current": """
match logger ann bob
match looney_ludo bob ann
ann replies to turn in M1
    place a1
expect bob turn in M1
raw bob
    To: {ann turn address}
    Subject: Ann's own address

    place e5
expect ann question
expect bob nothing
raw bob
    To: {bob turn address}x
    Subject: One letter more

    place e5
expect ann nothing
""",
    "verified: the verdict at a tag is not fail": """
match logger ann bob
raw fail ann
    To: {ann turn address}
    Subject: Our server says that it is forged

    place a1
expect bob nothing
expect ann question
""",
    "answers go to the player's addresses only; Reply-To is never read": """
register ann
ann writes
    + Reply-To: cleo@example.com
    games
expect ann answer
expect cleo nothing
""",
    "without a tag the only running match is meant; with several we ask": """
match logger ann bob
ann writes
    place a1
expect bob turn in M1
match logger ann cleo
bob replies to turn in M1
    place e5
ann writes
    record
expect ann refusal
""",
    "asked: a question goes to the registered address, without free text": """
register ann bob
raw ann
    Subject: https://mallory.example

    mute Your account is locked, see https://mallory.example
    say Your account is locked
expect ann question exactly 1
    to: ann@example.org
    not: mallory
    not: locked
""",
    "asked: three questions a day without a tag, five with one": """
match logger ann bob
raw ann
    Subject: Forged

    set window 1
raw ann
    Subject: Forged

    set window 2
raw ann
    Subject: Forged

    set window 3
expect ann question exactly 1
raw ann
    Subject: Forged

    set digest on
expect ann nothing
wait 2 days
raw cleo
    To: {ann turn address}
    Subject: At Ann's address

    board
raw cleo
    To: {ann turn address}
    Subject: At Ann's address

    history
raw cleo
    To: {ann turn address}
    Subject: At Ann's address

    record
raw cleo
    To: {ann turn address}
    Subject: At Ann's address

    games
raw cleo
    To: {ann turn address}
    Subject: At Ann's address

    help
expect ann question exactly 1
raw cleo
    To: {ann turn address}
    Subject: At Ann's address

    time
expect ann nothing
expect cleo nothing
""",
    "stranger: one question to a mailbox, whatever follows its plus sign": """
raw
    From: Cleo <Cleo+1@Example.com>
    Subject: Forged

    hello
raw
    From: Cleo <cleo+2@example.com>
    Subject: Forged

    hello
register ann
ann writes
    new logger with cleo+3@example.com
expect ann refusal
""",
    "yes counts only at the address of the question, from an address of its player": """
register ann bob
ann writes
    delete me
raw bob
    To: {ann question address}
    Subject: Somebody else answers

    yes
expect ann nothing
expect bob nothing
ann writes
    + In-Reply-To: {ann question id}
    yes
expect ann answer
    tap: help
ann writes
    yes
raw pass ann
    To: {ann welcome address}
    In-Reply-To: {ann question id}
    Subject: At another address

    yes
ann writes
    settings
expect ann answer
    name: Ann
""",
    "yes works once, and lapses when its player moves": """
match logger ann bob
ann replies
    resign
expect ann question
ann replies to turn
    place a1
expect bob turn
ann replies to question
    yes
expect bob nothing
verify M1
""",
    "grave questions live 3 days": """
register ann
ann writes
    delete me
wait 4 days
ann replies to question
    yes
expect ann refusal
""",
    "grave: yes is strict": """
register ann
ann writes
    delete me
ann replies to question
    > yes
expect ann question
    tap: yes
ann replies to question
    Hm.
    --
    yes
expect ann nothing
ann writes
    delete me
ann replies to question
    yes?
expect ann question
ann replies to question
    да
expect ann nothing
ann writes
    delete me
ann replies to question
    yes
    but not today
expect ann nothing
ann writes
    settings
expect ann answer
    name: Ann
ann writes
    delete me
ann replies to question
    Ja

    This email was not scanned. No virus was found.
expect ann account
""",
    "grave commands are asked at the main address; address add then at the new one": """
address ann work ann@work.example
register ann
ann writes
    address add ann@work.example
expect ann question exactly 1
    to: ann@example.org
ann replies to question
    yes
expect ann question exactly 1
    to: ann@work.example
ann replies to question from work
    yes
expect ann account
    to: ann@example.org
ann writes from work
    delete me
expect ann question exactly 1
    to: ann@example.org
ann writes from work
    new address
expect ann question exactly 1
    to: ann@example.org
ann writes from work
    address remove ann@example.org
expect ann question exactly 1
    to: ann@example.org
""",
    "new address closes the questions": """
match logger ann bob
ann replies
    resign
ann writes
    new address
ann replies to question
    yes
expect ann account
raw ann
    To: {ann turn address}
    Subject: An old tag

    place a1
expect bob nothing
expect ann question
""",
    "stop gets one last email with start": """
register ann bob
ann writes
    stop
expect ann answer exactly 1
    start
bob writes
    new logger with ann@example.org
expect ann nothing
""",
    "stranger: only a signed email adds to what a yes does": """
cleo writes
    hello
raw cleo
    Subject: Forged

    new logger with dora@example.edu
cleo replies
    yes
expect cleo welcome
expect dora nothing
""",
    "List-Unsubscribe is silent": """
register ann bob
raw ann
    Subject: unsubscribe

    unsubscribe
bob writes
    new logger with ann@example.org
expect ann invitation
ann unsubscribes
expect ann nothing
bob writes
    new logger with ann@example.org
expect ann nothing
""",
    "automatic mail is neither answered nor carried out": """
match logger ann bob
ann replies
    + Auto-Submitted: auto-replied
    place a1
ann replies
    + Subject: Automatic reply: out of office
    place a1
ann replies
    + List-Id: <x.example>
    place a1
ann replies
    + Precedence: bulk
    place a1
ann replies
    + X-Autoreply: yes
    place a1
expect ann nothing
expect bob nothing
ann writes
    delete me
ann replies to question
    + Auto-Submitted: auto-replied
    yes
expect ann nothing
""",
    "what a spectator may see: nothing of a seat, and nothing to do in the match": """
match logger ann bob
register cleo
cleo writes
    watch {M1}
expect cleo answer
cleo replies
    resign
cleo replies to answer
    place a1
cleo replies to answer
    say hello
cleo replies to answer
    rematch
cleo replies to answer
    give ann 2 days
cleo replies to answer
    messages
cleo replies to answer
    leave
cleo replies to answer
    yes
expect ann nothing
expect bob nothing
verify M1
""",
    "no line of ours reads as a yes, nor do those in German": """
register ann
ann writes
    set language de
ann writes
    delete me
expect ann question
    tap: ja
ann writes
    new logger with bob@example.net starter=given
bob replies
    hm
bob replies
    ja
ann replies to turn
    resign
ann replies to question
    hm
expect ann question
    tap: ja
""",
    "a copy to another player has shown the tag: to another address of the same mailbox": """
match logger ann bob
ann replies verdict none
    + Cc: Bob <bob+games@example.net>
    say Hi Bob
expect ann account|answer
    Bob
raw ann
    To: {ann turn address}
    Subject: Bob has the address from Ann's copy

    place a1
expect bob nothing
""",
    "texts of players pass a filter: no name is a link": """
ann writes
    hello
ann replies
    + From: Win at mallory.example now <ann@example.org>
    yes
expect ann welcome
ann writes
    name www.mallory.example
expect ann refusal
ann writes
    new logger with bob@example.net
expect bob invitation
    Win at mallory example now
    not: mallory.example
""",
    "stranger: a question goes to a public address only": """
address cleo local root@localhost
cleo writes from local verdict none
    hello
expect cleo nothing
""",
    "an invitation answered from another address is that address's alone": """
address bob friend friend@work.example
register ann
ann writes
    new logger with bob@example.net starter=given
bob replies from friend
    yes
bob replies to question from friend
    yes
expect ann turn
ann replies to turn
    place a1
bob writes
    settings
expect bob question
    to: bob@example.net
bob replies to invitation
    place e5
raw
    From: Friend <friend@work.example>
    To: {bob invitation address}
    Subject: Bob still has the invitation

    place e5
expect ann nothing
bob replies to turn from friend
    place e5
expect ann turn
""",
}


@pytest.mark.parametrize("sentence", SENTENCES)
async def test_sentence(sentence: str, tmp_path: Path) -> None:
    fault = ""
    try:
        await play(tmp_path, SENTENCES[sentence])
    except AssertionError as error:
        fault = str(error)
    if fault:
        pytest.fail(fault, pytrace=False)


HOSTILE: Final = {
    "parts": b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\ngames\r\n" * 5000,
    "nested parts": b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n)
        for n in range(2000)
    ),
    "headers": b"X-A: b\r\n" * 5000 + b"\r\ngames",
    "one line of 50 MB": b"\r\n" + b"a" * (50 << 20),
    "codec that is no charset": b'Content-Type: text/plain; charset="zlib"\r\n\r\n\xff\xfe',
    "charset that raises": b"Content-Type: text/plain; charset=idna\r\n\r\ngames \xff",
    "half characters": b"Content-Type: text/plain; charset=utf-7\r\n\r\nsay +2AA- +3/8-",
    "NUL": b"Message-ID: <a\0@b>\r\nSubject: a\0b\r\n\r\nname a\0b\r\n",
    "unknown encoding": b"Content-Transfer-Encoding: x-gzip\r\n\r\n\x1f\x8b\x08",
    "Date that cannot be": b"Date: Fri, 31 Dec 9999 23:59:59 -2300\r\n\r\ngames",
    "expanding signs": b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
    + b"\xef\xb7\xba" * 90_000,
    "unclosed tags": b"Content-Type: text/html\r\n\r\n" + b"<div><blockquote>" * 20_000,
}


async def test_hostile_emails_are_processed_at_once_and_never_fail(tmp_path: Path) -> None:
    attack = Attack(parse_script("register ann\n"), tmp_path, DrivenService)
    head = (
        b"Authentication-Results: mx.pbem.example; dmarc=pass header.from=example.org\r\n"
        b"From: Ann <ann@example.org>\r\nTo: games@pbem.example\r\n"
    )
    async with attack.playing():
        for name, data in HOSTILE.items():
            began = time.process_time()
            with capture_logs() as logs:
                await attack._post(head + data)
            events = [entry["event"] for entry in logs]
            assert "message_processed" in events, name
            assert "message_failed" not in events, name
            assert time.process_time() - began < MOST_SECONDS, name
