from __future__ import annotations

import time
from base64 import b64encode
from datetime import UTC, datetime

import pytest

from pbem.fairness import hash_message
from pbem.mail.inbound import (
    MAX_TEXT,
    InboundEmail,
    UnreadableEmailError,
    Verdict,
    inbox_key,
    parse_inbound,
)

HEAD = (
    b"From: Ann <Ann@example.org>\r\nTo: games@pbem.example\r\n"
    b"Date: Fri, 27 Nov 2026 10:00:00 +0100\r\nMessage-ID: <one@mail.example.org>\r\n"
    b"Subject: Re: [Logger\r\n K7QX2] - Bob\r\n"
)


def email(body: bytes, content_type: str = "text/plain", extra: str = "") -> bytes:
    return HEAD + f"Content-Type: {content_type}\r\n{extra}\r\n".encode() + body


def multipart(*parts: bytes, kind: str = "mixed") -> bytes:
    body = b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + b"--b--\r\n"
    return email(body, f"multipart/{kind}; boundary=b")


def read(raw: bytes) -> InboundEmail:
    return parse_inbound(raw, own_address="games@pbem.example", authserv_id="mx.pbem.example")


def test_the_header_is_read() -> None:
    raw = (
        b"Delivered-To: games+k7qx2.1.aa@PBEM.example\r\nDelivered-To: old@pbem.example\r\n"
        b"X-Original-To: games+x@pbem.example\r\n"
        b"In-Reply-To: <c@x>\r\nReferences: <a@x> <b@x>\r\n <c@x>\r\n"
        b"Cc: Bob <Bob@example.net>, games@pbem.example\r\n"
    ) + email(b"c1\r\n")
    inbound = read(raw)
    assert inbound.sender == "ann@example.org"
    assert inbound.sender_name == "Ann"
    tagged = ("games+k7qx2.1.aa@pbem.example", "games+x@pbem.example")
    assert inbound.recipients == (*tagged, "games@pbem.example", "bob@example.net")
    assert inbound.visible_recipients == ("games@pbem.example", "bob@example.net")
    assert inbound.replies_to == ("<c@x>", "<b@x>", "<a@x>")
    assert inbound.subject == "Re: [Logger K7QX2] - Bob"
    assert inbound.sent_at == datetime(2026, 11, 27, 9, tzinfo=UTC)
    assert inbound.message_hash == hash_message(
        "<one@mail.example.org>", "Fri, 27 Nov 2026 10:00:00 +0100"
    )
    assert (inbound.verdict, inbound.automatic_reason) == (Verdict.NONE, None)


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("ann@example.org", ""),
        ("Ann<ann@Example.ORG>", "Ann"),
        ('"Keller, Ann" <ann@example.org>', "Keller, Ann"),
        ("Keller, Ann <ann@example.org>", "Keller, Ann"),
        ("<ann@example.org> (Ann)", "Ann"),
        ("Ann [IT] <ann@example.org>", "Ann IT"),
        ("Ann @ Work <ann@example.org>", "Ann @ Work"),
        ("ann@example.org <ann@example.org>", ""),
        ('"ann@example.org" <ann@example.org>', ""),
        ("=?utf-8?q?J=C3=BCrgen?= <ann@example.org>", "Jürgen"),
        ("=?utf-8?q?a=0D=0Ab?= <ann@example.org>", "a b"),
        ("山田 <ann@example.org>", "山田"),
    ],
)
def test_any_form_with_one_address_is_a_sender(field: str, name: str) -> None:
    inbound = read(f"From: {field}\r\n\r\nc1".encode())
    assert (inbound.sender, inbound.sender_name) == ("ann@example.org", name)


