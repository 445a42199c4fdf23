"""How much one address may ask for."""

from __future__ import annotations

from pbem.web.access import KEPT, READING, WRITING, Bounds
from pbem.web.begin import BEGINNING


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
