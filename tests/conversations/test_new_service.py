"""Play the conversations that the new service serves so far."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.runner import Conversation
from tests.conversations.script import FOLDER, read_script
from tests.conversations.service import NewService

SERVED = """
automatic_replies away_and_back challenge_called_off challenge_of_three clock_runs_down
conditional_move draw_declined first_match from_forms give_time if_and_the_window if_none
invitation_declined invitation_expires kill_acceptance kill_during_a_match mail_programs
move_illegal_then_legal one_reminder_for_two_matches operator_bans operator_extends
operator_reassigns operator_reassigns_with_time operator_rolls_back pleasantries
ratings_of_a_match reminder_before_the_deadline reply_places resign_one_of_three resign_two
settings_language stranger_asked_once takeback_agreed takeback_asked_once takeback_not_past_draws
takeback_refused three_players_no_takeback three_with_one_away time_out_of_one_of_three
tournament_enter_and_withdraw tournament_of_twelve_matches tournament_withdraw_from_running
undo_in_the_window undo_stale unrated_match vacation_spent_by_itself void_recomputes
welcome_with_an_answer window_instead_of_time_out
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
