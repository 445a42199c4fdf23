"""The tree of the log: published roots and proofs, and a second, naive implementation."""

import hashlib
from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.witnessing.merkle import (
    EMPTY,
    WrongProof,
    check_consistency,
    check_inclusion,
    consistency,
    folded,
    inclusion,
    leaf_hash,
    root,
)

# The leaves, roots and proofs of the tests of Certificate Transparency's own implementation.
LEAVES = [
    bytes.fromhex(one)
    for one in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSIONS = {
    (0, 1): [],
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 3): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    (1, 5): [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}
CONSISTENCIES = {
    (1, 1): [],
    (1, 8): INCLUSIONS[0, 8],
    (6, 8): [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 5): [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}


def node_of(leaves: Sequence[bytes], level: int, number: int) -> bytes:
    return folded([leaf_hash(one) for one in leaves[number << level : (number + 1) << level]])


def test_roots_are_those_that_were_published() -> None:
    assert EMPTY.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    node = partial(node_of, LEAVES)
    assert [root(size, node).hex() for size in range(1, 9)] == ROOTS


@pytest.mark.parametrize(("place", "path"), INCLUSIONS.items())
def test_inclusion_is_proven_as_published(place: tuple[int, int], path: list[str]) -> None:
    index, size = place
    proof = [bytes.fromhex(one) for one in path]
    assert inclusion(index, size, partial(node_of, LEAVES)) == proof
    check_inclusion(leaf_hash(LEAVES[index]), index, size, proof, bytes.fromhex(ROOTS[size - 1]))


@pytest.mark.parametrize(("sizes", "path"), CONSISTENCIES.items())
def test_consistency_is_proven_as_published(sizes: tuple[int, int], path: list[str]) -> None:
    old, new = sizes
    proof = [bytes.fromhex(one) for one in path]
    assert consistency(old, new, partial(node_of, LEAVES)) == proof
    tops = [bytes.fromhex(ROOTS[one - 1]) for one in sizes]
    check_consistency(old, new, proof, *tops)


# --- by the definition (RFC 6962 2.1), in its own words ------------------------------------------


def mth(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) < 2:
        return hashlib.sha256(b"".join(b"\x00" + one for one in leaves)).digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def path_of(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m < k:
        return [*path_of(m, leaves[:k]), mth(leaves[k:])]
    return [*path_of(m - k, leaves[k:]), mth(leaves[:k])]


def subproof(m: int, leaves: Sequence[bytes], *, whole: bool) -> list[bytes]:
    if m == len(leaves):
        return [] if whole else [mth(leaves)]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m <= k:
        return [*subproof(m, leaves[:k], whole=whole), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], whole=False), mth(leaves[:k])]


SIZES = st.integers(1, 70)


@given(size=SIZES, data=st.data())
def test_the_tree_is_that_of_the_definition(size: int, data: st.DataObject) -> None:
    leaves = [f"leaf {number}".encode() for number in range(size)]
    node, top = partial(node_of, leaves), mth(leaves)
    index = data.draw(st.integers(0, size - 1))
    old = data.draw(st.integers(1, size))
    assert root(size, node) == top
    assert inclusion(index, size, node) == path_of(index, leaves)
    assert consistency(old, size, node) == subproof(old, leaves, whole=True)
    check_inclusion(leaf_hash(leaves[index]), index, size, path_of(index, leaves), top)
    proof = subproof(old, leaves, whole=True)
    check_consistency(old, size, proof, mth(leaves[:old]), top)


@given(size=st.integers(2, 40), data=st.data())
def test_a_tree_that_was_changed_has_no_proof(size: int, data: st.DataObject) -> None:
    """Nothing honest joins the old tree with one in which an old leaf is another."""
    leaves = [f"leaf {number}".encode() for number in range(size)]
    old = data.draw(st.integers(1, size - 1))
    changed = list(leaves)
    changed[data.draw(st.integers(0, old - 1))] = b"another"
    forged = consistency(old, size, partial(node_of, changed))
    with pytest.raises(WrongProof):
        check_consistency(old, size, forged, mth(leaves[:old]), mth(changed))
    honest = consistency(old, size, partial(node_of, leaves))
    with pytest.raises(WrongProof):
        check_consistency(old, size, honest, mth(leaves[:old]), mth(changed))


@given(size=st.integers(2, 40), data=st.data())
def test_a_proof_that_was_changed_is_wrong(size: int, data: st.DataObject) -> None:
    leaves = [f"leaf {number}".encode() for number in range(size)]
    node, top = partial(node_of, leaves), mth(leaves)
    index = data.draw(st.integers(0, size - 1))
    path = inclusion(index, size, node)
    spoilt = data.draw(st.sampled_from(["shorter", "longer", "other", "elsewhere"]))
    other, at = list(path), index
    match spoilt:
        case "shorter":
            other.pop()
        case "longer":
            other.append(EMPTY)
        case "other":
            other[data.draw(st.integers(0, len(path) - 1))] = EMPTY
        case _:
            at = (index + 1) % size
    with pytest.raises(WrongProof):
        check_inclusion(leaf_hash(leaves[index]), at, size, other, top)


@given(size=st.integers(2, 40), data=st.data())
def test_a_consistency_that_was_changed_is_wrong(size: int, data: st.DataObject) -> None:
    leaves = [f"leaf {number}".encode() for number in range(size)]
    old = data.draw(st.integers(1, size - 1))
    path = consistency(old, size, partial(node_of, leaves))
    at = data.draw(st.integers(0, len(path) - 1))
    for other in (path[:-1], [*path, EMPTY], [*path[:at], EMPTY, *path[at + 1 :]]):
        with pytest.raises(WrongProof):
            check_consistency(old, size, other, mth(leaves[:old]), mth(leaves))


def test_what_cannot_be_is_refused() -> None:
    node = partial(node_of, LEAVES)
    with pytest.raises(ValueError, match="no leaf 8 among 8"):
        inclusion(8, 8, node)
    with pytest.raises(ValueError, match="of 3 leaves does not follow one of 4"):
        consistency(4, 3, node)
    with pytest.raises(WrongProof, match="of 3 leaves does not follow one of 4"):
        check_consistency(4, 3, [], EMPTY, EMPTY)
    with pytest.raises(WrongProof, match="no leaf 1 among 1"):
        check_inclusion(EMPTY, 1, 1, [], EMPTY)
    with pytest.raises(WrongProof, match="the roots differ"):
        check_consistency(3, 3, [], EMPTY, mth(LEAVES[:3]))
    with pytest.raises(WrongProof, match="the roots differ"):
        check_consistency(0, 3, [], mth(LEAVES[:1]), mth(LEAVES[:3]))
    check_consistency(0, 3, [], EMPTY, mth(LEAVES[:3]))