@pytest.mark.parametrize(
    "fields",
    [
        "",
        "From: Ann",
        "From: alice@example.org <bob@evil.org>",  # CVE-2023-27043
        "From: alice@example.org, bob@evil.org",
        "From: =?utf-8?q?alice=40example.org?= <bob@evil.org>",
        'From: "alice@example.org" <bob@evil.org>',
        "From: <bob@evil.org> (alice@example.org)",
        "From: ann@example.org\r\nFrom: ann@example.org",
        "From: a:a:x@y;;",
        "From: Friends: ann@example.org;",
        "From: ann@example.org@evil.org",
        'From: "alice"@evil.org <ann@example.org>',
        "From: ann@exаmple.org",  # a Cyrillic letter
        "From: ann@[192.0.2.1]",
        "From: ann@example..org",
        "From: " + "a" * 65 + "@example.org",
        "From: Ann\0 <ann@example.org>",
        "From: " + "(" * 5000,
    ],
)
def test_a_doubtful_from_is_no_sender(fields: str) -> None:
    assert read(f"{fields}\r\n\r\nc1".encode()).sender is None


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("iso-8859-1", "Grüße c1"),
        ("windows-1252", "Grüße c1"),
        ("windows-1251", "Ход: c1"),
        ("gb2312", "你好 c1"),
        ("iso-2022-jp", "こんにちは c1"),
        ("ks_c_5601-1987", "안녕 c1"),
    ],
)
def test_declared_charsets_are_read(charset: str, text: str) -> None:
    body = text.encode({"ks_c_5601-1987": "cp949"}.get(charset, charset))
    printable = b"".join(b"=%02X" % byte for byte in body)
    encoded = {"8bit": body, "base64": b64encode(body), "quoted-printable": printable}
    for encoding, data in encoded.items():
        extra = f"Content-Transfer-Encoding: {encoding}\r\n"
        raw = email(data, f"text/plain; charset={charset}", extra)
        assert read(raw).text == text, encoding


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/plain", "Grüße".encode()),
        ("text/plain; charset=us-ascii", "Grüße".encode("cp1252")),
        ("text/plain; charset=utf-8", "Grüße".encode("cp1252")),
        ("text/plain; charset=idna", "Grüße".encode()),
        ("text/plain; charset=zip", "Grüße".encode()),
    ],
)
def test_wrong_charsets_are_read(content_type: str, body: bytes) -> None:
    assert read(email(body, content_type)).text == "Grüße"


TEXT = b"Content-Type: text/plain\r\n\r\nc1 plant c2"
BASE64 = "CONTENT-TRANSFER-ENCODING: base64\r\n"
HTML = b"Content-Type: text/html\r\n\r\n<p>b1<br>up</p>"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (multipart(TEXT, HTML, kind="alternative"), "c1 plant c2"),
        (multipart(b"Content-Type: text/plain\r\n\r\n \r\n", HTML, kind="alternative"), "b1\nup"),
        (multipart(HTML), "b1\nup"),
        (multipart(TEXT, b"Content-Type: image/png\r\n\r\nx", TEXT), "c1 plant c2\nc1 plant c2"),
        (multipart(TEXT, b"Content-Type: text/plain; name=a.txt\r\n\r\nb1"), "c1 plant c2"),
        # A named part is read if the email has no other text.
        (multipart(b"Content-Type: text/plain; name=message.txt\r\n\r\nc1"), "c1"),
        (multipart(b"Content-Disposition: attachment\r\n\r\nc1"), ""),
        (multipart(b"Content-Type: message/rfc822\r\n\r\nFrom: a@b\r\n\r\nc1"), ""),
        (email(b"c1", "application/pkcs7-mime; name=smime.p7m"), ""),
        (email("ｐｌａｃｅ　a1 – \u200bx\u200e".encode()), "place a1 - x"),
        (email(b"c1 \r\nplant c2\r\n", "text/plain; format=flowed"), "c1 plant c2"),
        (email(b"YzEgcGxhbnQgYzI=\r\nA list's footer\r\n", extra=BASE64), "c1 plant c2"),
        (
            email(
                b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nc1\n- -- \nAnn\n"
                b"-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
            ),
            "c1\n--\nAnn",
        ),
    ],
)  # fmt: skip
def test_the_text_is_that_of_the_email_itself(raw: bytes, text: str) -> None:
    assert read(raw).text == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<div>a1</div><blockquote>b1<br>c1</blockquote>", "a1\n> b1\n> c1"),
        ("a1<div class='gmail_quote'><div class=gmail_attr>On ... wrote:</div></div>", None),
        ("a1<div class=yahoo_quoted>b1</div>d1", "a1\n> b1\nd1"),
        ("a1<hr><div id='divRplyFwdMsg'>From: x</div>b1", "a1\n> From: x\n> b1"),
        ("a1<div style='display: none'>b1</div><s>c1</s><script>d1</script>", "a1"),
        ("<pre>a1\n  b1</pre>", "a1\nb1"),
        ("a &lt;b&gt; &amp; c", "a <b> & c"),
    ],
)
def test_quotes_of_html_are_marked(html: str, text: str | None) -> None:
    expected = "a1\n> On ... wrote:" if text is None else text
    assert read(email(html.encode(), "text/html")).text == expected


