"""Whose a request is, whatever the headers say that anybody can send, and how much each may ask."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from pbem.config.settings import Web
from pbem.web.access import KEPT, READING, WRITING, Bounds, owner, visitor
from pbem.web.begin import BEGINNING

PROXY = "10.0.0.1"
BEHIND = Web(trusted_proxies="127.0.0.0/8, ::1, 10.0.0.0/24, 2001:db8:9::/48").trusted


def scope(peer: str | None, *said: str) -> dict[str, Any]:
    headers = [(b"host", b"games.example"), *((b"x-forwarded-for", one.encode()) for one in said)]
    return {"client": (peer, 1) if peer is not None else None, "headers": headers}


@pytest.mark.parametrize(
    ("peer", "said", "whose"),
    [
        ("192.0.2.7", (), "192.0.2.7"),
        ("192.0.2.7", ("198.51.100.1",), "192.0.2.7"),
        ("::ffff:192.0.2.7", ("198.51.100.1",), "192.0.2.7"),
        (PROXY, (), PROXY),
        (PROXY, ("198.51.100.1",), "198.51.100.1"),
        (PROXY, ("203.0.113.9, 198.51.100.1",), "198.51.100.1"),
        (PROXY, ("203.0.113.9", "198.51.100.1"), "198.51.100.1"),
        (PROXY, ("198.51.100.1, 10.0.0.2, 127.0.0.1",), "198.51.100.1"),
        (PROXY, ("127.0.0.1, 198.51.100.1",), "198.51.100.1"),
        (PROXY, ("10.0.0.3, 10.0.0.2",), "10.0.0.3"),
        (PROXY, ("198.51.100.1:5060",), "198.51.100.1"),
        (PROXY, ("[2001:db8:1:2::3]:5060",), "2001:db8:1:2::"),
        (PROXY, ("2001:db8:1:2:3::4",), "2001:db8:1:2::"),
        (PROXY, ("198.51.100.1, 2001:db8:9::1",), "198.51.100.1"),
        (PROXY, ("::ffff:198.51.100.1",), "198.51.100.1"),
        (PROXY, ("198.51.100.1, unknown",), PROXY),
        (PROXY, ("198.51.100.1, unknown, 10.0.0.2",), "10.0.0.2"),
        (PROXY, ("\xff,,;", ""), PROXY),
        ("::1", ("198.51.100.1",), "198.51.100.1"),
        ("::ffff:127.0.0.1", ("198.51.100.1",), "198.51.100.1"),
        (None, ("198.51.100.1",), "198.51.100.1"),
        (None, (), ""),
    ],
)
def test_whose_a_request_is(peer: str | None, said: tuple[str, ...], whose: str) -> None:
    assert visitor(scope(peer, *said), BEHIND) == whose


def test_nobody_is_believed_but_this_machine_unless_the_settings_say_so() -> None:
    assert visitor(scope(PROXY, "198.51.100.1"), Web().trusted) == PROXY
    assert visitor(scope("127.0.0.1", "198.51.100.1"), Web().trusted) == "198.51.100.1"
    assert Web(trusted_proxies="").trusted == ()
    assert visitor(scope("127.0.0.1", "198.51.100.1"), ()) == "127.0.0.1"


@pytest.mark.parametrize("wrong", ["proxy.example", "10.0.0.1/8", "10.0.0.256"])
def test_a_proxy_that_is_no_address_is_a_wrong_setting(wrong: str) -> None:
    with pytest.raises(ValidationError, match="trusted_proxies"):
        Web(trusted_proxies=wrong)


def test_a_network_of_ipv6_is_one_asker_and_others_are_not() -> None:
    assert owner("2001:db8::1") == owner("2001:db8::ffff:1")
    assert owner("2001:db8::1") != owner("2001:db8:0:1::1")


# --- how much one address may ask for -------------------------------------------------------------


def test_so_many_at_once_and_then_so_many_a_second() -> None:
    bounds = Bounds()
    assert not any(bounds.wait("192.0.2.1", 0.0, READING) for _ in range(int(READING.room)))
    wait = bounds.wait("192.0.2.1", 0.0, READING)
    assert wait > 0
    assert bounds.wait("192.0.2.1", wait, READING) == 0
    assert bounds.wait("192.0.2.1", wait, READING) > 0


def test_reading_does_not_use_up_writing() -> None:
    bounds = Bounds()
    for _ in range(int(READING.room)):
        bounds.wait("192.0.2.1", 0.0, READING)
    assert not any(bounds.wait("192.0.2.1", 0.0, WRITING) for _ in range(int(WRITING.room)))
    assert bounds.wait("192.0.2.1", 0.0, WRITING) > 0


def test_no_flood_of_addresses_fills_the_memory() -> None:
    bounds = Bounds()
    for number in range(KEPT + 100):
        bounds.wait(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 0.0, READING)
    assert len(bounds._levels[READING]) == KEPT


def test_nobody_who_reads_makes_forgotten_who_fills_a_slow_bucket() -> None:
    bounds = Bounds()
    assert [bounds.wait("192.0.2.1", 0.0, BEGINNING) > 0 for _ in range(6)] == [False] * 5 + [True]
    for number in range(KEPT + 100):
        bounds.wait(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 0.0, READING)
    assert bounds.wait("192.0.2.1", 0.0, BEGINNING) > 0
