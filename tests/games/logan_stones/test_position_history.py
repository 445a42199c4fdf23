"""The position history: a sequence that is immutable, and as cheap when it is long."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.games.logan_stones.position_history import make_history

ITEMS = st.lists(st.integers(0, 9), max_size=80)


@given(ITEMS, ITEMS, ITEMS)
def test_it_is_the_list_of_its_items(shared: list[int], one: list[int], other: list[int]) -> None:
    # Two lines of play go on from the same position, and neither sees the other's.
    common = make_history(shared)
    both = [common, common]
    for branch, items in enumerate((one, other)):
        for item in items:
            both[branch] = both[branch].append(item)
    for found, items in zip(both, (one, other), strict=True):
        whole = shared + items
        assert list(found) == whole
        assert len(found) == len(whole)
        assert [found.count(item) for item in range(10)] == [whole.count(n) for n in range(10)]
        assert found == make_history(whole)
    assert list(common) == shared
    assert (both[0] == both[1]) == (one == other)
