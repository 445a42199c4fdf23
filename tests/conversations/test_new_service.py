"""Play the conversations that the new service serves so far."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.runner import Conversation
from tests.conversations.script import FOLDER, read_script
from tests.conversations.service import NewService

SERVED = """
challenge_of_three first_match invitation_declined invitation_expires
kill_acceptance kill_during_a_match mail_programs move_illegal_then_legal
pleasantries reply_places resign_one_of_three resign_two settings_language stranger_asked_once
undo_in_the_window welcome_with_an_answer
"""


@pytest.mark.parametrize("name", SERVED.split())
async def test_new_service(name: str, tmp_path: Path) -> None:
    fault = ""
    try:
        await Conversation(read_script(FOLDER / f"{name}.txt"), tmp_path, NewService).play()
    except AssertionError as error:
        fault = str(error)
    if fault:
        pytest.fail(fault, pytrace=False)
