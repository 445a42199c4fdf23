"""What becomes of 780 replies that people wrote who knew only the players' page and our emails.

Each file has the replies of one writer, with what a referee would do, which its writer said before
anybody ran it; `gives` says what becomes of it if that is something else. A change of the reader
that moves a reply changes its line here: no move may become a wrong one unseen.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.replies.judge import Verdict, judge, read_replies
from tests.replies.places import PLACES, open_place

REPLIES = [
    reply for path in sorted(Path(__file__).parent.glob("*.toml")) for reply in read_replies(path)
]


@pytest.mark.parametrize("name", PLACES)
async def test_replies_at_a_place(name: str, tmp_path: Path) -> None:
    replies = [reply for reply in REPLIES if reply.place == name]
    assert replies
    async with open_place(name, tmp_path) as place:
        found = {reply.id: str(judge(reply, place.read(reply.text))) for reply in replies}
    assert found == {reply.id: str(reply.gives) for reply in replies}


def test_no_message_is_lost_or_leaked_and_nobody_is_left_without_an_answer() -> None:
    given = {reply.gives for reply in REPLIES}
    assert not given & {Verdict.LOST, Verdict.LEAKED}
    # Strangers get no hint after a refusing word, so that nobody is asked again and again.
    assert {reply.place for reply in REPLIES if reply.gives is Verdict.SILENT} <= {"invited"}
    wrong = [reply.id for reply in REPLIES if reply.gives is Verdict.WRONG]
    assert len(wrong) <= len(REPLIES) / 100
