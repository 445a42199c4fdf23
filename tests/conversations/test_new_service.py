"""Play the conversations that the new service serves so far."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.runner import Conversation
from tests.conversations.script import Script, read_scripts
from tests.conversations.service import NewService

NOT_YET = {
    "pages": """
        cc_shows_page invitation_link link_to_a_seat links_change_nothing
        new_address_replaces_tags page_after_the_end page_and_email_mixed page_draw_offer page_plays
        page_pressed_twice page_refuses_a_move page_resign_asks_by_email page_shows_talk_and_offers
        page_shows_the_start pages_keep_hidden_faces_apart relay_delays_a_turn tournament_standings
        try_a_game unsubscribe_button unsubscribed_stranger watch_page_only watch_private
        watch_shows_no_secrets watch_without_the_table
        """,
}
"""What the new service lacks, with the conversations that need it."""

MISSING = {name for names in NOT_YET.values() for name in names.split()}
NEW = [
    pytest.param(
        script, id=script.name, marks=pytest.mark.whole if script.is_whole else pytest.mark.quick
    )
    for script in read_scripts()
    if script.name not in MISSING
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
