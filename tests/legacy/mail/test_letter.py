from __future__ import annotations

from base64 import b64encode
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.legacy.mail.authentication import Verdict
from pbem.legacy.mail.automatic import read_bounce, read_complaint
from pbem.legacy.mail.letter import Limits, UnreadableLetter, mail_key, read_letter
from tests.legacy.effort import clock, in_reference_seconds

HEAD = (
    b"Return-Path: <ann@example.org>\r\n"
    b"Delivered-To: games+topmost@pbem.example\r\n"
    b"Received: from mx.example.org by pbem.example; Mon, 5 Jan 2026 10:00:00 +0000\r\n"
    b"Delivered-To: forged@pbem.example\r\n"
    b"X-Original-To: games+original@pbem.example\r\n"
    b"From: =?utf-8?q?Ann_M=C3=BCller?= <Ann@Example.org>\r\n"
    b"To: Logger K7QX2 <games+to@pbem.example>\r\n"
    b"Cc: bob@example.org\r\n"
    b"Subject: Re: [Logger\r\n K7QX2] Ann - Bob\r\n"
    b"Date: Mon, 5 Jan 2026 10:00:00 +0100\r\n"
    b"Message-ID: <one@mail.example.org>\r\n"
    b"In-Reply-To: <prompt@pbem.example>\r\n"
    b"References: <root@pbem.example>\r\n <prompt@pbem.example>\r\n"
    b"MIME-Version: 1.0\r\n"
)


def mail(body: bytes, content_type: str = "text/plain; charset=utf-8", extra: str = "") -> bytes:
    return HEAD + f"Content-Type: {content_type}\r\n{extra}\r\n".encode() + body


def parts(*bodies: bytes, kind: str = "mixed") -> bytes:
    body = b"".join(b"--=_b\r\n" + one + b"\r\n" for one in bodies) + b"--=_b--\r\n"
    return mail(body, f'multipart/{kind}; boundary="=_b"')


def test_the_header_is_read() -> None:
    letter = read_letter(mail(b"c1\r\n"), envelope_to="games+rcpt@pbem.example")
    assert letter.message_id == "<one@mail.example.org>"
    assert letter.in_reply_to == "<prompt@pbem.example>"
    assert letter.references == ("<root@pbem.example>", "<prompt@pbem.example>")
    assert (letter.sender, letter.display_name) == ("Ann@example.org", "Ann Müller")
    assert letter.subject == "Re: [Logger K7QX2] Ann - Bob"
    assert letter.date == "Mon, 5 Jan 2026 10:00:00 +0100"
    assert (letter.automatic, letter.is_bounce) == (None, False)


def test_recipients_stand_in_the_order_of_trust() -> None:
    raw = mail(b"c1\r\n")
    trusted = (
        "games+topmost@pbem.example",
        "games+original@pbem.example",
        "games+to@pbem.example",
        "bob@example.org",
    )
    assert read_letter(raw).recipients == trusted
    envelope = "games+rcpt@pbem.example"
    assert read_letter(raw, envelope_to=envelope).recipients == (envelope, *trusted)


@pytest.mark.parametrize(
    ("fields", "sender"),
    [
        (b"From: ann@example.org\r\n", "ann@example.org"),
        (b"From: ann@example.org\r\nFrom: bob@example.org\r\n", None),
        (b"", None),
        (b"From: alice@example.org <bob@evil.org>\r\n", None),
        (b"From: a:a:x@y;;\r\n", None),
        (b"From: =?utf-8?q?a=0D=0Ab?= <ann@example.org>\r\n", "ann@example.org"),
        (b"From: =?utf-8?q?ann=40example.org=0D=0A?=\r\n", None),
        (b"From: \xff\xfe <ann@example.org>\r\n", "ann@example.org"),
    ],
)
def test_the_sender_is_one_address_or_nobody(fields: bytes, sender: str | None) -> None:
    assert read_letter(fields + b"\r\nc1\r\n").sender == sender


