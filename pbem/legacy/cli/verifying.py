"""`pbem verify`: a match or a tournament checked from its events, in the database or in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.legacy.cli.matches import events_of, match_id, name_of, playable, read_lines
from pbem.legacy.cli.opening import counted, database_of, say, settings_of

if TYPE_CHECKING:
    from pbem.legacy.matches.verify import Verification
    from pbem.names import MatchId, TournamentId
    from pbem.legacy.store.log.exported import Exported
    from pbem.legacy.tournaments.verify import Verification as Decided
    from pbem.legacy.transaction.tournament_checks import Happened

_SHOWN: Final = 200
"""Characters of why something failed: it may repeat what stands in the file."""


def verify_match(
    ctx: typer.Context,
    match: Annotated[
        str, typer.Argument(metavar="[MATCH]", help="Its name, or that of a tournament.")
    ] = "",
    *,
    file: Annotated[
        Path | None,
        typer.Option(
            help="What `pbem export` wrote, of matches or tournaments, in place of one here."
        ),
    ] = None,
) -> None:
    """Check every draw, move and hash of a match, or all that was decided in a tournament.

    Nothing but its events is believed. The exit code is 1 if anything is wrong.
    """
    if (file is None) == (not match):
        raise typer.BadParameter("name a match, or give --file")
    if file is not None:
        wrong = _told_of_file(read_lines(file))
    elif (decided := _verified_tournament(ctx, match)) is not None:
        found, head = decided
        wrong = _told([*checked_tournament(found), *_heads(head)], found.findings)
    else:
        played, head = _verified(ctx, match)
        wrong = _told([*checked(played), *_heads(head)], played.findings)
    if wrong:
        raise typer.Exit(1)
    say("all is as it should be")


def _heads(head: str) -> list[str]:
    return [f"head of the hash chain: {head}"] if head else []


def _told(lines: Sequence[str], findings: Sequence[str]) -> int:
    """Say what was checked, and what is wrong; how much that is."""
    for line in lines:
        say(line)
    for finding in findings:
        say(f"WRONG: {finding}")
    return len(findings)


# --- in words ------------------------------------------------------------------------------------


def checked(found: Verification, *, hashed: bool = True, whole: bool = True) -> Iterator[str]:
    """What was checked, in words; in a record without hashes, or with events withheld, less."""
    events, plies = counted(found.events, "event"), counted(found.plies, "ply", "plies")
    yield f"{events}, {plies}, {counted(found.draws, 'draw')} checked:"
    if hashed:
        yield "- each event's hash covers it and the event before it"
    yield "- each draw's link is of the chain that was committed to before anybody accepted"
    yield "- each draw is bound to what the players did, and comes out of its link as it was told"
    if found.replayed:
        yield "- each ply was legal and its seat's, and the result is what the rules give"
    else:
        yield "- the plies were not played again: what was drawn in secret is not in the lines"
    if found.sealed:
        sealed = counted(found.sealed, "secret draw")
        yield f"- {sealed} can be checked by everybody when the match is over"
    if not hashed:
        yield "- no hash, clock or condition: a record has them when the match is over"
    elif not whole:
        yield "- no clock or condition: some events are withheld, and only their hashes are there"


def checked_tournament(found: Decided, unknown: int = 0) -> Iterator[str]:
    """What was checked of a tournament, in words; so many of its matches are `unknown`."""
    yield f"{counted(found.events, 'event')}, {counted(found.draws, 'lot')} checked:"
    yield "- each event's hash covers it and the event before it"
    yield "- each lot's link is of the chain that was committed to before anybody entered"
    yield "- each lot is bound to entries and results, and comes out of its link as it was told"
    yield "- each table, place, promotion and relegation is what the rules give"
    if unknown:
        more = counted(unknown, "table")
        yield f"- {more} not compared with the match: it is not in the lines, as it is by --tables"
    else:
        yield "- each table ended as its match did"


# --- in the database -----------------------------------------------------------------------------


def _verified_tournament(ctx: typer.Context, text: str) -> tuple[Decided, str] | None:
    """A tournament of this name checked, as matches are; None if there is none."""
    from pbem.names import TournamentId
    from pbem.legacy.transaction.tournament_checks import verified as verified_tournament

    name = TournamentId(text.strip().casefold())
    with database_of(settings_of(ctx)) as db:
        return db.read(lambda conn: verified_tournament(conn, name)).result()


def _verified(ctx: typer.Context, text: str) -> tuple[Verification, str]:
    from pbem.errors import ConfigError
    from pbem.legacy.transaction.installation import find_match
    from pbem.legacy.transaction.installation import verified as verified_match

    name = match_id(text)
    with database_of(settings_of(ctx)) as db:
        if db.read(lambda conn: find_match(conn, name)).result() is None:
            raise ConfigError(f"there is no match {name}; `pbem matches` lists them")
        return db.read(lambda conn: verified_match(conn, name)).result()


# --- in a file -----------------------------------------------------------------------------------


def _told_of_file(lines: Sequence[str]) -> int:
    """Check all that is in a file, say what was checked and what is wrong; how much that is.

    Raises ImportRefused for what is no export.
    """
    from pbem.legacy.store.log.exported import read_exports
    from pbem.legacy.store.log.outside_lines import ImportRefused
    from pbem.legacy.transaction.tournament_checks import TOLD

    matches: list[tuple[Verification, Exported]] = []
    tournaments: dict[str, Exported] = {}
    tables: dict[str, list[Happened]] = {}
    for read in read_exports(lines):
        if read.stream in tournaments or any(read.stream == one.stream for _, one in matches):
            raise ImportRefused(f"{read.stream} stands twice in the lines")
        if read.category == "tournament":
            tournaments[read.stream] = read
            continue
        found = verified(read)
        findings = (*read.findings, *found.findings)
        tables[read.stream] = [(one.type, one.data) for one in read.events if one.type in TOLD]
        slim = replace(read, events=[], happened=[], texts=[], findings=[])
        matches.append((replace(found, findings=findings), slim))
    wrong = 0
    for read in tournaments.values():
        wrong += _told_of_tournament(read, tables)
    if len(matches) == 1 and not tournaments:
        [(found, read)] = matches
        lines = [*checked(found, hashed=not read.excerpt, whole=read.is_whole), *_heads(read.head)]
        return _told(lines, found.findings)
    return wrong + _told_of_matches(matches)


def _told_of_tournament(read: Exported, tables: Mapping[str, list[Happened]]) -> int:
    found, unknown = verified_tournament(read, tables)
    say(f"tournament {read.stream.partition('-')[2]}")
    return _told([*checked_tournament(found, unknown), *_heads(read.head)], found.findings)


def _told_of_matches(matches: Sequence[tuple[Verification, Exported]]) -> int:
    """Many matches, in one sentence each for all."""
    if not matches:
        return 0
    sums = Counter[str]()
    for found, _ in matches:
        sums.update(events=found.events, plies=found.plies, draws=found.draws)
    total = replace(matches[0][0], events=sums["events"], plies=sums["plies"], draws=sums["draws"])
    replayed = all(found.replayed for found, _ in matches)
    sealed = sum(found.sealed for found, _ in matches)
    findings = [
        f"{read.stream.replace('-', ' ', 1)}: {words}"
        for found, read in matches
        for words in found.findings
    ]
    say(f"{counted(len(matches), 'match', 'matches')}")
    hashed, whole = not any(one.excerpt for _, one in matches), all(r.is_whole for _, r in matches)
    told = checked(replace(total, replayed=replayed, sealed=sealed), hashed=hashed, whole=whole)
    return _told([*told], findings)


def verified_lines(lines: Sequence[str]) -> tuple[Verification, str, Exported]:
    """A match checked from its lines, and its head. Raises ImportRefused for what is none."""
    from pbem.legacy.store.log.exported import read_export

    read = read_export(lines)
    found = verified(read)
    return replace(found, findings=(*read.findings, *found.findings)), read.head, read


def verified(read: Exported) -> Verification:
    """What the rules and the chains of its draws find in a match, each with its line."""
    from pbem.legacy.matches.verify import Caused, verify
    from pbem.legacy.store.log.event_log import cause_of

    events = events_of(read)
    _require_known_game(read)
    stream = [
        Caused(event=event, cause=cause_of(one))
        for event, one in zip(events, read.events, strict=True)
    ]
    with playable():
        found = verify(name_of(read), stream, read.sealed, whole=read.is_whole)
    return replace(found, findings=tuple(map(read.placed, found.findings)))


def verified_tournament(
    read: Exported, tables: Mapping[str, list[Happened]]
) -> tuple[Decided, int]:
    """A tournament checked from its lines; how many of its tables could not be compared.

    `tables` are the matches whose lines are there, by their streams.
    """
    from pbem.names import TournamentId
    from pbem.legacy.store.log.event_log import cause_of, tournament_events_of
    from pbem.legacy.tournaments.verify import Caused, verify
    from pbem.legacy.transaction.tournament_checks import compared

    name: TournamentId = TournamentId(read.stream.partition("-")[2])
    events = tournament_events_of(read.events)
    _require_known_game(read)
    stream = [
        Caused(event=event, cause=cause_of(one))
        for event, one in zip(events, read.events, strict=True)
    ]
    unknown = set[str]()

    def happened(match: MatchId) -> list[Happened] | None:
        known = tables.get(f"match-{match}")
        if known is None:
            unknown.add(match)
        return known

    with playable():
        found = verify(name, stream)
        differ = [*compared(name, events, happened)]
    findings = (*read.findings, *map(read.placed, (*found.findings, *differ)))
    return replace(found, findings=findings), len(unknown)


def _require_known_game(read: Exported) -> None:
    from pbem.games import GAMES
    from pbem.legacy.store.log.outside_lines import ImportRefused

    for line, event in zip(read.lines, read.happened, strict=True):
        ruleset = getattr(event, "ruleset", None)
        if ruleset is not None and ruleset not in GAMES:
            why = f"there are no rules {ruleset[:_SHOWN]!r}; there are {', '.join(GAMES)}"
            raise ImportRefused(f"line {line}: {why}")
