"""`pbem status`: what the runners last did, and what waits."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import typer

from pbem.cli.opening import console, counted, reading, settings_of
from pbem.names import PlayerId

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.config import Settings
    from pbem.store.runner_state import RunnerState

NEARLY: Final = 0.9
"""The part of a bound at which it is told that it binds."""

QUIET: Final = timedelta(minutes=2)
"""A runner looks around every few seconds; one that is silent for so long does not run."""


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(status)


def status(ctx: typer.Context) -> None:
    """Say what the runners did and what waits."""
    from rich.table import Table

    from pbem.wiring import clock

    runners, queues = reading(ctx, lambda conn: (_runners(conn), _queues(conn)))
    now, out = clock(), console()
    table = Table("Runner", "Last seen (UTC)", "Ago", "Did", box=None)
    for runner in runners:
        ago = now - runner.last_at
        late = "  [red]silent[/red]" if ago > _longest(runner.runner) else ""
        seen = f"{runner.last_at:%Y-%m-%d %H:%M:%S}"
        table.add_row(runner.runner, seen, f"{_span(ago)}{late}", runner.what)
    out.print(table if runners else "No runner has run yet: start `pbem serve`.")
    for line in reading(ctx, partial(behind_lines, now=now)):
        out.print(f"[red]{line}[/red]")
    out.print()
    table = Table("Queue", "Waiting", "Set aside", "All", box=None)
    for name, counts in queues.items():
        table.add_row(name, *(str(count) for count in counts))
    out.print(table)
    if queues["letters"][1]:
        out.print("`pbem mails --shunted` shows the letters that could not be read.")
    if queues["mails"][1]:
        out.print("`pbem mails --outbox` shows the mails that could not be sent.")
    if cut_off := reading(ctx, _cut_off):
        out.print(f"Mail to {cut_off} came back, and none is sent. `pbem reach` sends it again.")
        for line in reading(ctx, _again_and_again):
            out.print(f"  {line}", markup=False)
    for words in reading(ctx, partial(budget_lines, settings_of(ctx), now=now)):
        out.print(words, markup=False)
    for words, near in reading(ctx, partial(cap_lines, settings_of(ctx), now=now)):
        out.print(f"[red]{words}[/red]" if near else words)


def _longest(runner: str) -> timedelta:
    """How long a runner may say nothing."""
    from pbem.runners.housekeeping import EVERY

    return EVERY + QUIET if runner == "housekeeping" else QUIET


def behind_lines(conn: Connection, *, now: datetime) -> list[str]:
    """That this machine's clock is behind what has happened already; none where it is not."""
    from pbem.runners.credits import ALIVE, GRACE
    from pbem.store import ahead

    newest = ahead.newest(conn, ALIVE)
    if newest is None or newest - now <= GRACE:
        return []
    words = f"The clock of this machine is behind the newest event ({newest:%Y-%m-%d %H:%M:%S} UTC)"
    advice = "Set it if it is wrong; if it was ahead then, `pbem serve` sets right what it timed."
    return [f"{words}. {advice}"]


def cap_lines(settings: Settings, conn: Connection, *, now: datetime) -> list[tuple[str, bool]]:
    """How much of each cap on sending is used, and whether that is nearly all of it."""
    from pbem.runners.sending_caps import caps_of

    lines = []
    for cap in caps_of(settings.smtp):
        used = cap.used(conn, now)
        near = cap.is_near(used)
        words = f"{used} of the {cap.most} mails of a{'n hour' if cap.name == 'hour' else ' day'}"
        lines.append((f"{words} are used{': soon the next ones wait' if near else ''}", near))
    return lines


def budget_lines(settings: Settings, conn: Connection, *, now: datetime) -> list[str]:
    """Which budgets for people who have never answered bind now, and what their letters take."""
    from pbem.runners.door import KEY, binding
    from pbem.store import budgets, roster, unknown_letters

    strangers = settings.strangers
    used = budgets.spent(conn, f"{KEY}:all", now)
    most = strangers.mails_per_day
    lines = [f"{used} of {most} mails of the last day went to people who have never answered."]
    for kind, name in binding(conn, settings, now):
        if kind == "all":
            lines.append("No more go to them now (strangers.mails_per_day).")
        elif kind == "domain":
            lines.append(f"No more go to them at {name} now (strangers.mails_per_domain).")
        else:
            player = roster.player(conn, PlayerId(name))
            who = player.name if player is not None else name
            lines.append(f"{who} has no more of them written to (strangers.mails_per_inviter).")
    kept, room = unknown_letters.size(conn) / 1e6, strangers.letters_megabytes
    full = "; the oldest go for newer ones" if kept > room * NEARLY else ""
    lines.append(f"Letters of people whom nobody knows take {kept:.1f} of {room} MB{full}.")
    return lines


def _runners(conn: Connection) -> list[RunnerState]:
    from pbem.store import runner_state

    return runner_state.states(conn)


def _cut_off(conn: Connection) -> str:
    """How many players get no mail, since it came back; nothing if all do."""
    from pbem.store import roster

    cut_off = len(roster.suspended_players(conn))
    return counted(cut_off, "player", "players") if cut_off else ""


def _again_and_again(conn: Connection) -> list[str]:
    """Those of them to whom mail has come back before: a dead mailbox, or a trick."""
    from pbem.cli.people import came_back
    from pbem.store import roster

    return [*came_back(conn, roster.suspended_players(conn), least=2)]


def _queues(conn: Connection) -> dict[str, tuple[int, int, int]]:
    """Waiting, set aside, all: of the letters that came in and the mails that go out."""
    from pbem.store import inbox, outbox

    letters, mails = inbox.counts(conn), outbox.counts(conn)
    waiting = sum(mails.get(state, 0) for state in ("new", "leased", "failed"))
    return {
        "letters": (
            letters.get("new", 0) + letters.get("waits", 0),
            letters.get("shunted", 0),
            sum(letters.values()),
        ),
        "mails": (waiting, mails.get("dead", 0) + mails.get("shunted", 0), sum(mails.values())),
    }


def _span(ago: timedelta) -> str:
    """A span as people say it, in its largest unit."""
    seconds = max(0, int(ago.total_seconds()))
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