# --- texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("utf-8", "Grüße — c1"),
        ("iso-8859-1", "Grüße c1"),
        ("windows-1252", "Grüße – c1 “x”"),
        ("iso-8859-15", "10 € c1"),
        ("koi8-r", "Ход: c1"),
        ("windows-1251", "Ход: c1"),
        ("gb18030", "你好 c1"),
        ("gb2312", "你好 c1"),
        ("big5", "你好 c1"),
        ("shift_jis", "こんにちは c1"),
        ("iso-2022-jp", "こんにちは c1"),
        ("euc-kr", "안녕 c1"),
        ("ks_c_5601-1987", "안녕 c1"),
    ],
)
@pytest.mark.parametrize("encoding", ["8bit", "base64", "quoted-printable"])
def test_declared_charsets_are_read(charset: str, text: str, encoding: str) -> None:
    codec = {"ks_c_5601-1987": "cp949"}.get(charset, charset)
    body = text.encode(codec)
    if encoding == "base64":
        body = b64encode(body)
    elif encoding == "quoted-printable":
        body = b"".join(b"=%02X" % byte for byte in body)
    extra = f"Content-Transfer-Encoding: {encoding}\r\n"
    assert read_letter(mail(body, f"text/plain; charset={charset}", extra)).text == text


@pytest.mark.parametrize(
    ("content_type", "body", "text"),
    [
        ("text/plain", "Grüße".encode(), "Grüße"),
        ("text/plain", "Grüße".encode("cp1252"), "Grüße"),
        ("text/plain; charset=us-ascii", "Grüße".encode(), "Grüße"),
        ("text/plain; charset=utf-8", "Grüße".encode("cp1252"), "Grüße"),
        ("text/plain; charset=latin1", b"\x93x\x94", "“x”"),
        ("text/plain; charset=unknown-8bit", b"\x81", "\x81"),
        ("text/plain; charset=unicode_escape", rb"a\u0062", r"a\u0062"),
        ("text/plain; charset=zip", b"x", "x"),
        ("text/plain; charset*=x'y'%00", b"x", "x"),
        ("nonsense", b"x", "x"),
    ],
)
def test_wrong_charsets_do_not_matter(content_type: str, body: bytes, text: str) -> None:
    assert read_letter(mail(body, content_type)).text == text


@pytest.mark.parametrize("charset", ["idna", "punycode", "undefined", "rot13", "zlib", "a\0b"])
@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "8bit", "x-uuencode"])
def test_a_charset_of_no_text_is_read_by_everybody(charset: str, encoding: str) -> None:
    """The standard parser decodes bytes beyond ASCII by whatever codec a letter names."""
    extra = f"Content-Transfer-Encoding: {encoding}\r\n"
    raw = mail(b"YzEgcGxhbnQgYzI=\r\n\x80\xff\r\n", f'text/plain; charset="{charset}"', extra)
    read_letter(raw)
    read_bounce(raw)
    read_complaint(raw)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"YzEgcGxhbnQgYzI=", "c1 plant c2"),
        (b"YzEgcGxhbnQgYzI", "c1 plant c2"),
        (b"YzEgcG\r\nxhbnQg\r\nYzI\r\n", "c1 plant c2"),
        (b"YzEgcGxhbnQgYzI=A", "c1 plant c2"),
        (b"YzEgcGxhbnQgYzIuA", "c1 plant c2."),
        (b"YzEg!cGxh*bnQg YzI=", "c1 plant c2"),
        (b"YzEgcA==\r\nbGFudCBjMg==\r\n", "c1 plant c2"),
        (b"YzEgcGxhbnQgYzI=\r\n-- \r\nA list\r\nits footer\r\n", "c1 plant c2"),
    ],
)
def test_broken_base64_is_repaired(body: bytes, text: str) -> None:
    raw = mail(body, extra="Content-Transfer-Encoding: base64\r\n")
    assert read_letter(raw).text == text


