"""The record of a match, for `record` mails and `pbem export`: tags, numbered moves, result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from pbem.fairness import PROTOCOL
from pbem.games.game import Outcome
from pbem.games.record_text import RUNNING
from pbem.matches.match import Match, Step, StepKind
from pbem.matches.operator_events import SeatReassigned
from pbem.matches.seat_events import SeatTakenOver
from pbem.names import PlayerId
from pbem.notices.views import draws
from pbem.notices.views.clean import NAME, clean

_NO_DATE: Final = "????.??.??"
"""As in PGN, where the date is not known."""

_UNENDED: Final = "unterminated"


def record_lines(
    match: Match, names: Mapping[PlayerId, str], *, site: str = "", began: datetime | None = None
) -> list[str]:
    """The match as lines of text: a tag a line, a blank line, a ply a line, the result.

    docs/record.md has the grammar; games/record_text.py reads it back. In braces stands what no
    player wrote: draws (secret ones open when the match is over), seats that left or have another
    player, plies that the server played, plies that were taken back.
    """
    lines, steps = [*_tags(match, names, site, began), ""], _opened(match)
    for kept in range(len(steps) + 1):
        taken = (one.steps for one in match.taken_back if one.kept == kept)
        lines += [
            f"{{taken back: {_commented(line)}}}" for steps in taken for line in _told(steps, names)
        ]
        lines += _told(steps[kept : kept + 1], names)
    return [*lines, *_result(match)]


def _opened(match: Match) -> list[Step]:
    """The steps; after the end those of secret draws say what was drawn."""
    texts = iter(draws.opened_draws(match))
    return [
        replace(step, text=drawn.text)
        if draws.is_secret(step) and (drawn := next(texts, None)) is not None
        else step
        for step in match.steps
    ]


def _tags(
    match: Match, names: Mapping[PlayerId, str], site: str, began: datetime | None
) -> Iterator[str]:
    outcome = match.outcome
    yield _tag("Match", match.id)
    yield _tag("Site", clean(site, NAME) or "?")
    yield _tag("Date", f"{began:%Y.%m.%d}" if began is not None else _NO_DATE)
    yield _tag("Game", match.game.title)
    yield _tag("Ruleset", match.ruleset)
    for name, value in sorted(match.options.items()):
        yield _tag("Option", f"{name}={value}")
    for seat, player in enumerate(match.players, 1):
        yield _tag(f"Seat{seat}", clean(names.get(player, "?"), NAME))
    yield _tag("Result", _places(outcome) if outcome is not None else RUNNING)
    yield _tag("Termination", outcome.termination if outcome is not None else _UNENDED)
    yield _tag("TimeControl", match.time)
    yield _tag("Protocol", str(PROTOCOL))
    yield _tag("Commitment", match.commitment)
    if match.secret_commitment:
        yield _tag("SecretCommitment", match.secret_commitment)
    for first, commitment in match.later_chains.items():
        yield _tag(f"Commitment{first}", commitment)


def _tag(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _told(steps: Sequence[Step], names: Mapping[PlayerId, str]) -> list[str]:
    return [line for line in (_step(step, names) for step in steps) if line]


def _step(step: Step, names: Mapping[PlayerId, str]) -> str:
    match step.kind:
        case StepKind.MOVE:
            return f"{step.ply}. {step.text}{_mark(step)}"
        case StepKind.DRAW:
            return f"{{drawn: {step.text}}}" if step.text else "{drawn in secret}"
        case StepKind.AGREED:
            return "{a draw was agreed on}"
        case StepKind.LEFT:
            return f"{{seat {step.seat} left}}"
        case StepKind.NEWS:
            return _news(step, names)


def _news(step: Step, names: Mapping[PlayerId, str]) -> str:
    """Of the news of the table a record has only who played on for whom."""
    if step.seat is None or not isinstance(step.event, SeatTakenOver | SeatReassigned):
        return ""
    new, old = (
        clean(_commented(names.get(player, "?")), NAME)
        for player in (step.event.player, step.players[step.seat - 1])
    )
    return f"{{seat {step.seat}: {new} plays on for {old}}}"


def _commented(text: str) -> str:
    """A text within braces, which it must not close."""
    return text.translate(dict.fromkeys(map(ord, "{}")))


def _mark(step: Step) -> str:
    if step.condition:
        return " {decided before}"
    return " {forced}" if step.forced else ""


def _result(match: Match) -> Iterator[str]:
    if match.outcome is None:
        yield RUNNING
        return
    yield f"{{{match.outcome.termination}}} {_places(match.outcome)}".strip()


def _places(outcome: Outcome) -> str:
    """A place for each seat: 1 is the best."""
    return " ".join(map(str, outcome.placings))
