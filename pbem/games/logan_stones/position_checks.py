"""Checks that a loaded position can occur in a game.

A fault is a tuple of texts: the part of the position text, the wrong value, and what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Rejection
from pbem.games.hexes import is_connected
from pbem.games.logan_stones.draws import HAND, STONES
from pbem.games.logan_stones.position import LAST_ADD, NO_CAP, Position, pattern
from pbem.games.logan_stones.rules import REPETITION_COUNT, lines
from pbem.games.logan_stones.spaces import labels
from pbem.games.logan_stones.stones import Symbol, kinds, list_faces

CAPS = range(40, 501)  # numbers that challengers can choose for the option draw_cap (LS-5.2)


def check_sound(position: Position) -> None:
    """Raise the Rejection `bad_position` if the position cannot occur in a game."""
    for part, value, rule in _faults(position):
        raise Rejection("bad_position", part=part, found=value, wanted=rule)


def _faults(position: Position) -> Iterator[tuple[str, str, str]]:
    yield from _rule_faults(position)
    if position.is_dealt:
        yield from _island_faults(position)
        yield from _hand_faults(position)
    elif position.ply or position.history or any(position.hands):
        yield "undealt", f"ply {position.ply}", "no stone and no ply before the deal"
    elif position.cause not in ("", "last_seat"):
        yield "over", position.cause, "stones that are dealt"
    yield from _end_faults(position)


def _rule_faults(position: Position) -> Iterator[tuple[str, str, str]]:
    cap, repetition = position.rules.cap, position.rules.repetition
    if cap == NO_CAP:
        if not repetition:  # LS-5.9
            yield "repetition", "off", "on, if there is no cap"
    elif cap not in CAPS:
        yield "draw_cap", str(cap), f"none or {CAPS[0]} to {CAPS[-1]}"
    elif position.ply > cap or (position.ply == cap and not position.cause):
        yield "ply", str(position.ply), f"less than the cap of {cap}, or over"


def _island_faults(position: Position) -> Iterator[tuple[str, str, str]]:
    if len(position.spaces) < 2:  # noqa: PLR2004 - LS-1.7: two are there from the start
        yield "island", " ".join(labels(position.spaces)), "two stones or more"
    if not is_connected(position.spaces):
        yield "island", " ".join(labels(position.spaces)), "one island"
    faces: list[tuple[Symbol, Symbol]] = [(s.top, s.bottom) for s in position.stones]
    faces += [(h.stone.top, h.stone.bottom) for hand in position.hands for h in hand]
    spare = kinds(list_faces(position.rules.stone_set))
    spare.subtract(kinds(faces))
    missing = sorted("".join(sorted(kind)) for kind, count in spare.items() if count < 0)
    if missing or len(faces) > STONES:
        name = position.rules.stone_set
        yield "island", f"{len(faces)} stones, too many of {missing}", f"stones of the set {name}"


def _hand_faults(position: Position) -> Iterator[tuple[str, str, str]]:
    """Yield a fault for each hand whose number of stones does not fit the turns played (LS-2.2)."""
    for seat, hand in enumerate(position.hands, 1):
        laid = min(HAND, (position.ply + 2 - seat) // 2)
        if len(hand) != HAND - laid:
            yield f"hand {seat}", f"{len(hand)} stones", f"{HAND - laid} after ply {position.ply}"


def _end_faults(position: Position) -> Iterator[tuple[str, str, str]]:
    line = labels(lines(position.island, position.spaces))
    if bool(line) != (position.cause == "line"):
        yield "over", " ".join(line) or position.cause, "over line if there is a line, else not"
    if position.cause == "line" and position.winner == position.to_act:
        yield "over", f"line {position.winner}", "the seat that moved last"
    if position.cause == "cap" and position.ply != position.rules.cap:
        yield "over", f"cap at ply {position.ply}", f"the cap of {position.rules.cap}"
    yield from _history_faults(position)


def _history_faults(position: Position) -> Iterator[tuple[str, str, str]]:
    """Check the list of reached positions against the present position, and yield faults (LS-4.5).

    A fault is the name of the field, what it has, and what it must have.
    """
    history = position.history
    if len(history) and not position.rules.repetition:
        yield "reached", f"{len(history)} positions", "none, since repetition is off"
    if len(history) > max(0, position.ply - LAST_ADD + 1):
        yield "reached", f"{len(history)} positions", f"as many as by ply {position.ply}"
    last = pattern(position.to_act, position.spaces, position.stones) if len(history) else None
    if history.last != last:
        yield "reached", "the last position", "the one that is on the island"
    if any(history.count(key) >= REPETITION_COUNT for key in history) != (
        position.cause == "repetition"
    ):
        yield "over", position.cause or "not over", "repetition if a position was reached thrice"
