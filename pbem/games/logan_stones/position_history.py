"""A sequence of the positions that a game has reached, with the count of each (LS-4.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

T = TypeVar("T", bound=Hashable)

CHUNK: Final = 16  # most items of a chunk; only the last chunk is searched item by item


@dataclass(frozen=True, slots=True, eq=False)
class PositionHistory(Generic[T]):
    """The positions that a game has reached, oldest first, to count repetitions.

    The sequence is immutable, but fast to extend (`append`) and to count in (`count`). A tuple
    would be copied and searched at each turn, so a long match would take quadratic time. Instead,
    only the last chunk, of at most CHUNK items, is copied and searched at each turn. Earlier chunks
    are shared with earlier sequences.
    """

    earlier: PositionHistory[T] | None = None
    """The sequence before the last chunk; None if there is only one chunk."""

    counts: Counter[T] = field(default_factory=Counter)
    """The number of times that each item occurs before the last chunk; never changed."""

    chunk: tuple[T, ...] = ()
    length: int = 0

    def append(self, item: T) -> PositionHistory[T]:
        """Return this sequence with the item added at its end."""
        if len(self.chunk) < CHUNK:
            return PositionHistory(self.earlier, self.counts, (*self.chunk, item), self.length + 1)
        counts = self.counts.copy()
        counts.update(self.chunk)
        return PositionHistory(self, counts, (item,), self.length + 1)

    def count(self, item: T) -> int:
        """Return the number of times that the item occurs in the sequence."""
        return self.counts[item] + self.chunk.count(item)

    @property
    def last(self) -> T | None:
        """The last item, or None if the sequence is empty."""
        return self.chunk[-1] if self.chunk else None

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[T]:
        chunks = []
        node: PositionHistory[T] | None = self
        while node is not None:
            chunks.append(node.chunk)
            node = node.earlier
        for chunk in reversed(chunks):
            yield from chunk

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PositionHistory):
            return NotImplemented
        return self.length == other.length and all(
            item == other_item for item, other_item in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.length, self.last))

    def __repr__(self) -> str:
        return f"make_history({list(self)!r})"


def make_history(items: Iterable[T]) -> PositionHistory[T]:
    """Return a `PositionHistory` of the items."""
    history: PositionHistory[T] = PositionHistory()
    for item in items:
        history = history.append(item)
    return history
