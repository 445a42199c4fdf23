"""Play the conversations that the new service serves so far."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.runner import Conversation
from tests.conversations.script import FOLDER, Script, read_script
from tests.conversations.service import NewService

SERVED = """
automatic_replies away_and_back block_is_not_told bounces_suspend bounces_with_an_email_between
cc_shows_question cc_shows_tag challenge_called_off challenge_of_three chat_stays_private
chess_scholars_mate clock_runs_down conditional_move delete_me delete_me_not_confirmed
downtime_costs_no_time draw_declined email_twice first_match forged_new_email forged_reply
from_forms give_time half_a_turn_asks hello_then_command hint_is_legal if_and_the_window if_none
invitation_accepted invitation_declined invitation_expires invitation_never invitation_other_address
invitation_three_addresses kill_acceptance kill_during_a_match late_email_extends leaked_address
learn_logger lesson logger_two ludo_six ludo_two mail_loops mail_programs message_replaces_a_turn
move_illegal_then_legal move_incomplete mute_and_unmute my_data name_change names_differ never_again
odd_characters old_email_proves_no_more old_tag_after_new_address old_tag_asked
one_reminder_for_two_matches open_seat open_seats_left operator_bans operator_extends
operator_reassigns operator_reassigns_with_time operator_rolls_back pleasantries
policy_refusals_do_not_count question_expires question_lapses question_limit question_limit_tag
question_once ratings_of_a_match received_while_down record_of_a_match relay_refuses_the_mailbox
remark_asks rematch reminder_before_the_deadline reply_places reply_stale reply_to_an_old_email
report_to_the_operator resign_asks_at_the_main_address resign_one_of_three resign_two
said_after_the_end say_goes_with_move say_reaches_the_opponent say_waits_with_the_move
say_with_a_refused_move seat_acts_for_itself_only second_address settings_language settings_timezone
settings_window stones_two stop_and_start stranger_asked_once stranger_one_hint takeback_agreed
takeback_asked_once takeback_not_past_draws takeback_refused text_with_file_name text_without_move
three_players_no_takeback three_with_one_away time_out_of_one_of_three tournament_enter_and_withdraw
tournament_of_twelve_matches tournament_starts_when_full tournament_withdraw_from_running
two_commands two_matches_same_players undo_in_the_window undo_stale unrated_match
vacation_spent_by_itself void_recomputes welcome_with_an_answer window_instead_of_time_out
words_never_dropped_logger words_never_dropped_ludo words_never_dropped_stones wrong_second_address
yes_in_languages yes_with_footer
"""


NEW = [
    pytest.param(
        script, id=script.name, marks=pytest.mark.whole if script.is_whole else pytest.mark.quick
    )
    for script in (read_script(FOLDER / f"{name}.txt") for name in SERVED.split())
]


@pytest.mark.parametrize("script", NEW)
async def test_new_service(script: Script, tmp_path: Path) -> None:
    fault = ""
    try:
        await Conversation(script, tmp_path, NewService).play()
    except AssertionError as error:
        fault = str(error)
    if fault:
        pytest.fail(fault, pytrace=False)
