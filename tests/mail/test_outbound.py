from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest

from pbem.mail.outbound import InlineImage, OutboundEmail, compose

LONG_ID = f"<{'x' * 80}@example.org>"
EMAIL = OutboundEmail(
    message_id="<abc@pbem.example>",
    from_name="Logger K7QX2",
    from_address="games@pbem.example",
    to_name="Ann",
    to_address="ann@example.org",
    reply_to="games+k7qx2.1.aa@pbem.example",
    subject="[Logger K7QX2] your turn",
    date=datetime(2026, 11, 27, 10, tzinfo=UTC),
    in_reply_to="<m1@example.org>",
    references=["<root@pbem.example>", *(f"<m{n}@example.org>" for n in range(8)), LONG_ID],
    kind="turn",
    match="K7QX2",
    list_id="pbem.example",
    unsubscribe="games+p.x.aa@pbem.example",
    text="Grüße\nFrom here\n.\n" + "x" * 200 + " From there\n",
    html="<p>Grüße</p>",
    is_reply=False,
)


def read(email: OutboundEmail) -> EmailMessage:
    return message_from_bytes(compose(email), policy=policy.default)


def test_the_headers_say_what_programs_need() -> None:
    message = read(EMAIL)
    assert message["From"] == "Logger K7QX2 <games@pbem.example>"
    assert message["To"] == "Ann <ann@example.org>"
    assert message["Reply-To"].addresses[0].addr_spec == "games+k7qx2.1.aa@pbem.example"
    assert message["Date"] == "Fri, 27 Nov 2026 10:00:00 +0000"
    assert message["In-Reply-To"] == "<m1@example.org>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["List-Id"] == "<pbem.example>"
    assert message["List-Unsubscribe"].startswith("<mailto:games+p.x.aa@pbem.example?subject=")
    assert message["X-PBEM"] == "match=K7QX2"
    assert message["X-PBEM-Kind"] == "turn"
    assert read(replace(EMAIL, is_reply=True))["Auto-Submitted"] == "auto-replied"
    for scheme, one_click in (("https", "List-Unsubscribe=One-Click"), ("http", None)):
        message = read(replace(EMAIL, unsubscribe_page=f"{scheme}://pbem.example/unsubscribe"))
        assert message["List-Unsubscribe-Post"] == one_click


def test_references_keep_the_root_and_five_whole_ids() -> None:
    references = read(EMAIL)["References"].split()
    assert references == ["<root@pbem.example>", *(f"<m{n}@example.org>" for n in range(4, 8)), LONG_ID]  # fmt: skip  # noqa: E501
    assert f"\r\n {LONG_ID}\r\n".encode() in compose(EMAIL)


def test_an_attachment_comes_back_byte_by_byte() -> None:
    lines = '{"größe":1}\n\n' + "From x" * 40 + "\n"
    email = replace(EMAIL, attachments={'log "\r\nger-1.jsonl': lines})
    message = read(email)
    [attachment] = message.iter_attachments()
    assert attachment.get_content() == lines.encode()
    assert attachment.get_filename() == "logger-1.jsonl"
    text, page = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert page is not None
    assert text.get_content().replace("\r\n", "\n") == EMAIL.text
    assert page.get_content().strip() == EMAIL.html
    assert all(len(line) <= 76 for line in compose(email).partition(b"\r\n\r\n")[2].split(b"\r\n"))
    assert not message.defects


def test_lines_are_short_crlf_and_never_begin_with_from() -> None:
    data = compose(EMAIL)
    assert data.isascii()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert max(map(len, data.split(b"\r\n"))) <= 100
    assert b"\nFrom " not in data
    assert compose(EMAIL) == data


@pytest.mark.parametrize(
    "text",
    [
        "Grüße " * 30,
        "word " * 60,
        "x" * 300,
        "a\r\nBcc: eve@example.org",
        "a\u2028b\u0085c\u202ed",
        "=?utf-8?q?x?=",
        'Ann "the" \\ Great, Jr.',
    ],
)
def test_names_and_subjects_stay_in_their_headers(text: str) -> None:
    # The standard library puts blanks between encoded words of a name, so the name is short.
    message = read(replace(EMAIL, subject=text, from_name=text[:20], to_name=text))
    cleaned = " ".join("".join(c if c.isprintable() else " " * c.isspace() for c in text).split())
    assert message["Subject"] == cleaned
    assert cleaned.startswith(message["From"].addresses[0].display_name)
    assert message["To"].addresses[0].addr_spec == "ann@example.org"
    assert message["Bcc"] is None
    folded = compose(replace(EMAIL, subject=text)).split(b"\r\nSubject:")[1].split(b"\r\nDate:")[0]
    assert max(map(len, (b"Subject:" + folded).split(b"\r\n"))) <= 76


@pytest.mark.parametrize(
    "changes",
    [
        {"to_address": "ann@example.org\r\nBcc: eve@example.org"},
        {"reply_to": ""},
        {"from_address": "a b@example.org"},
        {"message_id": "abc"},
        {"message_id": "<a@b>\r\nX: y"},
    ],
)
def test_unsound_addresses_and_ids_are_errors(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no "):
        compose(replace(EMAIL, **changes))


def test_unsound_ids_of_strangers_are_left_out() -> None:
    message = read(replace(EMAIL, in_reply_to="<a b@c>\r\nX: y", references=["x", "<=?a?@b>"]))
    assert message["In-Reply-To"] is None
    assert message["References"] is None


def test_images_are_beside_the_html_that_shows_them() -> None:
    data = bytes(range(256)) * 3
    images = [InlineImage("3f.light@picture", data), InlineImage("3f.dark@picture", b"x")]
    message = read(replace(EMAIL, images=images, attachments={"a.txt": "words"}))
    assert message.get_content_type() == "multipart/mixed"
    alternative, attachment = message.iter_parts()
    assert attachment.get_content() == b"words"
    plain, related = alternative.iter_parts()
    assert plain.get_content_type() == "text/plain"
    assert related.get_content_type() == "multipart/related"
    page, light, dark = related.iter_parts()
    assert page.get_content().strip() == EMAIL.html
    assert light["Content-ID"] == "<3f.light@picture>"
    assert light.get_content_disposition() == "inline"
    assert light.get_content() == data
    assert dark.get_content() == b"x"