def test_a_long_text_is_truncated() -> None:
    inbound = read(email(b"a " * (MAX_TEXT // 2 + 5)))
    assert inbound.is_truncated
    assert len(inbound.text) <= MAX_TEXT
    assert not read(email(b"a\n" * 100)).is_truncated


@pytest.mark.parametrize("date", ["", "x", "Fri, 99 Nov 2026", "1 Jan 99999 00:00 +9999", "0" * 90])
def test_an_odd_date_is_none(date: str) -> None:
    assert read(f"Date: {date}\r\n\r\nc1".encode()).sent_at is None


def nested(depth: int) -> bytes:
    opened = b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (level, level)
        for level in range(depth)
    )
    return opened + b"Content-Type: text/plain\r\n\r\nc1\r\n"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"x" * ((1 << 20) + 1), "size"),
        (b"Subject: " + b"a" * 1_000_000 + b"\r\n\r\nc1", "headers"),
        (b"X: y\r" * 201 + b"\r\rc1", "headers"),
        (email(b"--b\r\n\r\n" * 100_000, "multipart/mixed; boundary=b"), "parts"),
        (nested(40), "depth"),
        (b"Content-Type: text/plain" + b";a=b" * 5000 + b"\r\n\r\nc1", "headers"),
    ],
    ids=["size", "long field", "many fields", "parts", "depth", "parameters"],
)
def test_an_email_beyond_the_limits_is_unreadable(raw: bytes, reason: str) -> None:
    with pytest.raises(UnreadableEmailError) as caught:
        read(raw)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    "raw",
    [
        b"\0" * 1000,
        b"From: " + b"(" * 1900 + b"\r\n\r\n",
        b"From: " + b"a." * 900 + b"\r\n\r\n",
        b"To: " + b"a." * 30_000 + b"\r\n\r\n",
        b"Subject: " + b"=?a?q?x " * 8000 + b"\r\n\r\nc1",
        b"Authentication-Results: mx.pbem.example;" + b"a=b;" * 15_000 + b"\r\nFrom: a@b.c\r\n\r\n",
        b"Return-Path: " + b"<" * 60_000 + b"\r\n\r\n",
        email(b"\n" * 250_000),
        email(b"> " * 125_000, "text/plain; format=flowed"),
        email(b"A=\n" * 75_000, extra="Content-Transfer-Encoding: base64\r\n"),
        email(b"<" * 250_000, "text/html"),
        email(b"<a b='" * 40_000, "text/html"),
        email(b"<div>" * 50_000, "text/html"),
        email(b"<!--" * 60_000, "text/html"),
        email("\ufdfa".encode() * 75_000),
    ],
    ids=lambda raw: f"{len(raw)} {raw[-20:]!r}",
)
def test_hostile_emails_are_read_in_time(raw: bytes) -> None:
    begun = time.process_time()
    read(raw)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "copy",
    [
        b"Received: from elsewhere\r\n\tby here\r\n" + email(b"c1\r\n"),
        email(b"c1\r\n").replace(b"\r\n", b"\n"),
        email(b"c1\r\n\r\n\r\n"),
        email(b"c1\r\n").replace(b"[Logger\r\n K7QX2]", b"[Logger K7QX2]"),
        email(b"c1\r\n").replace(b"Subject:", b"SUBJECT:  "),
    ],
)
def test_another_copy_of_an_email_has_the_same_key(copy: bytes) -> None:
    assert inbox_key("games", copy) == inbox_key("games", email(b"c1\r\n"))


@pytest.mark.parametrize(
    ("account", "other"),
    [
        ("others", email(b"c1\r\n")),
        ("games", email(b"c2\r\n")),
        ("games", email(b"c1\r\n").replace(b"one@mail", b"two@mail")),
        ("games", email(b"c1\r\n").replace(b"10:00:00 +0100", b"10:00:01 +0100")),
        ("games", email(b"c1\r\n").replace(b"<Ann@", b"<Bob@")),
        ("games", email(b"c1\r\n").replace(b"- Bob", b"- Cid")),
    ],
)
def test_another_email_has_another_key(account: str, other: bytes) -> None:
    assert inbox_key(account, other) != inbox_key("games", email(b"c1\r\n"))
