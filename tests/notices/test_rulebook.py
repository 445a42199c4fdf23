"""Rules by their numbers: every number that a refusal names has its text."""

from __future__ import annotations

import re

import pytest

from pbem.notices.rendering.environment import template_folder
from pbem.notices.views.rulebook import rule


def test_every_rule_that_a_text_names_is_found() -> None:
    texts = (path.read_text(encoding="utf-8") for path in template_folder().rglob("*.j2"))
    cited = {
        number for text in texts for number in re.findall(r"\[([A-Z]{2}-[0-9.]+[a-z]?)\]", text)
    }
    assert len(cited) > 60
    assert sorted(number for number in cited if rule(number) is None) == []


@pytest.mark.parametrize("typed", ["LG-2.9", "lg-2.9", "[LG-2.9]"])
def test_a_rule_is_found_however_its_number_is_typed(typed: str) -> None:
    found = rule(typed)
    assert found is not None
    assert (found.game, found.number) == ("logger", "LG-2.9")
    assert not any("**" in line for line in found.lines)


def test_a_part_of_a_rule_shows_all_of_it() -> None:
    found = rule("LR-4.5b")
    assert found is not None
    assert (found.number, rule("LG-99.1")) == ("LR-4.5", None)
    assert any("exactly one tract" in line for line in found.lines)
