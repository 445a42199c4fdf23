"""Notes, checkpoints and proofs as text: published examples, and what is refused."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.witnessing.notes import (
    COSIGNATURE,
    Checkpoint,
    PublicKey,
    SecretKey,
    WrongNote,
    consistency_text,
    cosigned,
    cosigned_at,
    inclusion_text,
    opened,
    parts,
    read_checkpoint,
    read_consistency,
    read_inclusion,
    read_key,
    signed,
)

# The example of the format's first description (Go's sumdb/note).
PUBLISHED_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PUBLISHED_SEED = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
PUBLISHED_TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
PUBLISHED_NOTE = (
    f"{PUBLISHED_TEXT}\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngot"
    "pRZb6KE6RyyBwJnAM=\n"
)

CLUB = SecretKey("club.example", bytes(range(32)))
WITNESS = SecretKey("ann.example/witness", bytes(range(1, 33)), COSIGNATURE)
HASH = bytes(range(32))
BODY = str(Checkpoint("club.example", 42, HASH))
NOTE = signed(BODY, CLUB)


def test_the_published_note_is_opened_and_made_again() -> None:
    key = SecretKey("PeterNeumann", PUBLISHED_SEED)
    assert str(key.public) == PUBLISHED_KEY
    assert read_key(PUBLISHED_KEY) == key.public
    assert opened(PUBLISHED_NOTE, key.public) == PUBLISHED_TEXT
    assert signed(PUBLISHED_TEXT, key) == PUBLISHED_NOTE


def test_a_checkpoint_is_three_lines() -> None:
    assert BODY == "club.example\n42\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
    assert read_checkpoint(opened(NOTE, CLUB.public)) == Checkpoint("club.example", 42, HASH)
    assert read_checkpoint(f"{BODY}more\n") == Checkpoint("club.example", 42, HASH)


@pytest.mark.parametrize(
    "text",
    [
        "club\n42\n",
        "club\n042\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "club\n-1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "club\n42\nAAEC\n",
        "club\n42\nno base64\n",
        "\n42\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "club\n42\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    ],
)
def test_what_is_no_checkpoint(text: str) -> None:
    with pytest.raises(WrongNote):
        read_checkpoint(text)


def test_a_witness_signs_below_with_its_time() -> None:
    twice = cosigned(NOTE, WITNESS, 1_700_000_000)
    assert twice.startswith(NOTE)
    assert opened(twice, CLUB.public) == BODY
    assert cosigned_at(twice, WITNESS.public) == 1_700_000_000
    assert cosigned_at(NOTE, WITNESS.public) is None
    assert read_key(str(WITNESS.public)) == WITNESS.public
    with pytest.raises(ValueError, match="of its own kind"):
        cosigned(NOTE, CLUB, 1)


def test_a_name_alone_signs_nothing() -> None:
    other = SecretKey("club.example", bytes(32))
    with pytest.raises(WrongNote, match=r"not signed by club\.example"):
        opened(signed(BODY, other), CLUB.public)
    both = signed(BODY, other) + NOTE.rpartition("\n\n")[2]
    assert opened(both, CLUB.public) == BODY
    again = PublicKey(CLUB.name, CLUB.public.public, COSIGNATURE)
    with pytest.raises(WrongNote):
        opened(NOTE, again)


@given(at=st.integers(0, len(NOTE) - 2), to=st.sampled_from("aZ9+\n "))
def test_a_note_that_was_changed_is_opened_by_nobody(at: int, to: str) -> None:
    changed = NOTE[:at] + to + NOTE[at + 1 :]
    if changed == NOTE:
        return
    try:
        text = opened(changed, CLUB.public)
    except WrongNote:
        return
    # Of base64, the bits of the last sign that no byte has may be others.
    assert text == BODY


@pytest.mark.parametrize(
    "note",
    [
        "",
        "\n\n",
        BODY,
        f"{BODY}\n",
        f"{BODY}\n- club.example AAAAAAAA\n",
        f"{BODY}\n— club.example AAAA\n",
        NOTE.removesuffix("\n"),
        f"\x00{NOTE}",
        NOTE + NOTE.rpartition("\n\n")[2] * 100,
    ],
)
def test_what_is_no_note(note: str) -> None:
    with pytest.raises(WrongNote):
        parts(note)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PeterNeumann",
        PUBLISHED_KEY.replace("c74f20a3", "c74f20a4"),
        PUBLISHED_KEY.removesuffix("W") + "!",
        PUBLISHED_KEY.replace("+ARpc", "+AQ=="),
        "PeterNeumann+c74f20a3+AhpcAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd",
        "Peter Neumann" + PUBLISHED_KEY.removeprefix("PeterNeumann"),
    ],
)
def test_what_is_no_key(text: str) -> None:
    with pytest.raises(WrongNote):
        read_key(text)


def test_proofs_go_through_their_texts() -> None:
    path = [HASH, HASH[::-1]]
    assert read_inclusion(inclusion_text(7, path, NOTE)) == (7, path, NOTE)
    assert read_inclusion(inclusion_text(0, [], NOTE)) == (0, [], NOTE)
    assert read_consistency(consistency_text(7, path, NOTE)) == (7, path, NOTE)
    assert inclusion_text(7, path, NOTE).startswith("c2sp.org/tlog-proof@v1\nindex 7\nAAEC")
    for wrong in ["", NOTE, "c2sp.org/tlog-proof@v1\nindex 07\n\n", "c2sp.org/tlog-proof@v1\n\n"]:
        with pytest.raises(WrongNote):
            read_inclusion(wrong)
    for wrong in ["", NOTE, "old x\n\n", "old 1\nAAAA\n\n"]:
        with pytest.raises(WrongNote):
            read_consistency(wrong)


def test_a_secret_is_in_no_text_of_a_key() -> None:
    assert CLUB.seed.hex() not in repr(CLUB)
    assert str(CLUB.seed) not in repr(CLUB)
