"""What is told of a match in lists: its moves, its record, the operator's acts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeAlias

from pbem.errors import Fact, Rejection
from pbem.fairness import PROTOCOL
from pbem.games.game import Outcome, Seat
from pbem.games.record_text import RUNNING, tag_line
from pbem.legacy.matches.events import SeatReassigned, SeatTakenOver
from pbem.legacy.matches.hints import hint_for, hints_left
from pbem.legacy.matches.match import Match, Step, StepKind
from pbem.names import PlayerId
from pbem.legacy.notices.replies import (
    AnalysisShown,
    ChangesShown,
    ConditionsShown,
    HistoryShown,
    MessagesShown,
    NotesShown,
    RecordShown,
)
from pbem.legacy.notices.views import matches as seen
from pbem.legacy.notices.views import situation
from pbem.legacy.notices.views.analysed import with_analysis
from pbem.legacy.notices.views.clean import NAME, clean
from pbem.legacy.notices.views.comments import comment_lines
from pbem.legacy.notices.views.match_view import plan_lines
from pbem.legacy.notices.views.matches import names_at
from pbem.legacy.notices.views.scene import HintView, NoticeView, ReasonView, Scene

if TYPE_CHECKING:
    from pbem.legacy.notices.views.comments import CommentLine
    from pbem.legacy.notices.views.scene import NoticeView, Reader, Scene


# --- record --------------------------------------------------------------------------------------
# The record of a match, for `record` mails and `pbem export`: tags, numbered moves, result.

_NO_DATE: Final = "????.??.??"
"""As in PGN, where the date is not known."""

_UNENDED: Final = "unterminated"


def record_lines(
    match: Match,
    names: Mapping[PlayerId, str],
    *,
    site: str = "",
    began: datetime | None = None,
    comments: Sequence[CommentLine] = (),
) -> list[str]:
    """The match as lines of text: a tag a line, a blank line, a ply a line, the result.

    docs/record.md has the grammar; games/record_text.py reads it back. A game may keep matches in
    another form (`Game.recorded`). In braces stands what is no move: draws (secret ones open when
    the match is over), seats that left or have another player, plies that the server played, plies
    that were taken back, comments after the end.
    """
    lines, steps = [*_tags(match, names, site, began), ""], opened_steps(match)
    lines += _aside(comments, 0)
    for kept in range(len(steps) + 1):
        taken = (one.steps for one in match.course.taken_back if one.kept == kept)
        lines += [
            f"{{taken back: {_commented(line)}}}" for steps in taken for line in _told(steps, names)
        ]
        lines += _told(steps[kept : kept + 1], names)
        if steps[kept : kept + 1] and steps[kept].kind is StepKind.MOVE:
            lines += _aside(comments, steps[kept].ply)
    text = "\n".join([*lines, *_aside(comments, None), *_result(match)])
    with suppress(Rejection):  # what a game cannot write in its own form stands in ours
        text = match.game.recorded(text) or text
    return text.splitlines()


def opened_steps(match: Match) -> list[Step]:
    """The steps; after the end those of secret draws say what was drawn."""
    texts = iter(situation.opened_draws(match))
    return [
        replace(step, text=drawn.text)
        if situation.is_secret(step) and (drawn := next(texts, None)) is not None
        else step
        for step in match.course.steps
    ]


def _tags(
    match: Match, names: Mapping[PlayerId, str], site: str, began: datetime | None
) -> Iterator[str]:
    outcome = match.course.outcome
    yield tag_line("Match", match.id)
    yield tag_line("Site", clean(site, NAME) or "?")
    yield tag_line("Date", f"{began:%Y.%m.%d}" if began is not None else _NO_DATE)
    yield tag_line("Game", match.game.title)
    yield tag_line("Ruleset", match.terms.ruleset)
    for name, value in sorted(match.terms.options.items()):
        yield tag_line("Option", f"{name}={value}")
    for seat, player in enumerate(match.table.players, 1):
        yield tag_line(f"Seat{seat}", clean(names.get(player, "?"), NAME))
    yield tag_line("Result", _places(outcome) if outcome is not None else RUNNING)
    yield tag_line("Termination", outcome.termination if outcome is not None else _UNENDED)
    yield tag_line("TimeControl", match.terms.time)
    yield tag_line("Protocol", str(PROTOCOL))
    yield tag_line("Commitment", match.chance.commitment)
    if match.chance.secret_commitment:
        yield tag_line("SecretCommitment", match.chance.secret_commitment)
    for first, commitment in match.chance.later_chains.items():
        yield tag_line(f"Commitment{first}", commitment)


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


def _aside(comments: Iterable[CommentLine], ply: int | None) -> Iterator[str]:
    """What was said of a ply, a line each; what is no longer kept is not in a record."""
    for one in comments:
        if one.ply == ply and one.text:
            text = " ".join(_commented(one.text).split())
            yield f"{{comment by {clean(_commented(one.name), NAME)}: {text}}}"


def _commented(text: str) -> str:
    """A text within braces, which it must not close."""
    return text.translate(dict.fromkeys(map(ord, "{}")))


def _mark(step: Step) -> str:
    if step.condition:
        return " {decided before}"
    return " {forced}" if step.forced else ""


def _result(match: Match) -> Iterator[str]:
    if match.course.outcome is None:
        yield RUNNING
        return
    yield f"{{{match.course.outcome.termination}}} {_places(match.course.outcome)}".strip()


def _places(outcome: Outcome) -> str:
    """A place for each seat: 1 is the best."""
    return " ".join(map(str, outcome.placings))


# --- listing -------------------------------------------------------------------------------------
# What is listed of a match: its moves, its record, what was said, noted, changed or decided.

Listed: TypeAlias = (
    HistoryShown
    | RecordShown
    | AnalysisShown
    | MessagesShown
    | NotesShown
    | ChangesShown
    | ConditionsShown
)


def with_list(
    view: NoticeView, notice: Listed, match: Match, reader: Reader, scene: Scene
) -> NoticeView:
    """The view of a notice with what it lists, as its reader may see it."""
    you = match.seat_of(reader.player)
    match notice:
        case RecordShown():
            lines = tuple(
                record_lines(
                    match,
                    scene.names,
                    site=scene.site.title,
                    began=scene.spans.get(match.id, (None,))[0],
                    comments=comment_lines(match, scene.names, scene.sealed),
                )
            )
            return replace(
                view, listed=replace(view.listed, lines=lines, file=scene.files.get(match.id, ""))
            )
        case AnalysisShown():
            return with_analysis(view, match, reader, scene)
        case MessagesShown():
            remarks = seen.remarks(match.table.said[-seen.REMARKS :], scene)
            return replace(view, listed=replace(view.listed, remarks=remarks))
        case NotesShown():
            notes = seen.notes_of(match, reader.player)
            return replace(view, listed=replace(view.listed, remarks=seen.remarks(notes, scene)))
        case ChangesShown():
            return _changes(view, notice, match, reader, scene)
        case ConditionsShown():
            plan = plan_lines(match, you, scene) if you is not None else ()
            return replace(view, listed=replace(view.listed, plan=plan))
        case HistoryShown():
            return replace(view, since=seen.history(match, scene, you))


def _changes(
    view: NoticeView, notice: ChangesShown, match: Match, reader: Reader, scene: Scene
) -> NoticeView:
    you = match.seat_of(reader.player)
    changed = seen.marks_between(match, notice.first, notice.last, scene)
    earlier, later = (
        seen.sight(match, match.position_after(ply), ply, you, reader, marks=marks)
        for ply, marks in ((notice.first, replace(changed, since=())), (notice.last, changed))
    )
    since = seen.between(match, notice.first, notice.last, scene, you)
    return replace(view, board=replace(view.board, earlier=earlier, sight=later), since=since)


def end_of(match: Match, outcome: Outcome) -> dict[str, Fact]:
    """How a match has ended; `overruled` where it was not the game that ended it."""
    return {
        "termination": outcome.termination,
        "placings": outcome.placings,
        "overruled": match.course.verdict is not None,
    }


# --- hints ---------------------------------------------------------------------------------------


def hinted(view: NoticeView, match: Match, reader: Reader, scene: Scene) -> NoticeView:
    """The view with the move that its reader is told, first among what can be played.

    Without one, since it is between people or the match went on, it has what can be played.
    """
    seat = match.seat_of(reader.player)
    hint = hint_view(match, seat, names_at(match, scene))
    if hint is None:
        return view
    links = seen.links(match, [hint.choice.notation], scene)
    foreseen = replace(view.foreseen, hint=hint)
    return replace(view, foreseen=foreseen, choices=(hint.choice,), links=links)


def hint_view(match: Match, seat: Seat | None, names: Sequence[str]) -> HintView | None:
    """The hint that a seat has had for the position as it is; `names` are in seat order."""
    given = hint_for(match, seat)
    if given is None or seat is None:
        return None
    reasons = [
        (ReasonView(term, *change[:3]), change[3])
        for term, change in zip(given.terms, given.changes, strict=True)
    ]
    [choice] = seen.choices(match, seat, [given.notation])
    return HintView(
        choice=choice,
        why=given.why,
        now=tuple(reason for reason, later in reasons if not later),
        later=tuple(reason for reason, later in reasons if later),
        replies=given.replies,
        whom=names[given.whom - 1] if given.whom is not None else "",
        left=hints_left(match, seat),
    )
