from __future__ import annotations

import re

import pytest

from pbem.mail.commands import parse
from pbem.notifications.render import find_template_folder, make_environment
from pbem.service.registry import command_table

FOLDER = find_template_folder()
OFFERED = re.findall(
    r"pgettext\('command', '(\w+)'\)",
    (FOLDER / "email" / "commands.txt.j2").read_text(encoding="utf-8"),
)


@pytest.mark.parametrize("name", OFFERED)
def test_what_an_email_offers_in_german_is_read(name: str) -> None:
    said = make_environment((FOLDER,), "de").filters["command"](name)
    found = command_table().find(said)
    read = parse(said, command_table(), None).answer if found is None else found[0].name
    assert read == name
