"""Check a whole tournament from its events alone: every draw, and that each event had to be so.

What follows by itself is asked of the same functions as when it happened; acts are decided again
on the tournament that they met, and must come out as they are recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pbem.errors import Rejection
from pbem.fairness import LOTS_PROTOCOL, Proof, check
from pbem.games.chance import Draw
from pbem.names import MatchId, TournamentId
from pbem.legacy.tournaments import decide, ladder, tables
from pbem.legacy.tournaments.events import (
    Event,
    LotDrawn,
    PlayerEntered,
    PlayerWithdrawn,
    SeasonBegun,
    SeasonExtended,
    SeasonPlanned,
    SeasonStopped,
    TableBegun,
    TableCorrected,
    TableEnded,
    TableSet,
    TournamentClosed,
    TournamentOpened,
)
from pbem.legacy.tournaments.following import due
from pbem.legacy.tournaments.tournament import Tournament, evolve, initial
from pbem.legacy.tournaments.unfolding import Unfolding


@dataclass(frozen=True, kw_only=True, slots=True)
class Caused:
    """An event, and the letter, timer or act that caused it."""

    event: Event
    cause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Verification:
    """What was checked, and what is wrong, in words; no finding means that all is well."""

    events: int
    draws: int
    findings: tuple[str, ...]


def verify(tournament: TournamentId, stream: Sequence[Caused]) -> Verification:
    """Recompute a tournament: draws, pairings, standings, promotions."""
    events = [caused.event for caused in stream]
    findings = [*_chain(tournament, events), *_replay(tournament, stream)]
    draws = sum(isinstance(event, LotDrawn) for event in events)
    return Verification(events=len(events), draws=draws, findings=tuple(findings))


def _chain(tournament: TournamentId, events: Sequence[Event]) -> Iterator[str]:
    opened = next((event for event in events if isinstance(event, TournamentOpened)), None)
    if opened is None:
        yield "the tournament was never opened, so that no commitment was published"
        return
    if opened.protocol != LOTS_PROTOCOL:
        yield f"lots by protocol {opened.protocol} cannot be checked, since there is none"
    drawn = {at: event for at, event in enumerate(events, 1) if isinstance(event, LotDrawn)}
    places = {event.index: at for at, event in drawn.items()}
    proofs = [Proof(d.index, d.link, d.digest, d.asked, d.values) for d in drawn.values()]
    # A draw is keyed by the name of what it is of: a tournament has one as a match has.
    for finding in check(proofs, opened.commitment, MatchId(tournament)):
        yield f"event {places.get(finding.index, 1)}: {finding.words}"


# --- what had to happen --------------------------------------------------------------------------


@dataclass(slots=True)
class _Course:
    """The tournament so far, and what must happen next of the same cause."""

    state: Tournament
    cause: str = ""
    next: list[Event] = field(default_factory=list)
    lot: Draw | None = None

    @property
    def is_open(self) -> bool:
        """Whether something must follow."""
        return bool(self.next) or self.lot is not None


def _replay(tournament: TournamentId, stream: Sequence[Caused]) -> Iterator[str]:
    course = _Course(initial(tournament))
    for number, caused in enumerate(stream, 1):
        if course.is_open and caused.cause != course.cause:
            yield f"event {number} came before what was to follow by itself"
            return
        course.cause = caused.cause
        try:
            wrong = [*_judged(course, caused.event)]
            yield from (f"event {number}: {words}" for words in wrong)
            if wrong:
                return  # what follows was made of it
            course.state = evolve(course.state, caused.event)
            _look_ahead(course)
        except Exception as error:  # noqa: BLE001 - evolve is made for what happened; this may not have
            yield f"event {number} does not fit: {type(error).__name__} {error}"
            return
    if course.is_open:
        yield "after the last event something was to follow that did not"


def _look_ahead(course: _Course) -> None:
    if course.next:
        return
    match due(course.state):
        case Draw() as asked:
            course.lot = asked
        case tuple(events):
            course.next = [*events]
        case None:
            pass


def _judged(course: _Course, event: Event) -> Iterator[str]:
    if course.lot is not None:
        yield from _judged_lot(course, event, str(course.lot))
        course.lot = None
        return
    if not course.next:
        if isinstance(event, TableSet):
            yield from ladder.judged_pair(course.state, event)
            return
        try:
            course.next = [*_decided_again(course.state, event)]
        except Rejection as rejection:
            yield f"a {type(event).__name__} was not possible: {rejection}"
            return
    if not course.next:
        yield f"nothing has led to a {type(event).__name__}"
    elif (expected := course.next.pop(0)) != event:
        yield f"a {type(event).__name__} says {_difference(event, expected)}"


def _difference(event: Event, expected: Event) -> str:
    """Where two events differ, in words."""
    if type(event) is not type(expected):
        return f"what it should not: a {type(expected).__name__} was to happen"
    for name in type(event).__dataclass_fields__:
        said, fair = getattr(event, name), getattr(expected, name)
        if said != fair:
            return f"{name} {said!r}, not {fair!r}"
    return "another thing"


def _judged_lot(course: _Course, event: Event, asked: str) -> Iterator[str]:
    if not isinstance(event, LotDrawn):
        yield f"{asked} was to be drawn, and was not"
        return
    if event.asked != asked:
        yield f"{event.asked} was drawn, where {asked} was to be"
    if event.digest != course.state.bound:
        yield "the draw is not bound to what the players did before it"
    if event.index != course.state.lots + 1 or event.season != course.state.seasons[-1].number:
        yield f"draw {event.index} is not the next one of its season"


def _decided_again(one: Tournament, event: Event) -> Iterator[Event]:
    """What the act of an event makes of the tournament that it met."""
    now = getattr(event, "at", None) or one.at
    if now is None:
        return iter(())
    again = Unfolding(tournament=one, now=now)
    match event:
        case TournamentOpened():
            return iter(() if one.version else (event,))
        case TournamentClosed(author=author, reason=reason):
            return decide.close(again, author=author, reason=reason)
        case PlayerEntered(player=player, words=words, letter=letter):
            return decide.enter(again, player, words=words, letter=letter)
        case PlayerWithdrawn(player=player, why=why) if why != "absent":
            return decide.withdraw(again, player, why=why)
        case SeasonPlanned() | SeasonBegun() | SeasonExtended() | SeasonStopped():
            return _season_again(again, event)
        case TableBegun() | TableEnded() | TableCorrected():
            return _table_again(again, event)
        case _:
            return iter(())


def _season_again(
    again: Unfolding, event: SeasonPlanned | SeasonBegun | SeasonExtended | SeasonStopped
) -> Iterator[Event]:
    one = again.tournament
    match event:
        case SeasonPlanned(begins=begins, needed=0):
            return decide.plan(again, begins=begins)
        case SeasonPlanned(begins=begins):
            again.now = begins - decide.AGAIN_IN
            return decide.begin_in_time(again)
        case SeasonBegun(players=players):
            # The seeds of a cup are in no event: any order of those who entered may be theirs.
            cup = one.opened.kind == "cup"
            seeds = {player: -at for at, player in enumerate(players)} if cup else {}
            return decide.begin(again, seeds=seeds)
        case SeasonExtended(until=until, author=author, reason=reason):
            return decide.extend(again, until=until, author=author, reason=reason)
        case SeasonStopped(author=author, reason=reason):
            return decide.stop(again, author=author, reason=reason)


def _table_again(
    again: Unfolding, event: TableBegun | TableEnded | TableCorrected
) -> Iterator[Event]:
    one = again.tournament
    match event:
        case TableBegun(table=table, match=match):
            return tables.begin_table(again, table, match=match)
        case TableEnded(why="played"):
            return tables.end_table(
                again,
                _match_of(one, event),
                placings=event.placings if _fit(one, event) else (),
                timed_out=event.timed_out,
                moves=event.moves,
            )
        case TableEnded(why="voided"):
            return tables.void_table(again, _match_of(one, event))
        case TableEnded(why="expired"):
            return tables.pass_time(again)
        case TableEnded():
            return iter(())  # only as what follows of another act
        case TableCorrected():
            return tables.correct(
                again,
                season=event.season,
                table=event.table,
                placings=event.placings,
                author=event.author,
                reason=event.reason,
            )


def _match_of(one: Tournament, event: TableEnded) -> MatchId:
    season = one.season_of(event.season)
    table = season.tables.get(event.table) if season is not None else None
    return table.match if table is not None and table.match is not None else MatchId("")


def _fit(one: Tournament, event: TableEnded) -> bool:
    return tables.are_placings(event.placings, one.opened.seats)