@pytest.mark.parametrize(
    ("delsp", "body", "text"),
    [
        ("no", "c1 \nplant c2\nyes", "c1 plant c2\nyes"),
        ("yes", "c1  \nplant c2", "c1 plant c2"),
        ("no", " From here\n >not a quote\n", "From here\n>not a quote\n"),
        ("no", "> one \n> two\n>> three \nfour", "> one two\n>> three \nfour"),
        ("no", "text \n-- \nAnn", "text \n-- \nAnn"),
    ],
)
def test_flowed_text_is_unflowed(delsp: str, body: str, text: str) -> None:
    raw = mail(body.encode(), f"text/plain; format=flowed; delsp={delsp}")
    assert read_letter(raw).text == text


def test_inline_pgp_armour_comes_off() -> None:
    body = (
        b"-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\nc1 plant c2\r\n- -- \r\nAnn\r\n"
        b"-----BEGIN PGP SIGNATURE-----\r\n\r\niQEz\r\n-----END PGP SIGNATURE-----\r\n"
    )
    assert read_letter(mail(body)).text == "c1 plant c2\n-- \nAnn\n"


TEXT = b"Content-Type: text/plain\r\n\r\nc1 plant c2"
HTML = b"Content-Type: text/html\r\n\r\n<p>c1 plant c2</p>"


@pytest.mark.parametrize(
    ("raw", "text", "html"),
    [
        (parts(TEXT, HTML, kind="alternative"), "c1 plant c2", "<p>c1 plant c2</p>"),
        (parts(HTML), None, "<p>c1 plant c2</p>"),
        (parts(TEXT, b"Content-Type: image/png\r\n\r\nx", TEXT), "c1 plant c2\nc1 plant c2", None),
        (parts(b"Content-Disposition: attachment\r\n\r\nc1"), None, None),
        (parts(b"Content-Type: text/plain; name=a.txt\r\n\r\nc1"), None, None),
        (parts(b"Content-Disposition: inline; filename*=utf-8''a.txt\r\n\r\nc1"), None, None),
        (parts(b"Content-Type: message/rfc822\r\n\r\nFrom: a@b\r\n\r\nc1"), None, None),
        (parts(b"Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\nc1"), None, None),
        (parts(TEXT, b"Content-Type: application/pkcs7-signature\r\n\r\nx"), "c1 plant c2", None),
        (mail(b"c1", "multipart/mixed; boundary=missing"), None, None),
        (mail(b"c1", "multipart/mixed"), None, None),
    ],
)
def test_only_the_letters_own_text_is_read(raw: bytes, text: str | None, html: str | None) -> None:
    letter = read_letter(raw)
    assert (letter.text, letter.html) == (text, html)


@pytest.mark.parametrize(
    "raw",
    [
        mail(b"x", "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m"),
        mail(b"c1", "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m"),
        parts(b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1", kind="encrypted"),
    ],
)
def test_a_closed_letter_has_no_text(raw: bytes) -> None:
    letter = read_letter(raw)
    assert (letter.text, letter.html) == (None, None)


# --- limits: MAIL 2's table, and what else takes parsers down ------------------------------------


def nested(depth: int) -> bytes:
    opened = b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (level, level)
        for level in range(depth)
    )
    return b"From: ann@example.org\r\n" + opened + b"Content-Type: text/plain\r\n\r\nc1\r\n"


