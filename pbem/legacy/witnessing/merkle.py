"""RFC 6962's Merkle tree: roots, proofs of inclusion and consistency, and their checks.

Whoever makes a proof gives `node(level, number)`: the hash of the full subtree of 2**level leaves
that begins at leaf number * 2**level. Everything else of a tree follows from such subtrees, so that
a store keeps or computes only these. Hashes are 32 bytes; leaves are counted from 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import pairwise

from pbem.errors import PbemError

Node = Callable[[int, int], bytes]
"""The hash of a full subtree, by its level and its number in that level."""


class WrongProof(PbemError):  # noqa: N818 - what is wrong is the proof
    """A proof that does not show what it is said to show."""


# --- hashing -------------------------------------------------------------------------------------

EMPTY = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf. RFC 6962 2.1: another prefix than inside, so that none passes for one."""
    return hashlib.sha256(b"\x00" + data).digest()


def inner_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees side by side."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def folded(hashes: Sequence[bytes]) -> bytes:
    """The root over the hashes of subtrees of one size, whose number is a power of two."""
    row = list(hashes)
    while len(row) > 1:
        row = [inner_hash(*pair) for pair in zip(row[::2], row[1::2], strict=True)]
    return row[0]


# --- making --------------------------------------------------------------------------------------


def root(size: int, node: Node) -> bytes:
    """The root of the first `size` leaves."""
    return _range_root(0, size, node) if size else EMPTY


def inclusion(index: int, size: int, node: Node) -> list[bytes]:
    """The hashes that lead from leaf `index` to the root of the first `size` (RFC 6962 2.1.1)."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} among {size}")
    path: list[bytes] = []
    first, last = 0, size
    while last - first > 1:
        middle = first + _split(last - first)
        if index < middle:
            path.append(_range_root(middle, last, node))
            last = middle
        else:
            path.append(_range_root(first, middle, node))
            first = middle
    return path[::-1]


def consistency(old: int, new: int, node: Node) -> list[bytes]:
    """The hashes that show that the first `new` leaves begin with the first `old` (2.1.2)."""
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} leaves does not follow one of {old}")
    if old in {0, new}:
        return []
    path: list[bytes] = []
    first, last, whole = 0, new, True
    while old != last:
        middle = first + _split(last - first)
        if old <= middle:
            path.append(_range_root(middle, last, node))
            last = middle
        else:
            path.append(_range_root(first, middle, node))
            first, whole = middle, False
    if not whole:
        path.append(_range_root(first, last, node))
    return path[::-1]


def _split(size: int) -> int:
    """The largest power of two below a size of at least 2."""
    return 1 << ((size - 1).bit_length() - 1)


def _range_root(first: int, last: int, node: Node) -> bytes:
    """The root of leaves first to last - 1, which are a subtree of a larger tree."""
    bounds = [first]
    while bounds[-1] < last:
        bounds.append(bounds[-1] + (1 << ((last - bounds[-1]).bit_length() - 1)))
    full = []
    for begins, ends in pairwise(bounds):
        level = (ends - begins).bit_length() - 1
        full.append(node(level, begins >> level))
    found = full.pop()
    while full:
        found = inner_hash(full.pop(), found)
    return found


# --- checking ------------------------------------------------------------------------------------


def check_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], top: bytes) -> None:
    """WrongProof unless `path` leads from a leaf's hash to the root `top` (RFC 9162 2.1.3.2)."""
    if not 0 <= index < size:
        raise WrongProof(f"there is no leaf {index} among {size}")
    at, last, found = index, size - 1, leaf
    for one in path:
        if last == 0:
            raise WrongProof("the proof is too long")
        if at & 1 or at == last:
            found = inner_hash(one, found)
            at, last = _up(at, last)
        else:
            found = inner_hash(found, one)
        at, last = at >> 1, last >> 1
    if last != 0:
        raise WrongProof("the proof is too short")
    if found != top:
        raise WrongProof("the proof leads to another root")


def check_consistency(
    old: int, new: int, path: Sequence[bytes], old_top: bytes, new_top: bytes
) -> None:
    """WrongProof unless the tree of `new` leaves begins with that of `old` (RFC 9162 2.1.4.2)."""
    if not 0 <= old <= new:
        raise WrongProof(f"a tree of {new} leaves does not follow one of {old}")
    if old in {0, new}:
        if old_top != (EMPTY if old == 0 else new_top):
            raise WrongProof("the roots differ")
        if path:
            raise WrongProof("the proof is too long")
        return
    hashes = list(path)
    if old & (old - 1) == 0:
        hashes.insert(0, old_top)
    if not hashes:
        raise WrongProof("the proof is too short")
    before, after = _both_tops(old, new, hashes)
    if before != old_top:
        raise WrongProof("the proof begins with another old root")
    if after != new_top:
        raise WrongProof("the proof leads to another new root")


def _both_tops(old: int, new: int, hashes: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The roots of both trees that these hashes lead to; WrongProof if they are too many or few."""
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = hashes[0]
    for one in hashes[1:]:
        if last == 0:
            raise WrongProof("the proof is too long")
        if at & 1 or at == last:
            before, after = inner_hash(one, before), inner_hash(one, after)
            at, last = _up(at, last)
        else:
            after = inner_hash(after, one)
        at, last = at >> 1, last >> 1
    if last != 0:
        raise WrongProof("the proof is too short")
    return before, after


def _up(at: int, last: int) -> tuple[int, int]:
    """Past the levels at which the last subtree has nothing to its right."""
    while at and not at & 1:
        at, last = at >> 1, last >> 1
    return at, last
