"""Every letter of the rounds is read as a referee would, but for those of `rounds/not_yet.txt`.

Who wrote them knew nothing of the reader. A line of `not_yet.txt` has a letter and how it fails:
that list only gets shorter.
"""

from __future__ import annotations

from itertools import chain
from typing import Final

import pytest

from tests.legacy.correspondence.letters import FOLDER, Letter, faults, read
from tests.legacy.correspondence.run import became

LETTERS: Final = list(chain.from_iterable(map(read, sorted(FOLDER.glob("*.toml")))))
NOT_YET: Final = dict(
    line.split(" ", 1) for line in (FOLDER / "not_yet.txt").read_text(encoding="utf-8").splitlines()
)


def test_letters_have_names_of_their_own_and_no_wrong_move_waits_to_be_mended() -> None:
    assert len({letter.id for letter in LETTERS}) == len(LETTERS)
    assert set(NOT_YET) <= {letter.id for letter in LETTERS}
    assert [name for name, fault in NOT_YET.items() if fault.startswith(("wrong", "silent"))] == []


ALWAYS: Final = (
    *("r15b081", "r9b036", "r3b072", "r7b115", "r1b109"),
    *("r17b011", "r18b044", "r18a122", "r18b056", "r17b139", "r17b014", "r1b112", "r17a104"),
    *("r19a037", "r19a075", "r19b059", "r19a092", "r7b123"),
)
"""`LG` below a blank line is no size, a disc in a spine no place, and `scrap that` no story.

Who refuses mails declines, and who says no as well does so once. A letter that begins like a legal
notice is answered; what somebody claims is no move, nor is what is probably one. A retraction below
a label holds, and one in a postscript, and one as a question. A yes may stand above a story, not in
a jest; prose may repeat steps of the turn, and names other places only in sentences. What takes
back or declines does so whatever it says behind, but for a move.
"""


@pytest.mark.parametrize("name", ALWAYS)
async def test_these_are_read_so_in_every_run(name: str) -> None:
    [letter] = [letter for letter in LETTERS if letter.id == name]
    assert faults(letter, await became(letter)) == []


@pytest.mark.parametrize("letter", LETTERS[::100], ids=lambda letter: letter.id)
async def test_a_letter_is_read_as_a_referee_would(letter: Letter) -> None:
    assert faults(letter, await became(letter))[:1] == [
        NOT_YET[one] for one in (letter.id,) if one in NOT_YET
    ]