def bomb(count: int) -> bytes:
    return mail(b"--b\r\n\r\n" * count, "multipart/mixed; boundary=b")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"x" * ((1 << 20) + 1), "size"),
        (b"Subject: " + b"a" * 1_000_000 + b"\r\n\r\nc1", "headers"),
        (b"Subject: " + b"a\r\n " * 300 + b"\r\n\r\nc1", "headers"),
        (b"X: y\r\n" * 201 + b"\r\nc1", "headers"),
        (b"X: y\r" * 201 + b"\r\rc1", "headers"),
        (b"To: " + b"a@example.org, " * 16_000 + b"\r\n\r\nc1", "headers"),
        (b"a" * 100_000, "headers"),
        (bomb(51), "parts"),
        (bomb(100_000), "parts"),
        (nested(2000), "parts"),
        (nested(40), "depth"),
        (nested(21), "depth"),
        (b"Content-Type: text/plain" + b";a=b" * 5000 + b"\r\n\r\nc1", "headers"),
        (mail(b"--b\r\nX: " + b"a" * 70_000, "multipart/mixed; boundary=b"), "headers"),
        (mail(b"--b\r\n" + b"X: a\r\n" * 300, "multipart/mixed; boundary=b"), "headers"),
        (
            mail(b"--b\r\nContent-Type: a/b" + b';a="' * 200_000, "multipart/mixed; boundary=b"),
            "headers",
        ),
    ],
    ids=lambda value: value[:24].decode() if isinstance(value, bytes) else value,
)
def test_what_breaks_a_limit_is_refused_at_once(raw: bytes, reason: str) -> None:
    begun = clock()
    with pytest.raises(UnreadableLetter) as refused:
        read_letter(raw)
    assert refused.value.reason == reason
    assert in_reference_seconds(clock() - begun) < 5


@pytest.mark.parametrize("raw", [bomb(49), nested(20)], ids=["49 parts", "20 deep"])
def test_what_keeps_to_the_limits_is_read(raw: bytes) -> None:
    assert read_letter(raw).sender is not None


def test_the_limits_are_settings() -> None:
    with pytest.raises(UnreadableLetter, match="size"):
        read_letter(mail(b"c1"), limits=Limits(size=100))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b"\r\n\r\n",
        b"\0" * 1000,
        b"c1 plant c2",
        b"From: " + b"(" * 5000 + b")" * 5000 + b" <a@b.c>\r\n\r\nc1",
        b"From: a:a:x@y;;\r\n\r\n",
        b"From: =?utf-8?q?=0D=0A?= <a@b.c>\r\n\r\n",
        b"Subject: " + b"=?a?q?x " * 8000 + b"\r\n\r\nc1",
        mail(b"\n" * 1_000_000),
        mail(b"--b\r\n" * 40 + b"-" * 900_000, "multipart/mixed; boundary=b"),
        mail(b"-" * 1_000_000),
        mail(b"> " * 500_000, "text/plain; format=flowed"),
        mail(b"a \n" * 300_000, "text/plain; format=flowed"),
        mail(b"=" * 1_000_000, extra="Content-Transfer-Encoding: quoted-printable\r\n"),
        mail(b"=\n" * 400_000, extra="Content-Transfer-Encoding: base64\r\n"),
        mail(b"A=\n" * 300_000, extra="Content-Transfer-Encoding: base64\r\n"),
        mail(b"x", "text/plain; charset=idna"),
        mail(b"a" * 900_000, "text/plain; charset=punycode"),
        mail(b"begin 644 x\r\n" * 1000, extra="Content-Transfer-Encoding: x-uuencode\r\n"),
        mail(b"x", "text/plain" + ";a*0*=utf-16''%ff" * 100),
        mail(b"x", "multipart/mixed; boundary*=utf-16''%ff"),
        mail(b"--\r\n\r\nx\r\n" * 20, 'multipart/mixed; boundary=""'),
        HEAD + b"Content-Disposition: attachment; filename*0*=a\0b'c'%00\r\n\r\nx",
        b"Authentication-Results: " + b"(" * 60_000 + b"\r\n\r\n",
        b"Content-Type: message/rfc822\r\n\r\n" * 19,
        mail(b"-----BEGIN PGP SIGNED MESSAGE-----\n" * 20_000),
    ],
    ids=lambda raw: f"{len(raw)} {raw[-20:]!r}",
)
def test_odd_mails_are_read_or_refused_in_time(raw: bytes) -> None:
    begun = clock()
    try:
        letter = read_letter(raw, authserv_id="mx.pbem.example")
    except UnreadableLetter:
        letter = None
    assert letter is None or letter.auth.verdict is Verdict.NONE
    assert in_reference_seconds(clock() - begun) < 5


