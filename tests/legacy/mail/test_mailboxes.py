"""Spellings of one mailbox."""

from __future__ import annotations

import pytest

from pbem.legacy.mail.headers import domain_of, mailbox_of, organisation_of, stem_of

ONE = [
    ("zoe@example.org", "Zoe@Example.ORG"),
    ("zoe@example.org", "zoe+chess@example.org"),
    ("zoe@example.org", "zoe+a+b@example.org"),
    ("zoe@example.org", '"zoe"@example.org'),
    ("zoe@example.org", "zoe@mail.example.org"),
    ("zoe@example.org", "zoe@a.b.example.org."),
    ("zoe@b\u00fccher.example", "zoe@xn--bcher-kva.example"),
    ("zoe@example.org", "\uff5aoe@example.org"),
    ("zoe.m@gmail.com", "zo.e.m+x@googlemail.com"),
    ("zoe-m@proton.me", "zoe.m@protonmail.com"),
    ("zoe@example.co.uk", "zoe@www.example.co.uk"),
]
TWO = [
    ("zoe@example.org", "zoe@example.net"),
    ("zoe.m@example.org", "zoem@example.org"),
    ("zoe@one.co.uk", "zoe@two.co.uk"),
    ("zoe@example.org", "joe@example.org"),
    ("zoe@gmail.com", "zoe@gmail.com.example.org"),
    ("anna-lena@example.org", "anna-maria@example.org"),
]


@pytest.mark.parametrize(("one", "other"), ONE)
def test_spellings_of_one_mailbox_are_one(one: str, other: str) -> None:
    assert mailbox_of(one) == mailbox_of(other)
    assert domain_of(one) == domain_of(other)


@pytest.mark.parametrize(("one", "other"), TWO)
def test_two_mailboxes_stay_two(one: str, other: str) -> None:
    assert mailbox_of(one) != mailbox_of(other)


@pytest.mark.parametrize("domain", ["", ".", "..", "a" * 300, "\u00fc" * 80, "xn--", "a..b"])
def test_what_is_no_domain_raises_nothing(domain: str) -> None:
    organisation_of(domain)


@pytest.mark.parametrize("one", ["w-1@example.org", "W-2+x@mail.example.org", "w@example.org"])
def test_names_that_begin_alike_have_one_stem(one: str) -> None:
    assert stem_of(one) == "w@example.org"
    assert stem_of("-w@example.org") == "w@example.org"
    assert stem_of("wim@example.org") != stem_of(one)
