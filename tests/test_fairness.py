"""Draws: the chain, the bytes, the check, and the page that tells others how to do all of it."""

import hashlib
import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.fairness import (
    LINKS,
    ChainExhaustedError,
    DrawChain,
    Proof,
    chain_secret,
    check,
    commitment,
    hash_message,
    link,
    moves_digest,
    netstrings,
    random_bytes,
    sealed_digest,
    sealed_text,
    sealing_salt,
    start_digest,
)
from pbem.games.chance import Dice, Draw, OneOf, Part, Permutation, is_possible, parse_draw
from pbem.names import MatchId
from pbem.store.event_log import compute_hash
from tests.fairness_page import fenced

SECRET = bytes(range(32))
MATCH = MatchId("K7QX2")
TWO_DICE = Draw("dice", (Dice(2, 6),))
VECTORS: dict[str, Any] = json.loads(fenced("json"))


def drawn(count: int) -> list[Proof]:
    draws, proofs = DrawChain(MATCH, SECRET, LINKS), []
    for number in range(count):
        proof, draws = draws.draw(TWO_DICE, moves_digest([(1, number, "x", "")], ""))
        proofs.append(proof)
    return proofs


# --- the chain and the digests -------------------------------------------------------------------


def test_lengths_are_of_bytes_and_not_of_signs() -> None:
    assert netstrings("é", "") == b"2:\xc3\xa9,0:,"


def test_a_message_has_a_hash_unless_it_has_neither_an_id_nor_a_date() -> None:
    assert len({hash_message(*pair) for pair in [("a", "b"), ("a", ""), ("", "a")]} - {""}) == 3
    assert hash_message("", "") == ""


@pytest.mark.parametrize("index", [-1, 21])
def test_a_chain_has_no_links_beyond_its_ends(index: int) -> None:
    with pytest.raises(ValueError, match="link"):
        link(SECRET, 20, index)


# --- draws ---------------------------------------------------------------------------------------


def test_draws_use_one_link_after_another_and_say_so() -> None:
    proofs = drawn(150)  # more than two walks down the chain
    assert [proof.index for proof in proofs] == list(range(1, 151))
    assert [proof.link for proof in proofs] == [
        link(SECRET, LINKS, index).hex() for index in range(1, 151)
    ]
    assert all(is_possible(TWO_DICE, proof.values) for proof in proofs)


def test_draws_are_a_value_and_drawing_again_draws_the_same() -> None:
    draws = DrawChain(MATCH, SECRET, LINKS, next_index=5)
    first, after = draws.draw(TWO_DICE, "d")
    assert draws.draw(TWO_DICE, "d") == (first, after)
    assert (draws.next_index, after.next_index) == (5, 6)
    # What an earlier draw keeps for later ones changes no answer.
    assert after.draw(TWO_DICE, "d") == replace(after, cached_links=()).draw(TWO_DICE, "d")


def test_draws_go_on_from_the_link_that_was_shown_last() -> None:
    # Links that an earlier draw came past are those of other draws.
    _, drawn_from = DrawChain(MATCH, SECRET, LINKS).draw(TWO_DICE, "")
    fresh = DrawChain(MATCH, SECRET, LINKS, next_index=8)
    assert drawn_from.advance(7).draw(TWO_DICE, "")[0] == fresh.draw(TWO_DICE, "")[0]


def test_the_last_link_is_the_secret_and_after_it_the_chain_is_exhausted() -> None:
    draws = DrawChain(MATCH, SECRET, 3, next_index=3)
    proof, rest = draws.draw(TWO_DICE, "d")
    assert proof.link == SECRET.hex()
    with pytest.raises(ChainExhaustedError):
        rest.draw(TWO_DICE, "d")


def test_a_secret_is_not_shown_where_draws_are_printed() -> None:
    _, draws = DrawChain(MATCH, SECRET, LINKS).draw(TWO_DICE, "d")
    assert "secret" not in repr(draws)
    assert "cached_links" not in repr(draws)


# --- the text of a request -----------------------------------------------------------------------

PARTS: st.SearchStrategy[Part] = st.one_of(
    st.builds(Dice, st.integers(1, 30), st.integers(1, 100)),
    st.builds(OneOf, st.integers(1, 999_999)),
    st.builds(Permutation, st.integers(1, 100)),
)


@given(st.text("abc seats", min_size=1), st.lists(PARTS, min_size=1, max_size=4))
def test_a_request_is_read_back_from_its_text(name: str, parts: list[Part]) -> None:
    request = Draw(name, tuple(parts))
    assert parse_draw(str(request)) == request


@pytest.mark.parametrize(
    "text",
    ["", "dice", "dice: ", "dice: 0d6", "dice: 2d06", "dice:2d6", "dice: 2d6,1d6", "x: two",
     "x: one of 0", "x: order of 9999999", "x: 2d6, ", "x: 2d6 "],
)  # fmt: skip
def test_what_is_no_request_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="no request"):
        parse_draw(text)


# --- the check -----------------------------------------------------------------------------------

COMMITTED = {1: commitment(SECRET, LINKS).hex()}


