from __future__ import annotations

from collections import Counter
from itertools import cycle, islice, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.chance import (
    Dice,
    Draw,
    OneOf,
    Part,
    Permutation,
    is_possible,
    random_below,
    random_permutation,
    sample,
)

PARTS = st.one_of(
    st.builds(Dice, st.integers(1, 4), st.integers(2, 8)),
    st.builds(OneOf, st.integers(1, 300)),
    st.builds(Permutation, st.integers(1, 9)),
)
DRAWS = st.builds(Draw, st.just("test"), st.lists(PARTS, min_size=1, max_size=4).map(tuple))


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 24, 100, 255, 256])
def test_every_number_comes_from_equally_many_bytes(size: int) -> None:
    # Bytes that would favour some numbers are thrown away: each takes the next one instead, here 0.
    used = Counter(random_below(iter([byte, 0]), size) for byte in range(256 - 256 % size))
    assert len(used) == size
    assert len(set(used.values())) == 1


def test_bytes_beyond_the_last_multiple_are_thrown_away() -> None:
    assert random_below(iter([252, 253, 254, 255, 5]), 6) == 5


def test_sizes_above_a_byte_take_two_big_endian_bytes() -> None:
    assert random_below(iter([1, 0]), 300) == 256


@pytest.mark.parametrize("size", [0, -1])
def test_nothing_cannot_be_chosen_from(size: int) -> None:
    with pytest.raises(ValueError, match="nothing to choose from"):
        random_below(iter([0]), size)


def test_every_order_of_three_is_equally_likely() -> None:
    # 0 to 5 are every pair of answers to "one of 3" and "one of 2", which the shuffle asks for.
    orders = Counter(random_permutation(iter(pair), 3) for pair in product(range(3), range(2)))
    assert orders == Counter(permutations(range(3)))


@settings(deadline=None)
@given(DRAWS, st.binary(min_size=1, max_size=64))
def test_what_is_answered_is_possible(draw: Draw, some: bytes) -> None:
    # A source that only repeats bytes which are always thrown away would never end.
    source = cycle([*some, 0])
    assert is_possible(draw, sample(draw, iter(source)))


@pytest.mark.parametrize(
    ("part", "values"),
    [
        (Dice(2, 6), (1, 7)),
        (Dice(2, 6), (0, 1)),
        (Dice(2, 6), (1,)),
        (Dice(2, 6), (1, 2, 3)),
        (OneOf(3), (3,)),
        (OneOf(3), (-1,)),
        (OneOf(3), ()),
        (Permutation(3), (0, 1, 1)),
        (Permutation(3), (1, 2, 3)),
        (Permutation(3), (0, 1)),
    ],
)
def test_what_cannot_be_drawn_is_not_possible(part: Part, values: tuple[int, ...]) -> None:
    assert not is_possible(Draw("test", (part,)), values)


def test_the_text_of_a_draw_names_all_its_parts() -> None:
    draw = Draw("start", (Dice(2, 6), OneOf(24), Permutation(18)))
    assert str(draw) == "start: 2d6, one of 24, order of 18"


def test_the_parts_of_a_draw_are_answered_in_order() -> None:
    draw = Draw("start", (Dice(2, 6), OneOf(4), Permutation(2)))
    assert sample(draw, islice(iter([2, 5, 3, 1]), 4)) == (3, 6, 3, 0, 1)
