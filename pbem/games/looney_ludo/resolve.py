"""Conversion of typed clauses into a legal move. Omitted parts are filled in (LL-7.7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, assert_never

from pbem.errors import Fact, Rejection
from pbem.games.game import Seat
from pbem.games.looney_ludo.boards import (
    DIRECTIONS,
    NEXT_SLOT,
    OFF_TABLE,
    has_name,
    landings,
    last_named_slot,
    list_boards,
    slot_name,
)
from pbem.games.looney_ludo.grammar import (
    TOP,
    AdjacentSlot,
    AimOrder,
    Clause,
    HopOrder,
    Keyword,
    Meaning,
    Path,
    SwapOrder,
    has_unclear_o,
    read_clauses,
    separate_pieces,
    slot_number,
)
from pbem.games.looney_ludo.legal import open_moves
from pbem.games.looney_ludo.notation import notation
from pbem.games.looney_ludo.position import (
    COLOURS,
    OWN,
    PIECES,
    SIZES,
    Aim,
    Climb,
    Dig,
    Face,
    Hop,
    Keep,
    Move,
    Phase,
    Position,
    Reroll,
    Step,
    Swap,
    Tip,
    Walk,
    WholeTurn,
    letter_key,
)
from pbem.games.looney_ludo.rules import no_doubles, require_turn
from pbem.games.looney_ludo.samples import samples
from pbem.games.looney_ludo.steps import (
    Course,
    add_clause,
    check_action,
    check_board,
    dice_facts,
    take,
)
from pbem.games.looney_ludo.vocabulary import VOCABULARY

_SAMPLE_COUNT: Final = 2


def parse(text: str, position: Position, seat: Seat) -> Move:
    """Return the legal move that a player typed for the seat to act.

    The caller must have checked that it is the player's turn.

    Raises:
        Rejection: The text cannot be read, or the move is illegal.
    """
    del seat
    require_turn(position)
    text, readings = separate_pieces(_drop_doubles(VOCABULARY.normalise(text), position))
    if readings:
        raise _unseparated(readings, position)
    clauses = _merge_aims(read_clauses(text))
    _check_reading(clauses, position)
    decision = _decision(clauses, position)
    if decision is not None:
        return decision
    effective = [clause for clause in clauses if not _is_ignored(clause.meaning, position)]
    if not effective:
        # LL-7.7f: words without effect are no turn, and certainly not a pass.
        raise Rejection(
            "order_empty",
            samples=samples(position, _SAMPLE_COUNT),
            clause=None,
            text=None,
            dice=dice_facts(position.roll),
        )
    return WholeTurn(_steps(effective, position))


def _drop_doubles(text: str, position: Position) -> str:
    """Return the text without the number of the rolled doubles after `keep`, as in `keep 4`."""
    if position.roll is None or not position.roll.doubles:
        return text
    return re.sub(rf"\b(keep)[ \t]+{position.roll.first}\b", r"\1", text, flags=re.IGNORECASE)


def _unseparated(readings: Sequence[str], position: Position) -> Rejection:
    """Return the Rejection for a turn in which no sign separates two pieces (LL-8.38).

    The fact `readings` has the canonical text of each reading that is a legal turn.
    """
    legal: list[str] = []
    for reading in readings:
        with suppress(Rejection):
            legal.append(notation(parse(reading, position, Seat(position.to_act))))
    return Rejection(
        "unseparated", readings=legal, clause=None, text=None, dice=dice_facts(position.roll)
    )


def _merge_aims(clauses: Iterable[Clause]) -> list[Clause]:
    """Return the clauses, with successive AIMs merged into one action (LL-7.7h)."""
    merged: list[Clause] = []
    for clause in clauses:
        last = merged[-1] if merged else None
        if last and isinstance(last.meaning, AimOrder) and isinstance(clause.meaning, AimOrder):
            turns = last.meaning.turns + clause.meaning.turns
            merged[-1] = Clause(last.number, f"{last.text}; {clause.text}", AimOrder(turns))
        else:
            merged.append(clause)
    return merged


# --- the whole order ----------------------------------------------------------------------------


def _check_reading(clauses: Sequence[Clause], position: Position) -> None:
    """Raise a Rejection for the first clause that is unreadable, incomplete or in a wrong place.

    Rules: LL-8.1, LL-8.12 to LL-8.21.
    """
    end = ""
    for clause in clauses:
        try:
            _check_clause(clause, end, position)
        except Rejection as fault:
            raise add_clause(fault, clause.number, clause.text, position) from None
        if clause.meaning is Keyword.END:
            end = clause.text
    for check in (_check_alone, _check_doubles):
        for clause in clauses:
            refused = check(clause, len(clauses), position)
            if refused is not None:
                raise add_clause(refused, clause.number, clause.text, position)


def _check_clause(clause: Clause, end: str, position: Position) -> None:
    if clause.meaning is None:
        unclear = {"either": True} if has_unclear_o(clause.text) else {}
        raise Rejection("unreadable", word=clause.text, **unclear)
    if end:
        raise Rejection("after_end", end=end)
    _check_whole(clause.meaning, position)


def _check_alone(clause: Clause, count: int, position: Position) -> Rejection | None:
    """Return the Rejection for a re-roll if the turn has more clauses, else None (LL-7.13)."""
    del position
    alone = clause.meaning is not Keyword.REROLL or count == 1
    return None if alone else Rejection("reroll_not_alone")


def _check_doubles(clause: Clause, count: int, position: Position) -> Rejection | None:
    """Return the Rejection for `keep` or `reroll` if no doubles wait for that decision, else None.

    A further `keep` is allowed after the doubles have been kept (LL-8.15, LL-7.7f).
    """
    del count
    if position.phase is Phase.DOUBLES:
        return None
    has_doubles = position.roll is not None and position.roll.doubles
    late = clause.meaning is Keyword.REROLL or (clause.meaning is Keyword.KEEP and not has_doubles)
    return no_doubles() if late else None


def _decision(clauses: Sequence[Clause], position: Position) -> Move | None:
    """Return `Keep` or `Reroll` if the clauses say only that, and doubles wait for a decision.

    Otherwise return None (LL-7.12, LL-7.13).
    """
    meanings = {clause.meaning for clause in clauses if not _no_step(clause.meaning, position)}
    if position.phase is not Phase.DOUBLES:
        return None
    if meanings == {Keyword.REROLL}:
        return Reroll()
    return Keep() if meanings == {Keyword.KEEP} else None


def _is_ignored(meaning: Meaning | None, position: Position) -> bool:
    """Return whether a clause has no effect: `keep`, a rolled TIP or a rolled DIG (LL-7.7f)."""
    return meaning is Keyword.KEEP or _no_step(meaning, position)


def _no_step(meaning: Meaning | None, position: Position) -> bool:
    """Return whether a clause only names the TIP or DIG that was rolled.

    Both take effect by themselves, so that the clause adds no step to the turn.

    Rules: LL-2.12, LL-2.13.
    """
    face = position.roll.face if position.roll is not None else None
    return (meaning is Keyword.TIP and face is Face.TIP) or (
        meaning is Keyword.DIG and face is Face.DIG
    )


def _steps(clauses: Sequence[Clause], position: Position) -> tuple[Step, ...]:
    """Return the steps of all clauses in order, up to and including a step that wins (LL-8.1).

    Raises:
        Rejection: A step is illegal; the first such step is reported.
    """
    course = Course(position)
    steps: list[Step] = []
    for clause in clauses:
        try:
            for step in _resolve(clause.meaning, course):
                if course.winner:
                    return tuple(steps)  # LL-2.20: omit the rest
                take(course, step)
                steps.append(step)
        except Rejection as fault:
            raise add_clause(fault, clause.number, clause.text, position) from None
    return tuple(steps)


# --- one clause --------------------------------------------------------------------------------


def _check_whole(meaning: Meaning, position: Position) -> None:
    """Raise a Rejection if a clause with this meaning lacks a part (LL-7.8)."""
    match meaning:
        case Path():
            _check_path(meaning, position)
        case AimOrder(turns):
            missing = [board for board, rotation in turns if rotation is None]
            if missing or not turns:
                raise Rejection("turn_missing", board=COLOURS[missing[0]] if missing else None)
        case SwapOrder(boards):
            if len(boards) != 2:  # noqa: PLR2004 - LL-8.21 says two
                choices = [board for board in list_boards(position.slots) if board not in boards]
                raise Rejection("swap_two", boards=[COLOURS[board] for board in choices])
        case HopOrder():
            _check_hopping(meaning, position)
        case Keyword():
            pass
        case _:
            assert_never(meaning)


def _check_path(path: Path, position: Position) -> None:
    colour = position.colour if path.colour is None else path.colour
    if path.size is None:
        sizes = [
            SIZES[size]
            for size in range(PIECES)
            if not path.items or path.items[0] in _openings(PIECES * colour + size, position)
        ]
        raise Rejection("which_piece", colour=COLOURS[colour], sizes=sizes or list(SIZES))
    if not path.items:
        ways: list[Fact] = [
            "top" if way == TOP else DIRECTIONS[way].lower()
            for way in _openings(PIECES * colour + path.size, position)
        ]
        own = path.colour in (None, position.colour)
        raise Rejection(
            "no_path", size=SIZES[path.size], colour=None if own else COLOURS[colour], ways=ways
        )


def _openings(piece: int, position: Position) -> list[int]:
    """Return the directions in which the piece can move. If it can climb, return only TOP.

    Directions are indexes of DIRECTIONS. The piece may belong to any player, as with DIG.
    """
    course = Course(position)
    course.can_move_others = True
    key = piece if piece // PIECES != course.mover else piece % PIECES + PIECES * OWN
    items = []
    for turn in open_moves(course):
        match turn.steps:
            case (Walk(walker, direction),) if walker == key:
                items.append(direction)
            case (Climb(climber),) if climber == key:
                items.append(TOP)
    return items


def _check_hopping(hopping: HopOrder, position: Position) -> None:
    slots, board, target = position.slots, hopping.board, hopping.target
    if isinstance(target, AdjacentSlot):
        missing = target.board is None
    else:
        missing = target is None and not hopping.stay and hopping.rotation is None
    if missing or board is None:
        legal = landings(slots, board) if board is not None and slots[board] != OFF_TABLE else []
        raise Rejection(
            "slot_missing",
            board=None if board is None else COLOURS[board],
            direction=DIRECTIONS[target.direction] if isinstance(target, AdjacentSlot) else None,
            slots=[slot_name(slot) for slot in legal],
        )
    if isinstance(target, tuple) and not isinstance(target, AdjacentSlot):
        slot = slot_number(target)
        if slot is None or not has_name(slot, slots):
            name = f"{chr(ord('A') + target[0])}{target[1] + 1}"
            raise Rejection("bad_slot", slot=name, last=slot_name(last_named_slot(slots)))


def _resolve(meaning: Meaning | None, course: Course) -> Iterator[Step]:
    """Yield the steps of a clause with this meaning, with omitted parts filled in (LL-7.7)."""
    match meaning:
        case Path(colour, size, items) if size is not None:
            own = colour in (None, course.mover)
            piece = PIECES * (OWN if own or colour is None else colour) + size
            for item in items:
                yield Climb(piece) if item == TOP else Walk(piece, item)
        case Keyword.TIP:
            yield Tip()
        case Keyword.DIG:
            yield Dig()
        case SwapOrder((a, b)):
            first, second = sorted((a, b), key=letter_key)
            yield Swap(first, second)
        case HopOrder(board) if board is not None:
            yield _hop(meaning, board, course)
        case AimOrder(turns):
            typed = [(b, r.turns(course.turned[b]) if r else 0) for b, r in turns]
            yield _aim(typed, course)
        case _:
            return


def _hop(hopping: HopOrder, board: int, course: Course) -> Hop:
    check_action(course, Face.HOP)
    check_board(course, board)
    turns = hopping.rotation.turns(course.turned[board]) if hopping.rotation else 0  # LL-7.7c
    match hopping.target:
        case None:
            slot = course.slots[board]  # LL-7.7d
        case AdjacentSlot(direction, beside):
            near = board if beside is None else beside
            check_board(course, near)
            slot = course.slots[near] + NEXT_SLOT[direction]
        case target:
            slot = slot_number(target) or 0
    return Hop(board, slot, turns)


def _aim(typed: Sequence[tuple[int, int]], course: Course) -> Aim:
    """Return an AIM of the typed pairs of a board and its quarter turns clockwise (LL-7.7g).

    Boards that do not turn are left out. If no board turns, or a board is named twice or not in the
    game, all pairs stay. Then `take` refuses the step with the right reason.
    """
    turning = [pair for pair in typed if pair[1]]
    boards = {board for board, _ in typed}
    sound = turning and len(boards) == len(typed) and boards <= {*list_boards(course.slots)}
    return Aim(tuple(sorted(turning if sound else typed, key=lambda pair: letter_key(pair[0]))))
