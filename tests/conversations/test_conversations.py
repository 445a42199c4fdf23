"""Play every conversation of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.runner import Conversation
from tests.conversations.script import Script, read_scripts
from tests.conversations.service import DrivenService

CONVERSATIONS = [
    pytest.param(
        script, id=script.name, marks=pytest.mark.whole if script.is_whole else pytest.mark.quick
    )
    for script in read_scripts()
]


@pytest.mark.parametrize("script", CONVERSATIONS)
async def test_a_conversation(
    script: Script, tmp_path: Path, service_class: type[DrivenService]
) -> None:
    if script.has_real_clock and service_class is not DrivenService:
        pytest.skip("`kill` starts a process that serves a file; `bench failover` has PostgreSQL")
    fault = ""
    try:
        await Conversation(script, tmp_path, service_class).play()
    except AssertionError as error:
        fault = str(error)
    if fault:
        pytest.fail(fault, pytrace=False)
