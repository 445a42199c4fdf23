"""Whom a field of recipients may name: everything that might be an address counts."""

from __future__ import annotations

import pytest

from pbem.legacy.mail.headers import MOST, addresses_named, mailbox_of, mailboxes_of
from tests.legacy.effort import clock, in_reference_seconds

BOB = "bob@example.net"


@pytest.mark.parametrize(
    "field",
    [
        BOB,
        "<bob@example.net>",
        'Bob <"bob"@example.net>',
        '"b\\ob"@Example.NET.',
        '"bob" @ example . net',
        "bob(a (nested) comment)@(and one)example.net",
        "(bob@example.net) x@example.org",
        "friends:x@example.org,bob@example.net;",
        '"bob@example.net" <x@example.org>',
        '"Bob <bob@example.net>',
        '"Bob <"bob"@example.net>',
        '"\\"bob@example.net',
        "Bob (unclosed <bob@example.net>",
        "<@relay.example,@more.example:bob@example.net>",
        "=?utf-8?b?PGJvYkBleGFtcGxlLm5ldD4=?=",
        "bob@\texample.net",
        "bob@example\u3002net",
    ],
)
def test_however_it_is_written_it_is_found(field: str) -> None:
    assert mailbox_of(BOB) in {mailbox_of(one) for one in addresses_named([field])}


def test_the_dot_of_the_root_is_not_in_the_address() -> None:
    assert addresses_named(["bob@EXAMPLE.net."]) == (BOB,)


@pytest.mark.parametrize("field", ["", "Bob", "bob@", "@example.net", '"', "(", "@", "a@;b", "::;"])
def test_what_is_no_address_is_none(field: str) -> None:
    assert addresses_named([field]) == ()


def test_fields_are_read_together_and_bounded() -> None:
    assert addresses_named(["a@x.example", "b@y.example, a@x.example"]) == (
        "a@x.example",
        "b@y.example",
    )
    assert len(addresses_named([", ".join(f"a{n}@x.example" for n in range(2 * MOST))])) == MOST


def test_a_domain_in_letters_may_mean_two() -> None:
    assert {mailbox_of("bob@strasse.example"), mailbox_of("bob@xn--strae-oqa.example")} == (
        mailboxes_of("bob@stra\u00dfe.example")
    )


@pytest.mark.parametrize(
    "text",
    [
        "a.",
        "a@",
        '"',
        '"\\',
        "(",
        ")",
        "a@b.",
        "<a",
        "a@b,",
        '"a"@',
        "=?utf-8?q?a=40b?= ",
        "\u00fc@",
        " ",
    ],
    ids=ascii,
)
def test_fields_are_read_in_linear_time(text: str) -> None:
    begun = clock()
    for address in addresses_named([text * (64_000 // len(text))]):
        mailboxes_of(address)
    assert in_reference_seconds(clock() - begun) < 2
