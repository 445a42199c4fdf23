"""What the pages say in numbers is what the program does, or what was measured last."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem import health, hours
from pbem.bots import analysis, hints, leading, lessons
from pbem.config import Settings
from pbem.delivery import bounces, relay
from pbem.foreign import child, process
from pbem.intake import intent
from pbem.matches import challenges, courtesies
from pbem.matches.clocks import PRESETS
from pbem.matches.hints import MOST_HINTS
from pbem.orders.handlers import talking
from pbem.players import player
from pbem.replays.raster import MOST_BOARDS
from pbem.runners import bots, crew, deliver, readers, watch
from pbem.store.mails import leases
from pbem.transaction import limits
from pbem.web import access, application, begin, connections, invitations, live
from tests.house_size import _code_lines as code_lines

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SAID = {
    name: " ".join((DOCS / f"{name}.md").read_text("utf-8").split())
    for name in ("players", "players-reference", "operators", "bots", "scaling", "postgresql")
}

WORDS = {
    1: "one",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    10: "ten",
    12: "twelve",
    20: "twenty",
    30: "thirty",
}

LIMITS, MATCHES, STRANGERS = Settings().limits, Settings().matches, Settings().strangers

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
    "comments": f"A comment has {talking.COMMENT:,} letters at most; each may make"
    f" {WORDS[talking.COMMENTS_A_DAY]} a day on a match, and a hundred in all",
    "reports": f"newest {WORDS[talking.SAID]} things that they have said there, comments too; up to"
    f" {WORDS[talking.REPORTS_A_DAY]} times a day",
    "moving picture": f"of at most {MOST_BOARDS} moves",
    "gifts": f"Up to {WORDS[limits.COURTESIES_A_DAY]} gifts a day",
    "given": f"from one hour to {WORDS[courtesies.MOST_GIVEN // courtesies.KEPT]} days at once",
    "no orders": f"{WORDS[LIMITS.no_orders_per_hour].title()} are answered in an hour",
    "refusals": f"{WORDS[LIMITS.refusals_per_day].title()} mails in a day that could not",
    "long letters": f"may be {intent.HEAD // 1024} KB long",
    "link": f"good for {challenges.LINK_LASTS.days} days",
    "hints": f"There are {WORDS[MOST_HINTS]} a match",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_figure_is_that_of_the_program(name: str) -> None:
    assert SENTENCES[name] in SAID["players-reference"]


def test_the_first_page_has_the_usual_clock() -> None:
    slow = PRESETS["slow"]
    assert (slow.bank, slow.increment) == (240, 36)
    assert "ten days and gets a day and a half with every move" in SAID["players"]


MINUTES = ", ".join(f"{pause.seconds // 60}" for pause in leases.RETRIES)

OF_OPERATORS = {
    **{
        name: f"| `{name}` | {getattr(STRANGERS, name)} |"
        for name in type(STRANGERS).model_fields
        if name != "letters_megabytes"
    },
    "unknown": f"take {STRANGERS.letters_megabytes} MB of the disk at most",
    "tries": f"after {MINUTES} minutes and so on for {WORDS[relay.GIVE_UP.days]} days",
    "hangs": f"at most {deliver.MOST_APART} at once",
    "comes back": f"after {WORDS[bounces.SUSPENDED_AFTER]} mails that were refused for good",
    "stands": f"any {player.WITHIN.days} days clocks stand for {player.MOST.days} days at most",
    "reading": f"not read within {WORDS[int(readers.READ_SECONDS)]} seconds",
    "looks": f"looks at itself every {watch.LOOKS:g} seconds",
    "mailbox": f"was not reached for {health.MAILBOX.seconds // 60} minutes",
    "letters": f"has waited for {health.LETTERS.seconds // 60} minutes to be taken",
    "mails": f"has waited for {health.MAILS.seconds // 60} minutes to be sent",
    "timers": f"has been due for {health.TIMERS.seconds // 60} minutes",
    "disk": f"{health.DISK:.0%} of the disk".replace("%", " %"),
    "games": f"at most {WORDS[int(child.CALL_SECONDS)]} seconds a question and"
    f" {process.MEMORY // 10**9} GB",
    "visitors": f"may load {access.READING.a_second} pages",
    "forms": f"may send {begin.BEGINNING.room} an hour",
    "links": f"asks {invitations.ADDRESSES} addresses for each link",
    "live": f"{live.EACH} of their pages hear of news at once, {live.MOST} of all",
    "connections": f"Where {connections.MOST} connections are open",
    "requests": f"Beyond {application.AT_ONCE} requests at once",
    "lmtp": f"serves {Settings().lmtp.connections} connections at once",
    "lmtp idle": f"for {WORDS[Settings().lmtp.idle_seconds // 60]} minutes (`lmtp.idle_seconds`)",
}

OF_BOTS = {
    "thinking": f"are ended after {WORDS[int(bots.SEARCH_SECONDS)]} seconds",
    "hint": f"not found within {bots.HINT_SECONDS:g} seconds",
    "hint's others": f"{hints._OTHERS} of the others are looked at",
    "lesson": f"six to {WORDS[lessons.TURNS]} turns; up to {WORDS[lessons.LONGEST]}",
    "analysis": f"more than {analysis.IN_ALL:,} plays",
    "rounds": f"{WORDS[analysis.ROUNDS]} times, each by other luck",
    "least": f"more than {analysis.LITTLE / 100:g} points",
    "luck": f"or {leading.TRIES} that lie evenly",
}


@pytest.mark.parametrize("name", OF_OPERATORS)
def test_the_operators_page_has_the_figures_of_the_program(name: str) -> None:
    assert OF_OPERATORS[name] in SAID["operators"]


@pytest.mark.parametrize("name", OF_BOTS)
def test_the_page_of_bots_has_the_figures_of_the_program(name: str) -> None:
    assert OF_BOTS[name] in SAID["bots"]


def test_worth_takes_as_many_lines_as_is_said() -> None:
    found = [code_lines(path) for path in (ROOT / "pbem" / "games").glob("*/value.py")]
    least, most = map(int, re.findall(r"(\d+) to (\d+) lines", SAID["bots"])[0])
    assert least - 10 < min(found)
    assert max(found) < most + 10


def test_every_check_and_every_role_stands_in_its_table() -> None:
    table = (DOCS / "operators.md").read_text("utf-8").partition("| check | is wrong if |")[2]
    assert re.findall(r"^\| `(\w+)` \|", table.partition("\n\n")[0], re.MULTILINE) == [
        *health.CHECKS
    ]
    runbook = (DOCS / "runbook.md").read_text("utf-8")
    assert set(health.CHECKS) <= set(re.findall(r"^## `(\w+)`$", runbook, re.MULTILINE))
    roles = (DOCS / "postgresql.md").read_text("utf-8").partition("| role |")[2]
    assert re.findall(r"^\| `(\w+)` \|", roles.partition("\n\n")[0], re.MULTILINE) == [*crew.ROLES]


def test_what_a_turn_costs_is_the_same_on_all_pages() -> None:
    figures = (DOCS / "figures.md").read_text("utf-8")
    (whole,) = re.findall(r"^whole +(\d+) us", figures, re.MULTILINE)
    (lasting,) = re.findall(r"turns on end: (\d+) turns/s", figures)
    drawn = re.findall(r"PNG +([\d.]+) ms +(\d+) bytes", figures)
    costs = [float(ms) for ms, _ in drawn]
    sizes = [round(int(size) / 1000) for _, size in drawn]
    assert f"all of it | {int(whole) / 1000:.1f} ms alone" in SAID["scaling"]
    assert f"does {lasting} ([figures]" in SAID["scaling"]
    assert f"plays {lasting} turns a second" in SAID["postgresql"]
    ranges = f"{min(costs)} to {max(costs)} ms, {min(sizes)} to {max(sizes)} kB"
    assert f"{ranges} ([figures]" in SAID["scaling"]
    assert f"at most {max(sizes)} kB and {max(costs)} ms" in SAID["scaling"]


def test_the_first_start_installs_as_many_packages_as_are_said() -> None:
    lines = (ROOT / "requirements" / "demo.lock").read_text("utf-8").splitlines()
    locked = sum("==" in line for line in lines)
    assert f"first start installs {locked} packages" in (ROOT / "README.md").read_text("utf-8")
