"""Checks of what is around the rules: record, options, package, rulebook and samples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pbem.errors import PbemError
from pbem.games import GAMES, AnyGame, is_ours
from pbem.games.options import Option
from pbem.games.packages import GROUP, RULESET, folder_of, misnamed
from pbem.games.record_text import is_record, read_record
from pbem.games.table import plies_of
from pbem.legacy.matches.replay import replay
from pbem.names import MatchId
from pbem.legacy.notices.rendering.environment import own_texts
from pbem.legacy.notices.views.rulebook import book_of, numbers_of
from pbem.legacy.store.log.event_log import event_of
from pbem.legacy.store.log.exported import read_export
from pbem.legacy.testing.check import Findings, check
from pbem.legacy.testing.tables import Table

_CITED: Final = re.compile(r"\b[A-Z]{2}-[0-9]{1,2}\.[0-9]{1,2}\b")
_NAME: Final = re.compile(r"[a-z_]+")
_VALUE: Final = re.compile(r"[\w/-]+")


@check
def the_game_is_found(table: Table) -> Findings:
    """Games are found by the entry points of what is installed."""
    game, ruleset = table.game, table.game.ruleset
    if not RULESET.fullmatch(ruleset):
        yield f"key, edition: {ruleset!r} is no name of a ruleset: small letters, as in `nine-1`"
    if not game.title.strip() or not game.seats:
        yield "title, seats: a game needs both"
    if wrong := misnamed():
        yield f"{GROUP}: {wrong[0]!r} is no name of a ruleset, as in `nine-1`"
    if ruleset in GAMES:
        return
    fault = GAMES.faults.get(ruleset)
    if fault is not None:
        yield f"{GROUP}: {ruleset} does not load: {fault}"
    else:
        yield (
            f"{GROUP}: nobody finds {ruleset}. Is its package installed (`pip install -e .`), and"
            f' does its pyproject.toml say {ruleset} = "MODULE:GAME" in that group?'
        )


@check
def options_are_read_as_they_are_written(table: Table) -> Findings:
    """Every value that is listed is a value, and the recorded form is read as itself."""
    game = table.game
    faults = [fault for option in game.options for fault in _misread(option)]
    yield from faults
    if faults:
        return
    usual = game.normal_options({})
    if game.normal_options(usual) != usual:
        yield "options: the usual ones, as they are recorded, are read as others"
    starters = [option for option in game.options if option.begins]
    if len(starters) > 1 or any(not _begins(option) for option in starters):
        yield "options: one may have `begins`, with `given` and a value of chance before it"
    if not isinstance(game.draws_seats(usual), bool):
        yield "draws_seats(): says neither yes nor no"


def _misread(option: Option) -> Iterator[str]:
    for value in (*option.values, option.default):
        if option.normal(value) != value:
            yield f"options: {option.name}={value} is read as {option.normal(value)!r}"
        if not _VALUE.fullmatch(value):
            yield f"options: {option.name}={value} cannot be typed: letters, digits, _ - /"
    if not _NAME.fullmatch(option.name):
        yield f"options: the name {option.name!r} cannot be typed: small letters and _"
    if option.normal("9" * 5000) is not None:
        yield f"options: {option.name} takes a number of 5,000 digits"


def _begins(option: Option) -> bool:
    return "given" in option.values and option.default != "given"


@check
def the_rulebook_has_what_is_cited(table: Table) -> Findings:
    """Refusals end with the number of a rule, which pages and the order `rules` can show."""
    game = table.game
    book = book_of(game.key)
    if not book:
        yield "rules.md is missing: the rules by numbers, as in `**NI-1.1** ...`"
        return
    numbers = {number.upper() for number in numbers_of(book)}
    if not numbers:
        yield "rules.md has no rule with a number at the begin of a line, as in `**NI-1.1** ...`"
        return
    for name, source in own_texts(game.key).items():
        for number in sorted({*_CITED.findall(source)} - numbers):
            yield f"texts/{name} cites {number}, which rules.md does not have"
    ours = {number[:2] for number in numbers}
    for other in GAMES.values():
        theirs = {number[:2].upper() for number in numbers_of(book_of(other.key))}
        if other.key != game.key and ours & theirs:
            yield f"rules.md: {other.title} has rules that begin with {min(ours & theirs)}, too"


@check
def samples_replay(table: Table) -> Findings:
    """Recorded matches show for ever that an edition does what it did: samples/*.txt or *.jsonl."""
    game = table.game
    if table.seats != game.seats[0]:
        return
    files = [*samples_of(game)]
    if not files:
        yield "samples/ has no recorded match: the order `record` mails one, to be kept as *.txt"
    for file in files:
        try:
            yield from _replayed(game, file)
        except PbemError as fault:
            yield f"samples/{file.name}: {fault}"
        except LookupError:
            yield f"samples/{file.name}: what was drawn in secret is not in it: take it at the end"


def samples_of(game: AnyGame) -> Iterator[Path]:
    """Its recorded matches: in its package, or of ours in events/legacy/samples/ of a checkout."""
    folder = folder_of(game.key)
    if is_ours(game):
        inside = Path(__file__).resolve().parents[3] / "events" / "legacy" / "samples"
        yield from sorted(inside.glob(f"{game.ruleset}*.jsonl"))
    elif folder is not None:
        samples = Path(folder, "samples")
        yield from sorted([*samples.glob("*.txt"), *samples.glob("*.jsonl")])


def _replayed(game: AnyGame, file: Path) -> Iterator[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    if not is_record(lines):
        if not "".join(lines).lstrip().startswith("{"):
            yield f"samples/{file.name} is no record: keep a mail from its first [ to the result"
            return
        read = read_export(lines)
        events: Any = [event_of(one) for one in read.events]
        match = replay(MatchId("K7QX2"), events, read.sealed)
        outcome = match.game.outcome(match.course.position)
        if outcome is None or outcome != match.course.outcome:
            yield f"samples/{file.name}: ends as {outcome}, and {match.course.outcome} is recorded"
        return
    record = read_record(lines)
    if record.game.ruleset != game.ruleset:
        if record.game.key != game.key:
            yield f"samples/{file.name} is of {record.game.ruleset}"
        return
    plies = [*plies_of(record)]
    outcome = game.outcome(plies[-1].after) if plies else None
    ending = record.ending
    if outcome is None or ending is None:
        yield f"samples/{file.name}: is not played to its end"
    elif (outcome.placings, outcome.termination) != (ending.placings, ending.termination):
        ended = " ".join((outcome.termination, *map(str, outcome.placings)))
        yield f"samples/{file.name}: ends with {ended}, and {ending} is recorded"
    again = read_record(game.recorded("\n".join(lines)).splitlines(), game)
    if [one for _, one in again.orders] != [one for _, one in record.orders]:
        yield f"samples/{file.name}: recorded() and unrecorded() do not bring it back"
