"""Checks that a loaded position can occur in a game (LL-11.9)."""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection
from pbem.games.looney_ludo.boards import SQUARES, list_boards
from pbem.games.looney_ludo.position import COLOURS, PIECES, SIZES, Phase, Position
from pbem.games.looney_ludo.rules import boards
from pbem.games.looney_ludo.steps import has_nest, piece_code

_SETUP: Final = (Phase.ROLL_OFF, Phase.LAYOUT, Phase.DEAL)


def bad_position(part: str, value: object, rule: str) -> Rejection:
    """Return the Rejection for a position whose `part` has a wrong value.

    `rule` says which values are right.
    """
    return Rejection("bad_position", part=part, found=str(value), wanted=rule)


def check_sound(position: Position) -> None:
    """Raise the Rejection `bad_position` if the position cannot occur in a game."""
    _check_seats(position)
    _check_dice(position)
    _check_boards(position)
    _check_pieces(position)
    _check_end(position)


def _check_seats(position: Position) -> None:
    seats = {*range(1, position.seats + 1)}
    for key, entries in (("left", position.left), ("tied", position.tied)):
        if len({*entries}) != len(entries) or not {*entries} <= seats:
            raise bad_position(key, entries, f"different seats from 1 to {position.seats}")
    playing = position.playing
    over = position.phase is Phase.OVER
    if len(playing) < (1 if over else 2) or (len(playing) == 1) != (position.cause == "last_seat"):
        raise bad_position("left", position.left, "two seats that play on, or over last_seat")
    idle = over or position.phase is Phase.ROLL_OFF
    setup = position.phase in _SETUP
    if (position.to_act != 0) if idle else (position.to_act not in (seats if setup else playing)):
        raise bad_position(
            "to move", position.to_act, "a seat that plays, 0 while no seat is to move"
        )
    rolling = position.phase is Phase.ROLL_OFF
    if (len(position.tied) > 1) != rolling or {*position.tied} & {*position.left}:
        raise bad_position(
            "tied", position.tied, "those who roll for the start, in that phase only"
        )


def _check_dice(position: Position) -> None:
    roll = position.roll
    if (roll is not None) != (position.phase in (Phase.DOUBLES, Phase.ACT, Phase.REROLL)):
        raise bad_position("dice", roll, "dice in the phases doubles, reroll and act only")
    open_now = position.phase in (Phase.DOUBLES, Phase.REROLL)
    if open_now and roll is not None and not roll.doubles:
        raise bad_position("phase", position.phase, "act, since these are no doubles")


def _check_boards(position: Position) -> None:
    lying = list_boards(position.slots)
    expected = boards(position.setting)
    bare = position.phase in (Phase.ROLL_OFF, Phase.LAYOUT)
    left_early = position.cause == "last_seat" and not lying
    if {*lying} != ({*()} if bare or left_early else {*expected}):
        names = ", ".join(COLOURS[board] for board in expected)
        raise bad_position(
            "boards", [COLOURS[board] for board in lying], f"{names}, once they are laid"
        )


def _check_pieces(position: Position) -> None:
    lying = sorted(piece for stack in position.stacks for piece in stack)
    undealt = position.phase in _SETUP or (position.cause == "last_seat" and not lying)
    expected = [] if undealt else [
        PIECES * colour + size for colour in position.setting.colours for size in range(PIECES)
    ]  # fmt: skip
    if lying != sorted(expected):
        texts = " ".join(COLOURS[c] for c in position.setting.colours)
        codes = " ".join(piece_code(piece) for piece in lying)
        raise bad_position("pieces", codes, f"{', '.join(SIZES)} of {texts}, each once")
    on_boards = {square // SQUARES for square, stack in enumerate(position.stacks) if stack}
    if not on_boards <= {*list_boards(position.slots)}:
        raise bad_position(
            "pieces", [COLOURS[board] for board in on_boards], "pieces on boards in play"
        )


def _check_end(position: Position) -> None:
    setting = position.setting
    if position.cause == "nest":
        if position.winner not in position.playing:
            raise bad_position("over", position.winner, "a seat that plays")
        if not has_nest(position.stacks, setting.colours[position.winner - 1]):
            raise bad_position("over", position.winner, "a seat with a nest")
        return
    capped = bool(setting.cap) and position.played >= setting.cap
    if capped != (position.cause == "cap") and position.cause != "last_seat":
        raise bad_position(
            "played", position.played, "over cap when the turns are used up, and only then"
        )
    if position.cause:
        return
    winning = (position.to_act,) if setting.own_turn else position.playing
    for seat in winning:
        if seat and has_nest(position.stacks, setting.colours[seat - 1]):
            raise bad_position("over", "", f"nest {seat}, since that seat has one")
