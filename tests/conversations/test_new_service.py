"""Play the conversations that the new service serves so far."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.runner import Conversation
from tests.conversations.script import Script, read_scripts
from tests.conversations.service import NewService

NOT_YET: dict[str, str] = {}
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