@given(st.binary(max_size=2000))
@example(b"Content-Type: multipart/mixed; boundary=\n\n--\n\n----")
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    _read_or_refuse(raw)


SAMPLE = parts(TEXT, HTML, b"Content-Type: message/rfc822\r\n\r\n" + HEAD + b"\r\nx")
SNIPPETS = st.sampled_from(
    [b"\r\n", b"\r\n ", b";", b'"', b"\0", b"=?utf-8?q?", b"?=", b"<", b">", b"(", b":", b"@",
     b"--=_b", b"--=_b--", b"\xff", b"*0*=utf-7''%00",
     b"Content-Type: multipart/mixed; boundary=x\r\n",
     b"Content-Transfer-Encoding: base64\r\n", b"Content-Type: message/delivery-status\r\n\r\n"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(SAMPLE)), st.integers(0, 9), SNIPPETS), max_size=8))
def test_any_mutation_of_a_mail_is_read_or_refused(cuts: list[tuple[int, int, bytes]]) -> None:
    raw = SAMPLE
    for at, removed, inserted in cuts:
        raw = raw[:at] + inserted + raw[at + removed :]
    _read_or_refuse(raw)


def _read_or_refuse(raw: bytes) -> None:
    with suppress(UnreadableLetter):
        letter = read_letter(raw, authserv_id="mx.pbem.example", envelope_to="games@pbem.example")
        assert letter.recipients[0] == "games@pbem.example"
    assert len(mail_key("games", raw)) == 64


# --- the key of a letter -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "copy",
    [
        b"Received: from elsewhere\r\n\tby here\r\n" + mail(b"c1\r\n"),
        b"Delivered-To: x@y\r\nX-Spam: no\r\n" + mail(b"c1\r\n"),
        mail(b"c1\r\n").replace(b"\r\n", b"\n"),
        mail(b"c1\r\n\r\n\r\n"),
        mail(b"c1\r\n").replace(b"[Logger\r\n K7QX2]", b"[Logger K7QX2]"),
        mail(b"c1\r\n").replace(b"Subject:", b"SUBJECT:  "),
    ],
)
def test_another_copy_of_a_letter_has_the_same_key(copy: bytes) -> None:
    assert mail_key("games", copy) == mail_key("games", mail(b"c1\r\n"))


@pytest.mark.parametrize(
    ("account", "other"),
    [
        ("others", mail(b"c1\r\n")),
        ("games", mail(b"c2\r\n")),
        ("games", mail(b"c1\r\n").replace(b"one@mail", b"two@mail")),
        ("games", mail(b"c1\r\n").replace(b"10:00:00 +0100", b"10:00:01 +0100")),
        ("games", mail(b"c1\r\n").replace(b"<Ann@", b"<Bob@")),
        ("games", mail(b"c1\r\n").replace(b"- Bob", b"- Cid")),
        ("games", b"Message-ID: <one@mail.example.org>\r\n\r\nc1\r\n"),
    ],
)
def test_another_letter_has_another_key(account: str, other: bytes) -> None:
    assert mail_key(account, other) != mail_key("games", mail(b"c1\r\n"))


@pytest.mark.parametrize(
    "raw", [b"\n" * 1_000_000, b"a\n " * 300_000, b"\r" * 1_000_000, b":" * 1_000_000]
)
def test_keys_are_made_in_linear_time(raw: bytes) -> None:
    begun = clock()
    assert len(mail_key("games", raw)) == 64
    assert in_reference_seconds(clock() - begun) < 5
