"""Play every conversation of this folder against the service."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.runner import Conversation
from tests.conversations.script import Script, read_scripts
from tests.conversations.service_old import OldService
from tests.legacy.drawing import draw_for
from tests.legacy.engines import drop_all

SCRIPTS = read_scripts()
OLD = [
    pytest.param(
        script, id=script.name, marks=pytest.mark.whole if script.is_whole else pytest.mark.quick
    )
    for script in SCRIPTS
    if not script.is_new and not script.has_real_clock  # tests/legacy kills it at each step
]


@pytest.mark.parametrize("script", OLD)
async def test_old_service(script: Script, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    fault = ""
    draw_for(request.node)
    try:
        await Conversation(script, tmp_path, OldService).play()
    except AssertionError as error:
        fault = str(error)
    finally:
        drop_all()
    if fault:
        pytest.fail(fault, pytrace=False)
