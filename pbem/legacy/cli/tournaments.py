"""`pbem tournament ...`: what an operator opens, begins and ends, and sets right."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.legacy.cli.opening import (
    Author,
    Reason,
    Yes,
    acted,
    ask,
    author_named,
    console,
    counted,
    player_called,
    reading,
    reason_given,
    say,
    say_json,
    table_of,
)

if TYPE_CHECKING:
    from datetime import datetime

    from rich.table import Table
    from sqlalchemy import Connection

    from pbem.games import AnyGame
    from pbem.names import PlayerId, TournamentId
    from pbem.legacy.notices.tournaments import GroupShown
    from pbem.legacy.tournaments.tournament import Tournament
    from pbem.legacy.transaction.transaction import Transaction

Name = Annotated[str, typer.Argument(metavar="NAME", help="As players type it: spring-league.")]


class Kind(StrEnum):
    """What is opened."""

    LEAGUE = "league"
    LADDER = "ladder"
    CUP = "cup"


office = typer.Typer(
    name="tournament",
    help="Open tournaments, begin and end their seasons, set results right.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@office.command("open")
def open_tournament(
    ctx: typer.Context,
    name: Name,
    game: Annotated[str, typer.Argument(metavar="GAME", help="As in logger.")],
    *,
    kind: Annotated[Kind, typer.Option(help="League, ladder or cup.")] = Kind.LEAGUE,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game.")
    ] = None,
    time: Annotated[str, typer.Option(help="slow, medium, fast, or as 96/24/96.")] = "slow",
    seats: Annotated[int, typer.Option(help="Of a table; a league has 2 to 4.")] = 2,
    group: Annotated[int, typer.Option(help="Players that a group shall have: 4 to 7.")] = 6,
    moving: Annotated[int, typer.Option(help="How many go up and down between groups.")] = 1,
    at_once: Annotated[int, typer.Option(help="Tables that somebody has at a time; 0: all.")] = 0,
    days: Annotated[int, typer.Option(help="For a season; in cup and ladder for a table.")] = 120,
    pause: Annotated[int, typer.Option(help="Days to the next season; 0: none by itself.")] = 7,
    author: Author = "",
) -> None:
    """Open a tournament, which people may enter from now on."""
    from pbem.legacy.bots.levels import level_unasked
    from pbem.legacy.matches.clocks import NONE, time_control
    from pbem.legacy.tournaments.decide import open_tournament as opened
    from pbem.legacy.transaction import tournaments

    rules, who, called = _rules(game, seats), author_named(author), _new_name(name)
    terms = partial(
        opened,
        author=who,
        kind=kind.value,
        ruleset=rules.ruleset,
        seats=seats,
        group=group,
        moving=moving,
        at_once=at_once,
        days=days,
        pause=pause,
        stand_in=level_unasked(rules) if seats > 2 else "",  # noqa: PLR2004 - others play on
    )

    def act(txn: Transaction) -> None:
        options = rules.normal_options(dict(one.partition("=")[::2] for one in option or ()))
        rules.initial(seats, options)  # refuses options that do not go together
        control = time_control(time)
        written = str(control) if control is not None else NONE
        tournaments.open_one(txn, called, partial(terms, options=options, time=written))

    acted(ctx, who, act)
    say(f"{name} is open: players write `enter {name}`, you `pbem tournament begin {name}`")


def _new_name(name: str) -> TournamentId:
    """A name that a tournament may have. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.legacy.mail.verbs.club import NAME

    if NAME.fullmatch(name) is None or name != name.casefold():
        raise ConfigError(f"{name} is no name: small letters, digits and hyphens, 2 to 30 of them")
    return _called(name)


