from __future__ import annotations

import pytest

from pbem.legacy.mail.headers import MESSAGE_ID, addresses, decoded, mailbox
from tests.legacy.effort import clock, in_reference_seconds


@pytest.mark.parametrize(
    ("field", "address", "name"),
    [
        ("ann@example.org", "ann@example.org", ""),
        ("<ann@example.org>", "ann@example.org", ""),
        ("Ann <ann@example.org>", "ann@example.org", "Ann"),
        ("Ann<ann@Example.ORG>", "ann@example.org", "Ann"),
        ("Ann <Ann.B+games@example.org>", "Ann.B+games@example.org", "Ann"),
        ("John Q. Public <john@example.org>", "john@example.org", "John Q. Public"),
        ('"Doe, John" <john@example.org>', "john@example.org", "Doe, John"),
        ('"John \\"Jack\\" Doe" <john@example.org>', "john@example.org", 'John "Jack" Doe'),
        ('"ann@example.org" <ann@example.org>', "ann@example.org", "ann@example.org"),
        ("=?utf-8?q?J=C3=BCrgen?= <j@example.org>", "j@example.org", "Jürgen"),
        ("ann@example.org (Ann)", "ann@example.org", "Ann"),
        ("Ann (at work) <ann@example.org>", "ann@example.org", "Ann (at work)"),
        ("O'Neil <o'neil@example.org>", "o'neil@example.org", "O'Neil"),
        ("ann@localhost", "ann@localhost", ""),
        ("山田 <yamada@example.jp>", "yamada@example.jp", "山田"),
    ],
)
def test_one_plain_sender_is_read(field: str, address: str, name: str) -> None:
    assert mailbox(field) == (address, name)


@pytest.mark.parametrize(
    "field",
    [
        "",
        "Ann",
        "alice@example.org <bob@evil.org>",  # CVE-2023-27043
        "alice@example.org, bob@evil.org",
        "Alice <alice@example.org>, <bob@evil.org>",
        "<alice@example.org> <bob@evil.org>",
        "a:a:x@y;;",
        "Friends: ann@example.org;",
        "undisclosed-recipients:;",
        "<@relay.example:ann@example.org>",
        "ann@example.org@evil.org",
        "ann@",
        "@example.org",
        "<>",
        "ann@example..org",
        "ann.@example.org",
        ".ann@example.org",
        "ann@-example.org",
        "ann@[192.0.2.1]",
        '"ann smith"@example.org',
        "ann(comment)@example.org",
        "Ann <ann@example.org> evil",
        "Ann <ann@example.org",
        "Ann\r\nBcc: x@y <ann@example.org>",
        "Ann\0 <ann@example.org>",
        "ann@example.org (" + "(" * 5000 + ")" * 5000 + ")",
        "(" * 5000,
        "a" * 65 + "@example.org",
        "ann@" + "a" * 64 + ".org",
        "ann@" + "a." * 130 + "org",
        'a" <ann@example.org>',
        "Doe, John <john@example.org>",
        "ann@exаmple.org",  # a Cyrillic letter
    ],
)
def test_a_doubtful_sender_is_nobody(field: str) -> None:
    assert mailbox(field) is None


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("Re: [Logger K7QX2] Ann - Bob", "Re: [Logger K7QX2] Ann - Bob"),
        ("=?UTF-8?B?R3LDvMOfZQ==?=", "Grüße"),
        ("=?utf-8?q?a_b?= =?utf-8?q?_c?=", "a b c"),
        ("=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c"),
        ("=?utf-8?b?Y?= b", "b"),
        ("=?iso-8859-1?q?=80?=", "€"),
        ("=?gb2312?b?xOO6ww==?=", "你好"),
        ("=?utf-8*de?q?Hallo?=", "Hallo"),
        ("=?nonsense?q?a=C3=A9?=", "aé"),
        ("=?utf-8?q?a=0D=0ABcc:_x?=", "a Bcc: x"),
        ("=?idna?q?xn--a?=", "xn--a"),
        ("a\u202eb\u200bc\x00d", "abcd"),
        ("=?utf-8?q?", "=?utf-8?q?"),
    ],
)
def test_encoded_words_become_one_clean_line(field: str, text: str) -> None:
    assert decoded(field) == text


def test_a_character_cut_between_two_words_is_whole() -> None:
    assert decoded("=?utf-8?q?=C3?= =?utf-8?q?=BC?=") == "ü"


def test_addresses_and_ids_are_found_in_their_order() -> None:
    assert addresses('"A, B" <a@x.example>, c@y.example') == ("a@x.example", "c@y.example")
    assert MESSAGE_ID.findall("<a@x>\t<b@y> junk <c") == ["<a@x>", "<b@y>"]


@pytest.mark.parametrize(
    "text",
    [
        "=?a?q?x " * 8000,
        "=?" * 32_000,
        "<" * 64_000,
        "a." * 32_000,
        "a@" * 32_000,
        '"' * 64_000,
        '"\\' * 32_000,
        "(" * 64_000,
        "a@b." * 16_000,
        "<a" * 32_000,
    ],
    ids=lambda text: text[:6],
)
def test_fields_are_read_in_linear_time(text: str) -> None:
    begun = clock()
    decoded(text)
    addresses(text)
    MESSAGE_ID.findall(text)
    mailbox(text)
    mailbox(text[:1990] + "<a@b.c>")
    assert in_reference_seconds(clock() - begun) < 5
