"""The positions that a game has reached, in order, and how often each of them (LS-4.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

T = TypeVar("T", bound=Hashable)

CHUNK: Final = 16
"""Items after which their counts are taken together: few enough to be searched one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class Reached(Generic[T]):
    """An immutable sequence; what `then` and `count` cost hardly depends on its length.

    A plain tuple is copied and searched for each ply, which makes a long match quadratic. Here the
    last chunk is a tuple, those before it are shared with the earlier sequences.
    """

    earlier: Reached[T] | None = None
    """What stands before the last chunk."""

    counts: Counter[T] = field(default_factory=Counter)
    """How often each item stands before the last chunk; nobody changes it."""

    chunk: tuple[T, ...] = ()
    length: int = 0

    def then(self, item: T) -> Reached[T]:
        """This sequence and one more item."""
        if len(self.chunk) < CHUNK:
            return Reached(self.earlier, self.counts, (*self.chunk, item), self.length + 1)
        counts = self.counts.copy()
        counts.update(self.chunk)
        return Reached(self, counts, (item,), self.length + 1)

    def count(self, item: T) -> int:
        """How often an item stands in it."""
        return self.counts[item] + self.chunk.count(item)

    @property
    def last(self) -> T | None:
        """The last item, if there is any."""
        return self.chunk[-1] if self.chunk else None

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[T]:
        chunks = []
        here: Reached[T] | None = self
        while here is not None:
            chunks.append(here.chunk)
            here = here.earlier
        for chunk in reversed(chunks):
            yield from chunk

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reached):
            return NotImplemented
        return self.length == other.length and all(
            mine == theirs for mine, theirs in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.length, self.last))

    def __repr__(self) -> str:
        return f"reached({list(self)!r})"


def reached(items: Iterable[T]) -> Reached[T]:
    """The sequence of these items."""
    so_far: Reached[T] = Reached()
    for item in items:
        so_far = so_far.then(item)
    return so_far
