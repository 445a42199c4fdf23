"""What Python's own parser reads of a composed mail is what was put in."""

from __future__ import annotations

import email
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email import policy
from email.header import decode_header, make_header
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.legacy.mail.compose import FOLD, Attachment, Headers, compose

LONG_ID = f"<{'a' * 60}.aabcdefgh@mail.example.org>"  # over 80 characters
ROOT = "<root.1@example.org>"

HEADERS = Headers(
    message_id="<abcdefghijklmnopqrst.aabcdefghij@example.org>",
    from_name="Logger K7QX2 (pbem)",
    from_address="games+k7qx2.1.aahscv3ifp64ef5laf@example.org",
    to_name="Ann",
    to_address="ann@example.com",
    reply_to="games+k7qx2.1.aahscv3ifp64ef5laf@example.org",
    subject="[Logger K7QX2] Ann - Bob",
    date=datetime(2026, 11, 21, 14, 5, tzinfo=UTC),
    list_id="example.org",
    unsubscribe="games@example.org",
    marks={"match": "K7QX2", "version": "7"},
)


@dataclass(frozen=True)
class Said:
    text: str
    html: str | None = None


WORDS = Said("Your move.\n\n  5  |  T*  |\n", "<p>Your move.</p>\n")

anything = st.text(max_size=200)
hostile = st.sampled_from(
    [
        "Ann\r\nBcc: eve@example.org",
        "Ann\nSubject: other",
        "\u2028Bcc: x@y",
        "\x85X: y",
        "=?utf-8?q?Ann?=",
        'Ann "the \\ logger" <ann@x>',
        "\U0001f332" * 40,
        "x" * 1200,
        "\u202eevil",
        "(comment) a, b; c: d",
        "",
    ]
)
names = anything | hostile


def read(data: bytes) -> EmailMessage:
    return email.message_from_bytes(data, policy=policy.default)


def shown(value: str) -> str:
    """What is left of other people's text in a header: its printable characters, on one line."""
    kept = "".join(char if char.isprintable() else " " * char.isspace() for char in value)
    return " ".join(kept.split())


def displayed(data: bytes, name: str) -> str:
    """A display name as RFC 2047 6.2 has it; 3.11's policy.default keeps blanks between words."""
    phrase = str(email.message_from_bytes(data)[name]).rpartition("<")[0].strip()
    if phrase.startswith('"'):
        return re.sub(r"\\(.)", r"\1", phrase[1:-1])
    return str(make_header(decode_header(phrase)))


def part(mail: EmailMessage, kind: str) -> str:
    found = mail.get_body((kind,))
    assert found is not None
    content = found.get_content()
    assert isinstance(content, str)
    return content.replace("\r\n", "\n")


def head(data: bytes) -> list[bytes]:
    return data.partition(b"\r\n\r\n")[0].split(b"\r\n")


def test_every_header_is_read_back() -> None:
    mail = read(compose(HEADERS, WORDS))
    expected = {
        "From": '"Logger K7QX2 (pbem)" <games+k7qx2.1.aahscv3ifp64ef5laf@example.org>',
        "To": "Ann <ann@example.com>",
        "Subject": "[Logger K7QX2] Ann - Bob",
        "Date": "Sat, 21 Nov 2026 14:05:00 +0000",
        "Message-ID": HEADERS.message_id,
        "Reply-To": "games+k7qx2.1.aahscv3ifp64ef5laf@example.org",
        "Auto-Submitted": "auto-generated",  # RFC 3834 5.1
        "X-Auto-Response-Suppress": "All",
        "List-Id": "<example.org>",
        "List-Unsubscribe": "<mailto:games@example.org?subject=unsubscribe&body=unsubscribe>",
        "X-PBEM": "match=K7QX2; version=7",
        "MIME-Version": "1.0",
    }
    for name, value in expected.items():
        assert str(mail[name]) == value or str(mail[name]) == value.strip("<>"), name
    assert mail.get_content_type() == "multipart/alternative"
    assert [piece.get_content_type() for piece in mail.iter_parts()] == ["text/plain", "text/html"]
    assert not mail.defects


@settings(max_examples=60, deadline=None)
@given(names, names, names)
def test_names_and_subjects_come_back_clean_whatever_they_hold(
    sender: str, reader: str, subject: str
) -> None:
    headers = replace(HEADERS, from_name=sender, to_name=reader, subject=subject)
    data = compose(headers, WORDS)
    mail = read(data)
    assert shown(str(mail["Subject"])) == shown(subject)
    assert displayed(data, "From") == shown(sender)
    assert displayed(data, "To") == shown(reader)
    assert mail["From"].addresses[0].addr_spec == HEADERS.from_address
    assert mail["To"].addresses[0].addr_spec == HEADERS.to_address
    assert mail["Bcc"] is None
    assert len(mail.keys()) == len(read(compose(HEADERS, WORDS)).keys())
    assert all(len(line) <= FOLD for line in head(data) if not line.startswith(b"List-Unsub"))


