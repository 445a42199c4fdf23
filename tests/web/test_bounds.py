"""How much one address may ask for."""

from __future__ import annotations

from pbem.web.access import KEPT, READING, WRITING, Bounds


def test_so_many_at_once_and_then_so_many_a_second() -> None:
    bounds = Bounds()
    assert not any(bounds.wait("192.0.2.1", 0.0, writes=False) for _ in range(int(READING.room)))
    wait = bounds.wait("192.0.2.1", 0.0, writes=False)
    assert wait > 0
    assert bounds.wait("192.0.2.1", wait, writes=False) == 0
    assert bounds.wait("192.0.2.1", wait, writes=False) > 0


def test_reading_does_not_use_up_writing() -> None:
    bounds = Bounds()
    for _ in range(int(READING.room)):
        bounds.wait("192.0.2.1", 0.0, writes=False)
    assert not any(bounds.wait("192.0.2.1", 0.0, writes=True) for _ in range(int(WRITING.room)))
    assert bounds.wait("192.0.2.1", 0.0, writes=True) > 0


def test_no_flood_of_addresses_fills_the_memory() -> None:
    bounds = Bounds()
    for number in range(KEPT + 100):
        bounds.wait(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 0.0, writes=False)
    assert len(bounds._levels) == KEPT
