"""Conversion of a parsed move (`Draft`) into a legal move.

The functions check the move, and fill in parts that the player omitted (LR-7.7).
"""

from __future__ import annotations

from pbem.errors import Rejection
from pbem.games.game import Chance, Seat
from pbem.games.landrush.grammar import Captures, Draft, read_order
from pbem.games.landrush.legal import count_choices, keep_sizes, list_choices
from pbem.games.landrush.move_checks import (
    check_placement,
    check_same,
    check_site,
    check_supply,
    check_targets,
    count_by_size,
    game_over,
    must_play,
    placeable_squares,
    refusal,
    size_missing,
    sizes_count,
)
from pbem.games.landrush.position import (
    MEDIUM,
    SIZES,
    SQUARES,
    TILES,
    Move,
    Pass,
    Phase,
    Placement,
    Play,
    Position,
    Stash,
    list_squares,
    piece_text,
    stash_text,
)
from pbem.games.landrush.rules import turn
from pbem.games.landrush.samples import samples
from pbem.games.landrush.tracts import (
    count_sizes,
    find_captured,
    is_enough,
    open_squares,
    remove_piece,
)


def parse(text: str, position: Position, seat: Seat) -> Move:
    """Return the legal move that a player typed for the seat to act.

    The caller must have checked that it is the player's turn.

    Raises:
        Rejection: The text cannot be read, or the move is illegal.
    """
    del seat
    if position.phase is Phase.OVER:
        raise game_over(position)
    if isinstance(turn(position), Chance):
        raise Rejection("not_your_turn", seats=[])
    draft = read_order(text, position)
    if draft.is_empty:
        raise refusal(position, "order_empty", samples=samples(position, 2))
    if position.phase is Phase.PLAY:
        return _play(draft, position)
    return _placement(draft, position)


def _placement(draft: Draft, position: Position) -> Placement:
    if draft.corner is not None:
        raise refusal(position, "no_coin_yet")
    if draft.size not in {None, MEDIUM}:
        raise refusal(position, "medium_only")
    if draft.has_pass or draft.captures is not None:
        raise refusal(position, "place_first")
    square = draft.square
    if square is None:
        square = _sole_choice(list_squares(placeable_squares(position)))
    if square is None:
        raise refusal(position, "square_missing", samples=samples(position, 3))
    check_placement(position, square)
    return Placement(square)


def _sole_choice(choices: tuple[int, ...]) -> int | None:
    return choices[0] if len(choices) == 1 else None


def _play(draft: Draft, position: Position) -> Move:
    playable = tuple(square for square, _, _ in open_squares(position))
    if draft.has_pass:
        if playable:
            raise must_play(position)
        if draft.has_parts:
            raise refusal(position, "unreadable", word="pass")
        return Pass()
    square = TILES[position.coin][draft.corner] if draft.corner is not None else draft.square
    if square is None:
        square = _sole_choice(playable)  # LR-7.7a
    if square is None:
        raise refusal(position, "square_missing", samples=samples(position, 3))
    stash = position.stash(position.to_act)
    size = draft.size
    if size is None:
        size = _sole_choice(tuple(size for size in range(3) if stash[size]))  # LR-7.7b
    captures = draft.captures
    if size is None and captures is not None and _is_played(draft, captures, position, square):
        size, captures = captures.sizes[0], None
    if size is None:
        raise size_missing(position, square)
    captured = check_site(position, square, size)
    supply = remove_piece(stash, size)
    if captures is None:
        return Play(square, size, _complete(position, captured, supply))
    return Play(square, size, _resolve(captures, position, square, captured, supply))


def _is_played(draft: Draft, captures: Captures, position: Position, square: int) -> bool:
    """Return whether the size after `with` is that of the played pyramid, as in `b6 with a small`.

    Otherwise, it is the size of a pyramid that replaces a captured one. The result is True if one
    size and nothing else follows `with`, and a play on `square` captures nothing.
    """
    if not draft.has_with or captures.pairs or len(captures.sizes) != 1:
        return False
    return find_captured(position, position.to_act, square) == 0


def _complete(position: Position, captured: int, supply: Stash) -> tuple[tuple[int, int], ...]:
    """Return the replacements of captured pyramids if the player omitted their sizes.

    Each item has a captured square and the size of the replacement. If the stash allows, that is
    the size of the captured pyramid (LR-7.7c). Otherwise, the sizes are the only possible choice
    (LR-7.7d). `captured` is the bit set of captured squares, and `supply` the stash without the
    played pyramid.

    Raises:
        Rejection: Several choices are possible, or the stash lacks the right sizes.
    """
    needed = count_sizes(position, captured)
    if is_enough(supply, needed):
        return keep_sizes(position, captured)
    targets = list_squares(captured)
    if position.setting.same:
        # LR-5.5: the play uses a pyramid that the replacements need, so this raises a Rejection.
        check_supply(position, supply, needed)
    if count_choices(len(targets), supply) > 1:
        raise _sizes_needed(position, captured, supply)
    return tuple(zip(targets, next(list_choices(len(targets), supply)), strict=True))


def _sizes_needed(position: Position, captured: int, supply: Stash) -> Rejection:
    """Return the Rejection that asks for the sizes of the replacements (LR-8.30).

    The facts have the captured pyramids and `supply`, the stash without the played pyramid.
    """
    targets = [
        {
            "square": SQUARES[square],
            "piece": piece_text(position, square),
            "size": SIZES[position.find_size(square)],
        }
        for square in list_squares(captured)
    ]
    return refusal(position, "sizes_needed", captured=targets, left=stash_text(supply))


def _resolve(
    captures: Captures, position: Position, square: int, captured: int, supply: Stash
) -> tuple[tuple[int, int], ...]:
    """Return the replacements of captured pyramids with the sizes that the player typed.

    Each item has a captured square and the size of the replacement. `square` is the square of the
    play, `captured` the bit set of captured squares, and `supply` the stash without the played
    pyramid. If `captures` names only some captured squares, the replacements on the others keep the
    sizes of the captured pyramids (LR-7.7e).

    Raises:
        Rejection: The typed squares or sizes do not fit the captures or the stash.
    """
    check_targets(position, square, captured, [target for target, _ in captures.pairs])
    targets = list_squares(captured)
    if captures.pairs:
        if not any(sizes for _, sizes in captures.pairs) and captures.has_take:
            return _complete(position, captured, supply)
        if not all(sizes or captures.has_take for _, sizes in captures.pairs):
            raise _sizes_needed(position, captured, supply)
        new = dict(keep_sizes(position, captured))  # LR-7.7e
        new.update((target, sizes[0]) for target, sizes in captures.pairs if sizes)
        replacements = tuple(sorted(new.items()))
    elif len(captures.sizes) == len(targets):
        replacements = tuple(zip(targets, captures.sizes, strict=True))
    else:
        raise sizes_count(position, captured, len(captures.sizes))
    check_supply(position, supply, count_by_size(size for _, size in replacements))
    check_same(position, replacements)
    return replacements