def _rules(game: str, seats: int) -> AnyGame:
    """The rules of a game for so many. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.games import newest

    rules = newest(game)
    if rules is None:
        raise ConfigError(f"there is no game {game}")
    if seats not in rules.seats:
        raise ConfigError(f"{rules.title} has no tables of {seats}")
    return rules


@office.command("list")
def list_tournaments(
    ctx: typer.Context,
    *,
    closed: Annotated[bool, typer.Option("--all", help="Also those that are closed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List the tournaments."""
    from pbem.legacy.store import tournaments as lists

    rows = reading(ctx, lambda conn: lists.listed(conn, closed=closed))
    plain: list[dict[str, Any]] = [
        {
            "name": row.id,
            "kind": row.kind,
            "rules": row.ruleset,
            "status": row.status,
            "season": row.season,
            "entered": row.entered,
            "due": _moment(row.due_at),
        }
        for row in rows
    ]
    if as_json:
        say_json(plain)
    elif not plain:
        say("there are no tournaments; `pbem tournament open` makes one")
    else:
        heads = plain[0].keys()
        console().print(table_of(heads, [[*map(str, one.values())] for one in plain]))


def _moment(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z") if at is not None else ""


@office.command()
def show(ctx: typer.Context, name: Name) -> None:
    """Show who is in a tournament, its tables, and how it stands."""
    from pbem.legacy.notices.seasons import shown
    from pbem.legacy.store.people import roster

    def unit(conn: Connection) -> tuple[Tournament, dict[PlayerId, str]]:
        one = _loaded(conn, name)
        people = {*one.entered, *one.order}
        for season in one.seasons[-1:]:
            people.update(season.players, *(table.players for table in season.tables.values()))
        return one, {who: row.name for who, row in roster.players(conn, sorted(people)).items()}

    one, names = reading(ctx, unit)
    entered = ", ".join(names.get(player, "?") for player in one.entered) or "nobody"
    say(f"{one.id}: {one.opened.kind} of {one.opened.ruleset}, entered: {entered}")
    if not one.seasons:
        return
    season = one.seasons[-1]
    say(f"season {season.number} {'is over' if season.ended else 'is played'}")
    for group in shown(one, season):
        say(f"\ngroup {group.number}")
        console().print(_crosstable(group, names))
    for table in season.tables.values():
        result = " ".join(map(str, table.placings)) or table.why or "not over"
        players = " - ".join(names.get(player, "?") for player in table.players)
        say(f"table {table.number}: {players} ({table.match or 'not begun'}): {result}")


def _crosstable(group: GroupShown, names: dict[PlayerId, str]) -> Table:
    from pbem.legacy.notices.views.standings import table_view

    rows = table_view(group, names).rows
    if not any(row.cells for row in rows):
        return table_of(["place", "name"], [[row.place, row.name] for row in rows])
    heads = ["place", "name", *map(str, range(1, len(rows) + 1)), "points", "SB"]
    called = [row.name + " *" * row.gone for row in rows]
    return table_of(
        heads,
        [
            [row.place, name, *row.cells, row.points, row.berger]
            for row, name in zip(rows, called, strict=True)
        ],
    )


def _loaded(conn: Connection, name: str) -> Tournament:
    """A tournament by its name. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.legacy.transaction.tournament_cache import TournamentCache

    found = TournamentCache().load(conn, _called(name))
    if found is None:
        raise ConfigError(f"there is no tournament {name}; `pbem tournament list` has them")
    return found[0]


def _called(name: str) -> TournamentId:
    from pbem.names import TournamentId

    return TournamentId(name.strip().casefold())


@office.command()
def begin(
    ctx: typer.Context,
    name: Name,
    *,
    at: Annotated[
        str, typer.Option(metavar="TIME", help="48h, 3d, or 2026-11-24T12:00 in UTC; else now.")
    ] = "",
    author: Author = "",
) -> None:
    """Begin the next season, now or at a time."""
    from pbem.legacy.cli.operator import moment
    from pbem.legacy.tournaments import decide
    from pbem.legacy.transaction import tournaments
    from pbem.legacy.wiring.process import clock

    who = author_named(author)
    if at:
        begins = moment(at, clock())
        acted(ctx, who, lambda txn: _decide(txn, name, partial(decide.plan, begins=begins)))
        say(f"{name} begins {begins:%Y-%m-%d %H:%M} UTC, if enough have entered by then")
        return

    def act(txn: Transaction) -> None:
        tournaments.begin_season(txn, _called(name))

    acted(ctx, who, act)
    say(f"{name} begins: the players are mailed, and its matches begin one after the other")


@office.command()
def end(
    ctx: typer.Context,
    name: Name,
    *,
    reason: Reason,
    close: Annotated[
        bool, typer.Option("--close", help="Take no more entries; let a season be played on.")
    ] = False,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """End the season that is played: what is not over counts for nobody."""
    from pbem.legacy.tournaments import decide

    one = reading(ctx, lambda conn: _loaded(conn, name))
    text, who = reason_given(reason), author_named(author)
    if close:
        ask(f"Let nobody enter {name} any more, and no season begin?", yes=yes)
    else:
        left = len(one.season.unfinished) if one.season is not None else 0
        ask(f"End the season, in which {counted(left, 'table')} would count for nobody?", yes=yes)
    done = decide.close if close else decide.stop
    acted(
        ctx,
        who,
        lambda txn: _decide(txn, name, partial(done, author=who, reason=txn.seal(text))),
    )
    say(f"{name} {'is closed' if close else 'has ended its season; the players are mailed'}")


@office.command()
def extend(
    ctx: typer.Context,
    name: Name,
    until: Annotated[
        str, typer.Argument(metavar="TIME", help="14d from now; or 2026-11-24T12:00 in UTC.")
    ],
    *,
    reason: Reason,
    author: Author = "",
) -> None:
    """Let what is played last longer."""
    from pbem.legacy.cli.operator import moment
    from pbem.legacy.tournaments import decide
    from pbem.legacy.wiring.process import clock

    text, who, at = reason_given(reason), author_named(author), moment(until, clock())

    def act(txn: Transaction) -> None:
        extended = partial(decide.extend, until=at, author=who, reason=txn.seal(text))
        _decide(txn, name, extended)

    acted(ctx, who, act)
    say(f"{name} may be played until {at:%Y-%m-%d %H:%M} UTC")


@office.command()
def withdraw(
    ctx: typer.Context,
    name: Name,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who shall play no more in it.")],
    *,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """Take a player out of a tournament; their matches go on."""
    from pbem.legacy.tournaments import decide

    row, who = reading(ctx, lambda conn: player_called(conn, player)), author_named(author)
    ask(f"Take {row.name} out of {name}?", yes=yes)
    gone = partial(decide.withdraw, player=row.id, why="operator")
    acted(ctx, who, lambda txn: _decide(txn, name, gone))
    say(f"{row.name} is in {name} no more")


@office.command()
def correct(
    ctx: typer.Context,
    name: Name,
    table: Annotated[int, typer.Argument(metavar="TABLE", help="`pbem tournament show` has it.")],
    places: Annotated[
        list[int] | None,
        typer.Argument(metavar="[PLACE...]", help="For each seat, 1 is best; none: it counts not."),
    ] = None,
    *,
    season: Annotated[int, typer.Option(help="Else the newest.")] = 0,
    reason: Reason,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """Have a table end otherwise, or count for nobody."""
    from pbem.legacy.tournaments import tables

    one = reading(ctx, lambda conn: _loaded(conn, name))
    text, who, placings = reason_given(reason), author_named(author), tuple(places or ())
    of = season or len(one.seasons)
    result = " ".join(map(str, placings)) or "nothing"
    ask(f"Let table {table} of season {of} count as {result}?", yes=yes)

    def act(txn: Transaction) -> None:
        right = partial(
            tables.correct,
            season=of,
            table=table,
            placings=placings,
            author=who,
            reason=txn.seal(text),
        )
        _decide(txn, name, right)

    acted(ctx, who, act)
    say(f"table {table} of {name} counts as {result}")


def _decide(txn: Transaction, name: str, act: Any) -> None:
    from pbem.legacy.transaction import tournaments

    tournaments.decide_on(txn, _called(name), act)
