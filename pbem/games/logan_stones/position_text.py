"""Positions as one line of text, which shows every face and is only for operators (LS-6.8).

The section "Position text" of docs/games/logan_stones.md describes the format. The
positions in the rulebook's examples are valid texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pbem.errors import Rejection
from pbem.games.logan_stones.draws import HAND
from pbem.games.logan_stones.position import (
    LAST_ADD,
    NO_CAP,
    Hand,
    HandStone,
    Pattern,
    Position,
    Rules,
    pattern,
)
from pbem.games.logan_stones.position_checks import check_sound
from pbem.games.logan_stones.position_history import PositionHistory, make_history
from pbem.games.logan_stones.spaces import HOME_NUMBER, HOME_ROW, find_space, label, parse_label
from pbem.games.logan_stones.stones import ALL_SEATS, NO_SEAT, SETS, Stone, pair

_KEYS: Final = (
    "undealt",
    "island",
    "hand 1",
    "hand 2",
    "to move",
    "ply",
    "reached",
    "stone_set",
    "draw_cap",
    "repetition",
    "memory_aid",
    "over",
)
_SEEN: Final = {"": NO_SEAT, "1": 1, "2": 2, "*": ALL_SEATS}
_MARKS: Final = {seen_by: mark for mark, seen_by in _SEEN.items()}
_STONE: Final = re.compile(r"(-?[A-Z]{1,4})(0|-?[1-9][0-9]{0,5})=([RPS]{2})([12*]?)")
_HELD: Final = re.compile(r"([1-8]) ([RPS]{2})")
_OVER: Final = re.compile(r"(line|last_seat) ([12])|(repetition|cap|agreement)")
_PLAIN: Final = re.compile(r"[0-9]{1,4}")
_USUAL: Final = Rules()


# --- writing -------------------------------------------------------------------------------------


def dump(position: Position) -> str:
    """Return a position as one line of text, without the parts that have their default value."""
    if position.is_dealt:
        parts = [f"island {_island_text(position.spaces, position.stones)}"]
        for seat, hand in enumerate(position.hands, 1):
            if hand:
                parts.append(f"hand {seat} {_hand_text(hand)}")
    else:
        parts = ["undealt"]
    parts.append(f"to move {position.to_act}")
    if position.ply:
        parts.append(f"ply {position.ply}")
    if position.history != _usual_history(position):
        parts.append("reached " + " / ".join(map(_pattern_text, position.history)))
    parts += _rules_texts(position.rules)
    if position.cause:
        parts.append(f"over {position.cause} {position.winner or ''}".rstrip())
    return "; ".join(parts)


def _island_text(spaces: tuple[int, ...], stones: tuple[Stone, ...]) -> str:
    return " ".join(
        f"{label(space)}={stone.top}{stone.bottom}{_MARKS[stone.seen_by]}"
        for space, stone in zip(spaces, stones, strict=True)
    )


def _hand_text(hand: Hand) -> str:
    return ", ".join(f"{stone.number} {stone.stone.top}{stone.stone.bottom}" for stone in hand)


def _pattern_text(key: Pattern) -> str:
    """Return the repetition key as text: the seat to move and the stones of the island.

    The island is shifted so that its first stone is on M20.
    """
    home = find_space(HOME_ROW, HOME_NUMBER) or 0
    faces = [key.faces[first : first + 2] for first in range(0, len(key.faces), 2)]
    stones = [f"{label(home + step)}={text}" for step, text in zip(key.steps, faces, strict=True)]
    return " ".join([str(key.to_act), *stones])


def _rules_texts(rules: Rules) -> list[str]:
    parts = []
    if rules.stone_set != _USUAL.stone_set:
        parts.append(f"stone_set {rules.stone_set}")
    if rules.cap != _USUAL.cap:
        parts.append(f"draw_cap {'none' if rules.cap == NO_CAP else rules.cap}")
    if not rules.repetition:
        parts.append("repetition off")
    if not rules.memory_aid:
        parts.append("memory_aid off")
    return parts


# --- reading -------------------------------------------------------------------------------------


def load(text: str) -> Position:
    """Return the position that the text describes.

    Raises:
        Rejection: `bad_position`, with the part that is wrong.
    """
    parts = _parts(text)
    spaces, stones = _island(parts.get("island", ""))
    if bool(spaces) == ("undealt" in parts):
        raise _bad("island", parts.get("island", ""), "stones, or undealt")
    hands = (_hand(parts, 1), _hand(parts, 2))
    ply = _ply(parts, hands)
    cause, winner = _ending(parts)
    position = Position(
        rules=_rules(parts),
        spaces=spaces,
        stones=stones,
        hands=hands,
        ply=ply,
        winner=winner,
        cause=cause,
    )
    history = _history(parts) if "reached" in parts else _usual_history(position)
    position = replace(position, history=history)
    check_sound(position)
    return position


def _bad(part: str, value: str, rule: str) -> Rejection:
    return Rejection("bad_position", part=part, found=value, wanted=rule)


def _parts(text: str) -> dict[str, str]:
    """Return the parts of the text of a position, by key.

    Semicolons separate the parts. A part begins with its key; the rest of the part is the value.
    The key `island` can be left out before a stone on a space, as in `M20=RS`.
    """
    parts: dict[str, str] = {}
    for piece in text.strip().strip(".;").split(";"):
        part = " ".join(piece.replace(",", " ").split())
        key = next((k for k in _KEYS if f"{part.casefold()} ".startswith(f"{k} ")), "")
        if not key and _STONE.match(part.upper()):
            key, part = "island", f"island {part}"
        if not key:
            raise _bad("parts", part, ", ".join(_KEYS))
        if key in parts:
            raise _bad(key, part, "once")
        parts[key] = part[len(key) :].strip()
    return parts


def _island(text: str) -> tuple[tuple[int, ...], tuple[Stone, ...]]:
    island: dict[int, Stone] = {}
    for word in text.upper().split():
        match = _STONE.fullmatch(word)
        space = parse_label(match[1], match[2]) if match else None
        if match is None or space is None or space in island:
            raise _bad("island", word, "a space, = and two faces, each space once, as in M20=RS")
        island[space] = Stone(*pair(match[3]), _SEEN[match[4]])
    spaces = tuple(sorted(island))
    return spaces, tuple(island[space] for space in spaces)


def _hand(parts: Mapping[str, str], seat: int) -> Hand:
    text = parts.get(f"hand {seat}", "").upper()
    hand = [
        HandStone(int(number), Stone(*pair(faces), seat)) for number, faces in _HELD.findall(text)
    ]
    numbers = [stone.number for stone in hand]
    if " ".join(f"{h.number} {h.stone.top}{h.stone.bottom}" for h in hand) != text:
        raise _bad(f"hand {seat}", text, "numbers 1 to 8, each with two faces, as in 1 RS 2 PP")
    if numbers != sorted(set(numbers)):
        raise _bad(f"hand {seat}", text, "each number once, in order")
    return tuple(hand)


def _ply(parts: Mapping[str, str], hands: tuple[Hand, Hand]) -> int:
    """Return the number of turns played. If the text omits it, compute it from the hands."""
    seat = parts.get("to move", "")
    if seat not in ("", "1", "2"):
        raise _bad("to move", seat, "1 or 2")
    usual = 0 if "undealt" in parts else 2 * HAND - len(hands[0]) - len(hands[1])
    if usual == LAST_ADD and seat == "2":
        usual += 1
    ply = _number(parts, "ply", usual)
    if seat and ply % 2 + 1 != int(seat):
        raise _bad("to move", seat, f"{ply % 2 + 1} after ply {ply}")
    return ply


def _number(parts: Mapping[str, str], key: str, usual: int) -> int:
    text = parts.get(key, str(usual))
    if not _PLAIN.fullmatch(text):
        raise _bad(key, text, "a whole number")
    return int(text)


def _history(parts: Mapping[str, str]) -> PositionHistory[Pattern]:
    keys = []
    for text in parts["reached"].split("/"):
        seat, _, island = text.strip().partition(" ")
        spaces, stones = _island(island)
        if seat not in ("1", "2") or not spaces or any(s.seen_by != NO_SEAT for s in stones):
            raise _bad("reached", text.strip(), "the seat to move, and an island without marks")
        keys.append(pattern(int(seat), spaces, stones))
    return make_history(keys)


def _usual_history(position: Position) -> PositionHistory[Pattern]:
    """Return the reached positions to assume if a text lists none: only the present position.

    The result is empty if the present position does not count for repetition (LS-4.5), for example
    while stones are in hand.
    """
    if position.rules.repetition and position.is_dealt and not any(position.hands):
        return make_history([pattern(position.to_act, position.spaces, position.stones)])
    return PositionHistory()


def _rules(parts: Mapping[str, str]) -> Rules:
    cap = parts.get("draw_cap", str(_USUAL.cap)).casefold()
    return Rules(
        stone_set=_choice(parts, "stone_set", (_USUAL.stone_set, *SETS)),
        cap=NO_CAP if cap == "none" else _number(parts, "draw_cap", _USUAL.cap),
        repetition=_choice(parts, "repetition", ("on", "off")) == "on",
        memory_aid=_choice(parts, "memory_aid", ("on", "off")) == "on",
    )


def _choice(parts: Mapping[str, str], key: str, values: tuple[str, ...]) -> str:
    value = parts.get(key, values[0]).casefold()
    if value not in values:
        raise _bad(key, value, " or ".join(dict.fromkeys(values)))
    return value


def _ending(parts: Mapping[str, str]) -> tuple[str, int]:
    if "over" not in parts:
        return "", 0
    match = _OVER.fullmatch(parts["over"].casefold())
    if match is None:
        raise _bad("over", parts["over"], "line or last_seat and the winner, or another ending")
    return match[1] or match[3], int(match[2] or 0)
