"""What the players' pages say in numbers is what the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import hours
from pbem.config import Settings
from pbem.matches.clocks import PRESETS
from pbem.players import player

DOCS = Path(__file__).parents[2] / "docs"
SAID = {
    name: " ".join((DOCS / f"{name}.md").read_text("utf-8").split())
    for name in ("players", "players-reference")
}

WORDS = {1: "one", 2: "two", 5: "five", 10: "ten", 12: "twelve", 30: "thirty"}

LIMITS, MATCHES = Settings().limits, Settings().matches

SENTENCES = {
    "slow": f"| {PRESETS['slow'].bank // 24} days | {PRESETS['slow'].increment} hours |",
    "medium": f"time=medium` | {PRESETS['medium'].bank // 24} days | {PRESETS['medium'].increment}",
    "fast": f"time=fast` | {PRESETS['fast'].bank} hours | {PRESETS['fast'].increment} hours |"
    f" {PRESETS['fast'].cap} hours |",
    "rest": f"up to {WORDS[hours.MOST_REST_DAYS]} days of the week",
    "quiet": f"up to {WORDS[hours.MOST_QUIET_HOURS]} hours of the day",
    "both": f"{WORDS[hours.MOST_REST_DAYS].title()} days of the week and"
    f" {WORDS[hours.MOST_QUIET_HOURS]} hours of the day",
    "leave": f"{WORDS[player.AT_FIRST]} days of leave at first and earn one in"
    f" {WORDS[player.EARNED_IN.days]} days, up to {WORDS[player.CAP]}",
    "leave again": f"every {WORDS[player.EARNED_IN.days]} days, up to {WORDS[player.CAP]}",
    "standstill": f"for {player.MOST.days} days at most in any {player.WITHIN.days}",
    "old address": f"asked about for {player.OLD_ASKS.days} days before it is done",
    "new player": f"A new player has {WORDS[LIMITS.matches_at_first]} matches at once",
    "window": f"taken back for {WORDS[MATCHES.window_minutes]} minutes at least",
    "letters": f"emptied here after {LIMITS.keep_mail_days} days",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_figure_is_that_of_the_program(name: str) -> None:
    assert SENTENCES[name] in SAID["players-reference"]


def test_the_first_page_has_the_usual_clock() -> None:
    slow = PRESETS["slow"]
    assert (slow.bank, slow.increment) == (240, 36)
    assert "ten days and gets a day and a half with every move" in SAID["players"]
