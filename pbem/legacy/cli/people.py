"""`pbem forget`, `ban`, `pardon`, `rename`, `reach`, `welcome`, `reports`: about people."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.legacy.cli.opening import (
    AsJson,
    Author,
    Reason,
    Yes,
    acted,
    ask,
    author_named,
    console,
    counted,
    database_of,
    player_called,
    reading,
    reason_given,
    say,
    say_json,
    settings_of,
    table_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

    from pbem.legacy.store.people.roster import PlayerRow
    from pbem.legacy.transaction.transaction import Transaction

PlayerArgument = Annotated[
    str, typer.Argument(metavar="PLAYER", help="A mail address, a name, or an id.")
]


def forget(
    ctx: typer.Context, player: PlayerArgument, *, yes: Yes = False, author: Author = ""
) -> None:
    """Delete all that is held on a player, as `delete me` does.

    The matches stay whole: the player resigns in those that run, and has no name any more. Older
    backups still have everything.
    """
    from pbem.legacy.orders.handlers import people
    from pbem.legacy.store import views

    row = reading(ctx, lambda conn: player_called(conn, player))
    running = reading(ctx, lambda conn: views.count_matches(conn, row.id, ("running",)))
    say(f"{row.name} <{row.address}>, in {counted(running, 'running match', 'running matches')}")
    ask("Delete all that is held on this player? It cannot be undone.", yes=yes)

    def act(txn: Transaction) -> None:
        people.forget(txn, row.id, by="operator")

    acted(ctx, author, act)
    say(f"{row.id} is forgotten; the last mail goes out by `pbem serve`")


def ban(
    ctx: typer.Context,
    player: PlayerArgument,
    *,
    reason: Reason,
    resign: Annotated[
        bool, typer.Option("--resign", help="Resign for the player in all running matches.")
    ] = False,
    yes: Yes = False,
    author: Author = "",
) -> None:
    """Carry out no letter of a player any more, and let nobody invite them.

    The player is told once, and gets no other mail. What has not begun is called off. Running
    matches go on, and wait for a player who cannot move, unless you say --resign.
    """
    from pbem.errors import ConfigError
    from pbem.legacy.orders.handlers import people

    row, text, who = _about(ctx, player), reason_given(reason), author_named(author)
    if row.banned and not resign:
        raise ConfigError(f"{row.name} is banned already; --resign ends the running matches")
    ask("Exclude this player?", yes=yes)
    acted(ctx, who, lambda txn: people.ban(txn, row, who, text, leaves=resign))
    say(f"{row.name} is banned; `pbem pardon` takes it back")


def pardon(
    ctx: typer.Context,
    player: PlayerArgument,
    *,
    reason: Reason,
    yes: Yes = False,
    author: Author = "",
) -> None:
    """Let a banned player play again."""
    from pbem.errors import ConfigError
    from pbem.legacy.orders.handlers import people

    row, text, who = _about(ctx, player), reason_given(reason), author_named(author)
    if not row.banned:
        raise ConfigError(f"{row.name} is not banned")
    ask("Let this player play again?", yes=yes)
    acted(ctx, who, lambda txn: people.pardon(txn, row, who, text))
    say(f"{row.name} may play again")


def welcome(
    ctx: typer.Context,
    address: Annotated[str, typer.Argument(help="Whose owner says that they want mail again.")],
    *,
    yes: Yes = False,
) -> None:
    """Let mail go again to an address whose owner once answered `never`."""
    from pbem.errors import ConfigError
    from pbem.legacy.mail.headers import mailbox_of
    from pbem.legacy.mail.letter import is_address
    from pbem.legacy.store.mails import leases

    if not is_address(address):
        raise ConfigError(f"{address} is no mail address")
    if not reading(ctx, lambda conn: leases.has(conn, mailbox_of(address))):
        raise ConfigError(f"{address} has not answered `never`")
    ask("Has its owner asked for that?", yes=yes)
    with database_of(settings_of(ctx)) as db:
        db.write(lambda conn: leases.forget(conn, mailbox_of(address))).result()
    say(f"mail may go to {address} again, and so may invitations")


def rename(
    ctx: typer.Context,
    player: PlayerArgument,
    name: Annotated[str, typer.Argument(help="What the player is called from now on.")],
    *,
    reason: Reason,
    yes: Yes = False,
    author: Author = "",
) -> None:
    """Call a player otherwise, for example if a name offends."""
    from pbem.errors import ConfigError
    from pbem.legacy.orders.handlers import people

    row, text, who = _about(ctx, player), reason_given(reason), author_named(author)
    if row.name == " ".join(name.split()):
        raise ConfigError(f"{row.name} is called so already")
    ask(f"Call this player {name}?", yes=yes)
    acted(ctx, who, lambda txn: people.correct_name(txn, row, name, who, text))
    say(f"{row.name} is called {name} from now on")


def reach(
    ctx: typer.Context,
    player: Annotated[
        str, typer.Argument(metavar="[PLAYER]", help="A mail address, a name, or an id.")
    ] = "",
    *,
    everybody: Annotated[bool, typer.Option("--all", help="All whose mail came back.")] = False,
    yes: Yes = False,
    author: Author = "",
) -> None:
    """Send mail again to players from whom it came back, and let their clocks run.

    A letter of the player does the same. It is for when mail came back through no fault of theirs,
    such as when other servers took none of yours.
    """
    from pbem.legacy.delivery import bounces
    from pbem.errors import ConfigError
    from pbem.legacy.store.people import roster

    if bool(player) == everybody:
        raise ConfigError("say which PLAYER, or --all")
    rows = reading(
        ctx, roster.suspended_players if everybody else lambda conn: [player_called(conn, player)]
    )
    for line in reading(ctx, lambda conn: [*came_back(conn, rows)]):
        say(line)
    cut_off = [row for row in rows if row.suspended]
    if not cut_off:
        raise ConfigError("no mail came back from there, so it is sent as always")
    ask("Send mail to these addresses again?", yes=yes)
    for row in cut_off:
        acted(ctx, author, partial(bounces.reach, player=row))
    say(f"{counted(len(cut_off), 'player gets', 'players get')} mail again")


def came_back(conn: Connection, rows: Sequence[PlayerRow], *, least: int = 0) -> Iterator[str]:
    """Each player to whom mail came back so often at least, how often, and what clocks stood."""
    from pbem.legacy.players.player import MOST, ended, stood
    from pbem.legacy.transaction.installation import load_player
    from pbem.legacy.wiring.process import clock

    now = clock()
    for row in rows:
        player = load_player(conn, row.id)
        if player.suspensions < least:
            continue
        words = f"{row.name} <{row.address}>{', banned' if row.banned else ''}"
        if player.suspensions:
            times = counted(player.suspensions, "time", "times")
            words += f", mail came back {times}"
        if used := stood(ended(player.standstills, now), now):
            words += f", clocks stood {used.days} of {MOST.days} days for it"
        yield words


def _about(ctx: typer.Context, player: str) -> PlayerRow:
    """Whom it is about, shown before the question."""

    def unit(conn: Connection) -> tuple[PlayerRow, list[str]]:
        row = player_called(conn, player)
        return row, [*came_back(conn, [row])]

    row, (line,) = reading(ctx, unit)
    say(line)
    return row


# --- reports --------------------------------------------------------------------------------------


def reports(
    ctx: typer.Context,
    *,
    limit: Annotated[int, typer.Option(help="At most so many.", min=1)] = 20,
    as_json: AsJson = False,
) -> None:
    """List what players have reported of others, the newest first, with what these had said."""
    rows = reading(ctx, partial(_reports, limit=limit))
    if as_json:
        say_json(rows)
        return
    heads = ("Reported (UTC)", "Match", "By", "Of", "Messages")
    cells = ([row["at"][:16], row["match"], row["by"], row["of"], len(row["said"])] for row in rows)
    console().print(table_of(heads, cells))
    for row in rows:
        for text in row["said"]:
            say(f"{row['match']} {row['of']}: {' '.join(text.split())}")


def _reports(conn: Connection, *, limit: int) -> list[dict[str, Any]]:
    """Each report with the newest of the messages that it is about, as far as they are kept."""
    from typing import cast

    from pbem.legacy.matches.table import said_by
    from pbem.names import PlayerId
    from pbem.legacy.orders.handlers.talking import SAID
    from pbem.legacy.players.events import PlayerReported
    from pbem.legacy.store.log import event_log, sealed
    from pbem.legacy.store.people import roster
    from pbem.legacy.transaction.installation import find_match

    rows = []
    for one in event_log.newest_of(conn, PlayerReported, limit):
        event = cast("PlayerReported", event_log.event_of(one))
        reporter = PlayerId(one.stream.removeprefix("player-"))
        found = find_match(conn, event.match)
        theirs = said_by(found.match, event.reported) if found is not None else []
        shown = theirs[: event.said][-SAID:]
        texts = sealed.unseal(conn, shown) if shown else {}
        names = roster.players(conn, [reporter, event.reported])
        by, of = (names[who].name if who in names else who for who in (reporter, event.reported))
        rows.append(
            {
                "at": one.recorded_at.isoformat(),
                "match": event.match,
                "by": by,
                "of": of,
                "said": [texts[text] for text in shown if text in texts],
            }
        )
    return rows
