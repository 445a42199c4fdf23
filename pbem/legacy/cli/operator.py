"""`pbem match ...`: what an operator does to a match, with a reason that the players are mailed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.legacy.cli.matches import MatchArgument, comments_of, loaded
from pbem.legacy.cli.opening import (
    Author,
    Reason,
    Yes,
    acted,
    ask,
    author_named,
    player_called,
    reading,
    reason_given,
    say,
)

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.legacy.matches.match import Match
    from pbem.legacy.matches.unfolding import Deciding
    from pbem.names import PlayerId
    from pbem.legacy.transaction.transaction import Transaction

    Act = Callable[..., Deciding]

_SPAN: Final = re.compile(r"(\d{1,4})\s?(m|min|h|d)")
_UNITS: Final = {"m": "minutes", "min": "minutes", "h": "hours", "d": "days"}

office = typer.Typer(
    name="match",
    help="Act on a match as its operator: each act has a reason, and the players are told.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@office.command()
def void(
    ctx: typer.Context,
    match: MatchArgument,
    *,
    reason: Reason,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """End a match without a result."""
    from pbem.legacy.matches import operator_acts

    found, names, _ = loaded(ctx, match)
    say(_called(found, names))
    ask("End it without a result?", yes=yes)
    _act(ctx, found, author, reason, operator_acts.void_match)
    say(f"{found.id} has ended without a result; the players are mailed")


@office.command()
def unrate(
    ctx: typer.Context,
    match: MatchArgument,
    *,
    reason: Reason,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """Let no rating go by a match that has ended; what has been rated since is rated anew."""
    from pbem.legacy.matches import operator_acts

    found, names, _ = loaded(ctx, match)
    say(_called(found, names))
    ask("Let no rating go by it?", yes=yes)
    _act(ctx, found, author, reason, operator_acts.unrate)
    say(f"no rating goes by {found.id}; the players are mailed")


@office.command()
def adjudicate(
    ctx: typer.Context,
    match: MatchArgument,
    places: Annotated[
        list[int],
        typer.Argument(metavar="PLACE...", help="A place for each seat, from seat 1; 1 is best."),
    ],
    *,
    reason: Reason,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """End a match with a result of yours."""
    from pbem.errors import ConfigError
    from pbem.legacy.matches import operator_acts

    found, names, _ = loaded(ctx, match)
    if len(places) != len(found.table.players):
        raise ConfigError(f"{found.id} has {len(found.table.players)} seats: give as many places")
    ranks = ", ".join(
        f"{place}. {names[player]}"
        for place, player in sorted(zip(places, found.table.players, strict=True))
    )
    say(_called(found, names))
    ask(f"End it with this result: {ranks}?", yes=yes)
    placings = tuple(places)
    _act(ctx, found, author, reason, partial(operator_acts.adjudicate, placings=placings))
    say(f"{found.id} has ended: {ranks}; the players are mailed")


@office.command()
def pause(
    ctx: typer.Context,
    match: MatchArgument,
    *,
    reason: Reason,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """Let all clocks of a match stand; whoever wants to may still move."""
    from pbem.legacy.matches import operator_acts

    found, names, _ = loaded(ctx, match)
    say(_called(found, names))
    ask("Stop its clocks?", yes=yes)
    _act(ctx, found, author, reason, operator_acts.halt_clocks)
    say(f"the clocks of {found.id} stand until `pbem match resume {found.id}`")


@office.command()
def resume(
    ctx: typer.Context,
    match: MatchArgument,
    *,
    reason: Reason,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """Let the clocks of a match run again that `pause` has stopped."""
    from pbem.legacy.matches import operator_acts

    found, names, _ = loaded(ctx, match)
    say(_called(found, names))
    ask("Let its clocks run again?", yes=yes)
    _act(ctx, found, author, reason, operator_acts.release_clocks)
    say(f"the clocks of {found.id} run again")


@office.command()
def deadline(
    ctx: typer.Context,
    match: MatchArgument,
    seat: Annotated[
        int, typer.Argument(metavar="SEAT", help="Whose: the number of a seat.", min=1)
    ],
    until: Annotated[
        str,
        typer.Argument(metavar="TIME", help="48h, 3d, 30m from now; or 2026-11-24T12:00 in UTC."),
    ],
    *,
    reason: Reason,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """Give a seat that is to move another deadline, also if its time was over."""
    from pbem.errors import ConfigError
    from pbem.games.game import Seat
    from pbem.legacy.matches import operator_acts
    from pbem.legacy.wiring.process import clock

    found, names, _ = loaded(ctx, match)
    if seat > len(found.table.players):
        raise ConfigError(f"{found.id} has {len(found.table.players)} seats")
    now = clock()
    wanted = moment(until, now)
    due = _held(found, Seat(seat), wanted, now)
    say(_called(found, names))
    if due != wanted:
        say(f"{until} is more than its clock can hold: the most is until {due:%Y-%m-%d %H:%M} UTC")
    whose = names[found.player_at(Seat(seat))]
    ask(f"Give {whose} time until {due:%Y-%m-%d %H:%M} UTC?", yes=yes)
    _act(ctx, found, author, reason, partial(operator_acts.move_deadline, seat=Seat(seat), due=due))
    say(f"{whose} has another deadline in {found.id}; `pbem history {found.id}` tells it")


@office.command("seat")
def give_seat(
    ctx: typer.Context,
    match: MatchArgument,
    seat: Annotated[int, typer.Argument(metavar="SEAT", help="The number of the seat.", min=1)],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who plays on there.")],
    *,
    reason: Reason,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """Let another player play on in a seat, with a fresh clock; ask them before."""
    from pbem.errors import ConfigError
    from pbem.games.game import Seat
    from pbem.legacy.matches import operator_acts

    found, names, _ = loaded(ctx, match)
    row = reading(ctx, lambda conn: player_called(conn, player))
    if seat > len(found.table.players):
        raise ConfigError(f"{found.id} has {len(found.table.players)} seats")
    if row.banned:
        raise ConfigError(f"{row.name} is banned: `pbem pardon` lets them play again")
    if not row.confirmed or not row.address:
        raise ConfigError(f"{row.name} has never answered a mail: nobody knows that they want it")
    say(_called(found, names))
    whose = names[found.player_at(Seat(seat))]
    ask(f"Let {row.name} <{row.address}> play on for {whose}?", yes=yes)
    _act(
        ctx, found, author, reason, partial(operator_acts.give_seat, seat=Seat(seat), player=row.id)
    )
    say(f"{row.name} plays on for {whose} in {found.id}; the players are mailed")


@office.command()
def rollback(
    ctx: typer.Context,
    match: MatchArgument,
    ply: Annotated[int, typer.Argument(metavar="PLY", help="0 is the start.", min=0)],
    *,
    reason: Reason,
    author: Author = "",
    yes: Yes = False,
) -> None:
    """Let a match be as it was after a ply.

    Nothing is deleted: the later moves stay in the log, and what was drawn stays used.
    """
    from pbem.games.game import Ply
    from pbem.legacy.matches import operator_acts

    found, names, _ = loaded(ctx, match)
    say(_called(found, names))
    ask(f"Let it be as it was after ply {ply}?", yes=yes)
    _act(ctx, found, author, reason, partial(operator_acts.roll_back, ply=Ply(ply)))
    say(f"{found.id} is as it was after ply {ply}; the players are mailed")


def moment(text: str, now: datetime) -> datetime:
    """A time in the future as operators type one. Raises ConfigError."""
    from pbem.errors import ConfigError

    span = _SPAN.fullmatch(text.strip().casefold())
    try:
        if span is not None:
            at = now + timedelta(**{_UNITS[span[2]]: int(span[1])})
        else:
            at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ConfigError(f"{text} is no time: write 48h, 3d or 2026-11-24T12:00") from None
    at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    if at <= now:
        raise ConfigError(f"{text} is over already")
    return at.astimezone(UTC).replace(microsecond=0)


def _held(match: Match, seat: Seat, wanted: datetime, now: datetime) -> datetime:
    """The deadline that a seat gets: no later than its clock can hold."""
    from pbem.legacy.hours import due
    from pbem.legacy.matches.clocks import HOUR

    if match.clocks is None:
        return wanted
    last = due(match.clocks.hours_now(seat), now, match.clocks.control.cap * HOUR)
    return min(wanted, last.replace(microsecond=0))


def _called(match: Match, names: dict[PlayerId, str]) -> str:
    players = " - ".join(names[player] for player in match.table.players)
    return (
        f"{match.id}: {match.game.title}, {players}, {match.status}, after ply {match.course.ply}"
    )


@office.command()
def uncomment(
    ctx: typer.Context,
    match: MatchArgument,
    number: Annotated[
        int, typer.Argument(help="Which one, from 1; without it all are listed.", min=0)
    ] = 0,
    *,
    reason: Annotated[
        str, typer.Option("--reason", help="Why; the writer reads it.", metavar="TEXT")
    ] = "",
    author: Author = "",
    yes: Yes = False,
) -> None:
    """Take a comment on a match away, and forget its text; its writer is told. Or list them."""
    from pbem.errors import ConfigError
    from pbem.legacy.matches.operator_acts import remove_comment
    from pbem.legacy.store.log import sealed

    found, names, _ = loaded(ctx, match)
    lines = comments_of(ctx, found, names)
    if not number:
        for at, one in enumerate(lines, 1):
            of = "the match" if one.ply is None else f"move {one.ply}"
            say(f"{at}. {one.name} of {of}: {' '.join(one.text.split()) or '(no longer kept)'}")
        return
    if number > len(lines) or not lines[number - 1].text:
        raise ConfigError(f"{found.id} has no comment {number} that is kept")
    text, who = reason_given(reason), author_named(author)
    one = lines[number - 1]
    say(f"{_called(found, names)}: {one.name}: {' '.join(one.text.split())}")
    ask("Take it away?", yes=yes)

    def act(txn: Transaction) -> None:
        done = partial(remove_comment, author=who, reason=txn.seal(text), number=number)
        txn.decide(found.id, done)
        sealed.forget(txn.conn, found.table.comments[number - 1].text)

    acted(ctx, who, act)
    say(f"comment {number} on {found.id} is gone; {one.name} is told")


def _act(ctx: typer.Context, match: Match, author: str, reason: str, decided: Act) -> None:
    text, who = reason_given(reason), author_named(author)

    def act(txn: Transaction) -> None:
        txn.decide(match.id, decided, author=who, reason=txn.seal(text))

    acted(ctx, who, act)