def test_honest_draws_have_no_findings() -> None:
    assert check(drawn(5), MATCH, COMMITTED) == []
    assert check([], MATCH, COMMITTED) == []


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"values": (6, 6)}, "draw 3 says 6 6, but its link gives"),
        ({"values": ()}, "draw 3 says nothing, but its link gives"),
        ({"link": "00" * 32}, "link 3 is not of the chain"),
        ({"link": "no hex"}, "link 3 is not of the chain"),
        ({"link": link(SECRET, LINKS, 4).hex()}, "link 3 is not of the chain"),
        ({"index": 2}, "draw 2 follows draw 2"),
        ({"index": 10**12}, "draw 1000000000000 follows draw 2"),
        ({"digest": moves_digest([], "")}, "draw 3 says"),
        ({"request": "dice: 3d6"}, "draw 3 says"),
        ({"request": "dice: 1d6"}, "draw 3 says"),
        ({"request": "dice: 999999d6"}, "draw 3 has 2 values, where 999999 were requested"),
        ({"request": "dice: 2d6 or so"}, "nothing can be drawn by the words"),
    ],
)
def test_every_change_of_a_draw_is_found(changed: dict[str, Any], words: str) -> None:
    proofs = drawn(5)
    proofs[2] = replace(proofs[2], **changed)
    found = check(proofs, MATCH, COMMITTED)
    assert any(words in finding.words for finding in found), found


def test_a_draw_that_is_missing_or_doubled_is_found() -> None:
    proofs = drawn(5)
    assert [f.words for f in check(proofs[:2] + proofs[3:], MATCH, COMMITTED)] == [
        "draw 4 follows draw 2"
    ]
    assert check([*proofs[:3], proofs[2], *proofs[3:]], MATCH, COMMITTED)
    assert check(proofs, MatchId("K7QX3"), COMMITTED)
    for other in (commitment(bytes(32), LINKS).hex(), "zz"):
        assert [f.words for f in check(proofs, MATCH, {1: other})] == [
            "link 1 is not of the chain that was committed"
        ]


# --- the page ------------------------------------------------------------------------------------


def known_chain(kind: str, number: int = 1) -> bytes:
    return chain_secret(bytes.fromhex(VECTORS["secret"]), kind, number)


def test_the_page_has_the_known_answers() -> None:
    public, links = VECTORS["public"], VECTORS["links"]
    secret = known_chain("public")
    assert links == LINKS
    assert secret.hex() == public["secret"]
    assert link(secret, links, 4095).hex() == public["S_4095"]
    assert commitment(secret, links).hex() == public["commitment"]
    message = VECTORS["message"]
    assert hash_message(message["message_id"], message["date"]) == message["hash"]
    start = start_digest(VECTORS["start"]["accepted"])
    assert start == VECTORS["start"]["digest"]
    assert moves_digest([], start) == VECTORS["no_moves"]
    assert moves_digest(VECTORS["moves"]["lines"], start) == VECTORS["moves"]["digest"]


@pytest.mark.parametrize("answer", VECTORS["draws"], ids=lambda answer: answer["request"])
def test_the_page_has_the_known_draws(answer: dict[str, Any]) -> None:
    draws = DrawChain(MATCH, known_chain("public"), LINKS, next_index=answer["index"])
    proof, _ = draws.draw(parse_draw(answer["request"]), answer["digest"])
    assert proof.link == answer["link"]
    assert list(proof.values) == answer["values"]
    first = random_bytes(
        bytes.fromhex(answer["link"]),
        match=VECTORS["match"],
        index=answer["index"],
        request=answer["request"],
        digest=answer["digest"],
    )
    assert bytes(itertools.islice(first, 4)).hex() == answer["first_bytes"]


def test_the_page_has_the_known_seal() -> None:
    known, secret = VECTORS["sealed"], known_chain("sealed")
    assert secret.hex() == known["secret"]
    assert commitment(secret, LINKS).hex() == known["commitment"]
    draws = DrawChain(MATCH, secret, LINKS, next_index=known["index"])
    proof, _ = draws.draw(parse_draw(known["request"]), known["digest"])
    assert sealed_text(proof) == known["text"]
    assert sealing_salt(proof.link).hex() == known["salt"]
    assert sealed_digest(proof) == known["seal"]
    plain = bytes.fromhex(known["salt"]) + known["text"].encode()
    assert hashlib.sha256(plain).hexdigest() == known["seal"]


def test_the_page_has_a_known_draw_of_a_chain_that_follows() -> None:
    known, secret = VECTORS["following"], known_chain("public", 2)
    assert secret.hex() == known["secret"]
    assert commitment(secret, LINKS).hex() == known["commitment"]
    draws = DrawChain(MATCH, secret, LINKS, known["index"], known["first"])
    proof, _ = draws.draw(parse_draw(known["request"]), known["digest"])
    assert (proof.link, list(proof.values)) == (known["link"], known["values"])


def test_the_page_has_the_known_hash_of_an_event() -> None:
    known = VECTORS["event"]
    fields = (known["type"], known["data"], known["salt"])
    assert compute_hash(known["before"], MATCH, "1", *fields) == known["hash"]