texts = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=120)
    | st.sampled_from(["From here on", ".", "=", "trailing  ", "\t", "e" * 1500, "\u2500" * 44]),
    max_size=30,
).map("\n".join)


@settings(max_examples=60, deadline=None)
@given(texts, texts)
def test_both_parts_are_read_back(text: str, html: str) -> None:
    data = compose(HEADERS, Said(text, html))
    mail = read(data)
    assert part(mail, "plain") == text.rstrip("\n") + "\n"
    assert part(mail, "html") == html.rstrip("\n") + "\n"
    lines = data.split(b"\r\n")
    assert max(map(len, lines)) <= 998  # RFC 5322 2.1.1
    assert not any(line.startswith(b"From ") for line in lines)
    assert b"\n" not in data.replace(b"\r\n", b"")


def test_a_mail_without_html_has_one_part() -> None:
    mail = read(compose(HEADERS, Said("Only text: \u25b2\n")))
    assert mail.get_content_type() == "text/plain"
    assert mail.get_content().replace("\r\n", "\n") == "Only text: \u25b2\n"


def test_ids_are_never_broken_and_references_keep_the_root_and_the_last_five() -> None:
    ids = [f"<{number}.{'b' * 70}@example.org>" for number in range(9)]
    headers = replace(HEADERS, in_reply_to=LONG_ID, references=(ROOT, *ids, LONG_ID))
    data = compose(headers, WORDS)
    assert f"In-Reply-To: {LONG_ID}\r\n".encode() in data
    for ident in [ROOT, *ids[-4:], LONG_ID]:
        assert any(line.endswith(ident.encode()) for line in head(data)), ident
    assert str(read(data)["References"]).split() == [ROOT, *ids[-4:], LONG_ID]


@pytest.mark.parametrize(
    "ident", ["<a@b>\r\nBcc: x@y", "no brackets", "<a b@c>", f"<{'a' * 300}@b>", "", "<>"]
)
def test_a_strangers_broken_id_is_left_out(ident: str) -> None:
    headers = replace(HEADERS, in_reply_to=ident, references=(ROOT, ident))
    mail = read(compose(headers, WORDS))
    assert mail["In-Reply-To"] is None
    assert str(mail["References"]) == ROOT
    assert mail["Bcc"] is None


@pytest.mark.parametrize("address", ["ann", "a b@example.org", "a@b>\r\nX: y", "<a@b>", "ä@b.org"])
def test_an_address_that_no_header_carries_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="no address"):
        compose(replace(HEADERS, to_address=address), WORDS)


def test_an_id_of_ours_that_no_header_carries_is_refused() -> None:
    with pytest.raises(ValueError, match="no Message-ID"):
        compose(replace(HEADERS, message_id="<a b>"), WORDS)


def test_the_same_mail_has_the_same_bytes() -> None:
    assert compose(HEADERS, WORDS) == compose(HEADERS, WORDS)
    other = replace(HEADERS, message_id="<other@example.org>")
    assert (
        read(compose(other, WORDS)).get_boundary() != read(compose(HEADERS, WORDS)).get_boundary()
    )


@pytest.mark.parametrize("words", [WORDS, Said("Only text.\n")])
def test_a_file_stands_beside_the_words(words: Said) -> None:
    line = '{"name":"Jürgen","text":"' + "ä" * 3000 + '\\n"}\n'
    file = Attachment('a"b\r\nc.jsonl', "application/jsonl", line.encode())
    data = compose(HEADERS, words, [file, Attachment("x.gz", "application/gzip", b"")])
    mail = read(data)
    assert mail.get_content_type() == "multipart/mixed"
    plain, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert plain is not None
    assert plain.get_content().replace("\r\n", "\n") == words.text
    assert (html is not None) == (words.html is not None)
    first, second = mail.iter_attachments()
    assert (first.get_filename(), first.get_content_type()) == ("abc.jsonl", "application/jsonl")
    assert first.get_content() == file.data
    assert second.get_content() == b""
    assert max(map(len, data.split(b"\r\n"))) < 998
    assert b"\n\n" not in data.replace(b"\r\n", b"")
    assert compose(HEADERS, words) == compose(HEADERS, words, [])
