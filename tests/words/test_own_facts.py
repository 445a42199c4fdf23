"""What mails say of the program: each fact is changed, and its sentence changes with it."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pbem import hours
from pbem.bots.measured import AT_TABLES, MEASURED
from pbem.games import GAMES
from pbem.matches import challenges
from pbem.notices.rendering.environment import environment, template_folder
from pbem.notices.rendering.languages import bot_levels, own_facts
from pbem.players import names, player
from pbem.standing import book
from tests.house_size import ROOT

FACTS: dict[str, tuple[ModuleType, str, Any]] = {
    "quiet_hours": (hours, "MOST_QUIET_HOURS", 7),
    "rest_days": (hours, "MOST_REST_DAYS", 7),
    "name_digits": (names, "DIGITS", 7),
    "name_letters": (names, "LONGEST", 7),
    "link_days": (challenges, "LINK_LASTS", timedelta(days=7)),
    "leave_earned_days": (player, "EARNED_IN", timedelta(days=7)),
    "standstill_days": (player, "MOST", timedelta(days=7)),
    "old_address_days": (player, "OLD_ASKS", timedelta(days=7)),
    "rating_sure": (book, "SURE", 7.0),
    "rated_often": (book, "OFTEN", 7),
    "losses": (book, "LOSSES", 7),
}
"""Where the program keeps what templates say of it, and another value."""

SOURCES = {
    path.relative_to(template_folder()).as_posix(): path.read_text("utf-8")
    for path in sorted(template_folder().rglob("*.j2"))
}

_SENTENCE = re.compile(r"\{%-?\s*trans\b.*?%\}(.*?)\{%-?\s*(?:endtrans|pluralize)", re.DOTALL)
_WITH_A_FACT = re.compile(r"\{%-?\s*trans\b[^%]*ours\(\)\.(\w+)[^%]*%\}.*?endtrans\s*[-+]?%\}")

_CLAIM = re.compile(
    r"\b(?:[0-9]+|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|twenty|thirty)"
    r" (?:\w+ ){0,2}(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|mails?|letters?|"
    r"digits?|times|characters|matches|bots|levels)\b|\b"
    r"(?:at most|up to|within|after|every) [0-9]+",
    re.IGNORECASE,
)

STANDING = {"could be two days": "what was typed can be read so"}
"""What is no fact of the program, and why."""


def test_each_fact_is_read_where_the_program_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert vars(own_facts()).keys() == FACTS.keys()
    for name, (module, constant, value) in FACTS.items():
        monkeypatch.setattr(module, constant, value)
        assert getattr(own_facts(), name) == 7, name


@pytest.mark.parametrize("name", FACTS)
def test_a_sentence_says_each_fact_and_changes_with_it(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The sentence with the fact is rendered as it stands in its template, in both languages."""
    said = [
        found[0]
        for text in SOURCES.values()
        for found in _WITH_A_FACT.finditer(text)
        if found[1] == name
    ]
    assert said, f"no template says {name}: drop it"
    module, constant, value = FACTS[name]
    for lang in ("en", "de"):
        env = environment(lang=lang)
        facts: dict[str, Any] = {
            "facts": {"longest": 24, "left": 1, "days": 9},
            "view": SimpleNamespace(person="Ann", notice=SimpleNamespace(named="K7QX2")),
        }
        before = [env.from_string(one).render(**facts) for one in said]
        with monkeypatch.context() as changed:
            changed.setattr(module, constant, value)
            after = [env.from_string(one).render(**facts) for one in said]
        assert all("7" in new and new != old for new, old in zip(after, before, strict=True))


def test_no_sentence_has_a_number_of_the_program_written_beside_it() -> None:
    found = [
        f"{path}: {claim[0]} in {' '.join(sentence[1].split())}"
        for path, text in SOURCES.items()
        if not path.startswith("games/")  # the rules of games are editions that never change
        for sentence in _SENTENCE.finditer(text)
        for claim in _CLAIM.finditer(sentence[1])
        if not any(words in sentence[1] for words in STANDING)
    ]
    assert found == []


def test_every_level_but_the_weakest_was_measured_against_the_one_below_it() -> None:
    pairs = {(one.game, one.worse, one.better) for one in MEASURED if one.seats == 2}
    assert pairs == {
        (game.key, *pair) for game in GAMES.values() for pair in pairwise(bot_levels(game.key))
    }
    assert all(one.percent > 120 / one.seats for one in MEASURED)


def test_levels_stand_apart_at_more_seats_and_the_docs_say_what_was_measured() -> None:
    assert all(one.low > 1 for one in AT_TABLES)
    assert all(one.low <= one.ratio <= one.high for one in AT_TABLES)
    page = (ROOT / "docs/bots.md").read_text("utf-8")
    titles = {game.key: game.title for game in GAMES.values()}
    for one in MEASURED:
        row = f"| {titles[one.game]} | {one.better} | {one.worse} | {one.won:g} of {one.of} |"
        assert f"{row} {one.percent}% (" in page
    for at in AT_TABLES:
        row = f"| {titles[at.game]} | {at.seats} | {at.better} | {at.worse} |"
        row = f"{row} {at.ratio} ({at.low} to {at.high}) | {at.tables} |"
        assert row in page
    assert page.count(" | easy | ") + page.count(" | medium | ") >= len(MEASURED) + len(AT_TABLES)
