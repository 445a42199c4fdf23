"""`pbem status`: what the runners last did, and what waits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from pbem.legacy.cli.opening import (
    AsJson,
    console,
    counted,
    database_of,
    say,
    say_json,
    settings_of,
    table_of,
)
from pbem.names import PlayerId

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.config import Settings

NEARLY: Final = 0.9
"""The part of a bound at which it is told that it binds."""

QUIET: Final = timedelta(minutes=2)
"""A runner looks around every few seconds; one that is silent for so long does not run."""


def status(
    ctx: typer.Context,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Say only whether all is well; exit with 1 if not.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="With --check: say nothing of what is well.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what the runners did and what waits.

    --check looks at less, and judges it: a line for each thing that can be wrong (docs/runbook.md).
    """
    settings = settings_of(ctx)
    if check:
        _check(settings, quiet=quiet, as_json=as_json)
        return
    from pbem.legacy.store.damage import kind_of

    told: dict[str, Any] = {}
    wrong: list[str] = []
    with database_of(settings) as db:
        for part in _parts(settings):
            try:
                facts, show = db.read(part).result()
                told |= facts
                if not as_json:
                    show()
            except Exception as error:  # noqa: BLE001 - one part that is damaged hides no other
                wrong.append(kind_of(error))
                if not as_json:
                    console().print(f"WRONG: {wrong[-1]}", style="red", soft_wrap=True)
    if as_json:
        say_json({**told, "wrong": wrong})
    if wrong:
        raise typer.Exit(1)


def _check(settings: Settings, *, quiet: bool, as_json: bool) -> None:
    """A line for each check; the exit code is 1 if one of them is wrong."""
    from pbem.legacy.health import checks, look, wrong
    from pbem.legacy.wiring.process import clock

    found, out = checks(look(settings, clock())), console()
    shown = [one for one in found if not (one.well and quiet)]
    if as_json:
        say_json([{"check": one.name, "well": one.well, "words": one.line} for one in shown])
    for one in () if as_json else shown:
        mark, style = ("ok   ", "green") if one.well else ("WRONG", "bold red")
        out.print(mark, style=style, end="")
        out.print(f" {one.name:<8} {one.line}", soft_wrap=True)
    if any(wrong(found)):
        raise typer.Exit(1)


def _longest(runner: str) -> timedelta:
    """How long a runner may say nothing."""
    from pbem.legacy.store.runner_state import HOUSEKEEPING_EVERY

    return HOUSEKEEPING_EVERY + QUIET if runner == "housekeeping" else QUIET


def behind_lines(conn: Connection, *, now: datetime) -> list[str]:
    """That this machine's clock is behind what has happened already; none where it is not."""
    from pbem.legacy.runners.watch import ALIVE, was_ahead
    from pbem.legacy.store import runner_state
    from pbem.legacy.store.upkeep import condition

    newest = condition.newest_time(conn, ALIVE)
    if newest is None or newest - now <= runner_state.GRACE:
        return []
    alive = runner_state.state(conn, ALIVE)
    if alive is not None and alive.what == was_ahead(newest) and alive.last_at <= now:
        return []  # the service has found it, and set right what it could
    words = f"The clock of this machine is behind the newest event ({newest:%Y-%m-%d %H:%M:%S} UTC)"
    advice = "Set it if it is wrong; if it was ahead then, `pbem serve` sets right what it timed."
    return [f"{words}. {advice}"]


def cap_lines(settings: Settings, conn: Connection, *, now: datetime) -> list[tuple[str, bool]]:
    """How much of each cap on sending is used, and whether that is nearly all of it."""
    from pbem.legacy.store.mails.leases import caps_of

    lines = []
    smtp = settings.smtp
    for cap in caps_of(smtp.max_mails_per_hour, smtp.max_mails_per_day):
        used = cap.used(conn, now)
        near = cap.is_near(used)
        words = f"{used} of the {cap.most} mails of a{'n hour' if cap.name == 'hour' else ' day'}"
        lines.append((f"{words} are used{': soon the next ones wait' if near else ''}", near))
    return lines


def budget_lines(settings: Settings, conn: Connection, *, now: datetime) -> list[str]:
    """Which budgets for people who have never answered bind now, and what their letters take."""
    from pbem.legacy.store.mails import unknown_letters
    from pbem.legacy.store.people import rates, roster
    from pbem.legacy.transaction.limits import KEY, binding

    strangers = settings.strangers
    used = rates.spent(conn, f"{KEY}:all", now)
    most = strangers.mails_per_day
    lines = [f"{used} of {most} mails of the last day went to people who have never answered."]
    for kind, name in binding(conn, settings, now):
        if kind == "all":
            lines.append("No more go to them now (strangers.mails_per_day).")
        elif kind == "domain":
            lines.append(f"No more go to them at {name} now (strangers.mails_per_domain).")
        elif kind == "forms":
            lines.append("No more go out by forms of pages now (strangers.forms_per_day).")
        elif kind == "form_domain":
            lines.append(f"No more go to {name} by forms now (strangers.forms_per_domain).")
        else:
            player = roster.player(conn, PlayerId(name))
            who = player.name if player is not None else name
            lines.append(f"{who} has no more of them written to (strangers.mails_per_inviter).")
    kept, room = unknown_letters.size(conn) / 1e6, strangers.letters_megabytes
    full = "; the oldest go for newer ones" if kept > room * NEARLY else ""
    lines.append(f"Letters of people whom nobody knows take {kept:.1f} of {room} MB{full}.")
    return lines


# --- the parts: each reads, and gives facts and what prints them ---------------------------------

_Told: TypeAlias = "tuple[dict[str, Any], Callable[[], None]]"
_Part: TypeAlias = "Callable[[Connection], _Told]"


def _parts(settings: Settings) -> tuple[_Part, ...]:
    budgets, caps = partial(_budgets, settings), partial(_caps, settings)
    return (_runners, _behind, _queues, _cut_off, budgets, caps)


def _say_all(lines: list[str], style: str | None = None) -> None:
    for line in lines:
        console().print(line, style=style, soft_wrap=True)


def _behind(conn: Connection) -> _Told:
    from pbem.legacy.wiring.process import clock

    lines = behind_lines(conn, now=clock())
    return {"behind": lines}, partial(_say_all, lines, "red")


def _budgets(settings: Settings, conn: Connection) -> _Told:
    from pbem.legacy.wiring.process import clock

    lines = budget_lines(settings, conn, now=clock())
    return {"strangers": lines}, partial(_say_all, lines)


def _runners(conn: Connection) -> _Told:
    from rich.table import Table
    from rich.text import Text

    from pbem.legacy.health import is_recent, span
    from pbem.legacy.store.damage import Damaged
    from pbem.legacy.store.runner_state import unmarked
    from pbem.legacy.store.upkeep import condition
    from pbem.legacy.wiring.process import clock

    now, out = clock(), console()
    told: list[dict[str, Any]] = []
    table = Table("Runner", "Last seen (UTC)", "Ago", "Did", box=None)
    for name, runner in condition.runners(conn):
        if isinstance(runner, Damaged):
            table.add_row(name, "", "", Text(str(runner), style="red"))
            told.append({"runner": name, "damaged": str(runner)})
            continue
        ago = now - runner.last_at
        silent = not is_recent(runner.last_at, now, _longest(unmarked(runner.runner)))
        late = Text("  silent" if silent else "", style="red")
        seen = f"{runner.last_at:%Y-%m-%d %H:%M:%S}"
        did = " ".join(runner.what.split())
        table.add_row(runner.runner, seen, Text(span(ago)) + late, did)
        at = {"runner": runner.runner, "last_seen": runner.last_at.isoformat()}
        told.append({**at, "silent": silent, "did": runner.what})
    shown = table if table.row_count else "No runner has run yet: start `pbem serve`."
    return {"runners": told}, lambda: out.print(shown, end="\n\n")


def _queues(conn: Connection) -> _Told:
    """Waiting, set aside, so far: of the letters that came in and the mails that go out."""
    from pbem.legacy import health
    from pbem.legacy.store.mails import outbox
    from pbem.legacy.store.upkeep import condition

    letters, mails = condition.letters_waiting(conn), outbox.waiting(conn)
    unwritten = outbox.unwritten(conn)
    queues = {"letters": letters, "mails": mails}
    heads = ("Queue", "Waiting", "Set aside", "So far")
    table = table_of(heads, ([name, *counts] for name, counts in queues.items()))

    def show() -> None:
        console().print(table)
        if letters[1]:
            say("`pbem mails --shunted` shows the letters that could not be read.")
        if mails[1]:
            say("`pbem mails --outbox` shows the mails that could not be sent.")
        if unwritten:
            _say_all([health.unwritten(unwritten).line], "red")

    names = ("waiting", "set_aside", "so_far")
    told = {name: dict(zip(names, counts, strict=True)) for name, counts in queues.items()}
    return {**told, "unwritten": unwritten}, show


def _cut_off(conn: Connection) -> _Told:
    """How many players get no mail, since it came back; nothing if all do."""
    from pbem.legacy.store.people import roster

    count = len(roster.suspended_players(conn))
    who = counted(count, "player", "players")
    words = f"Mail to {who} came back, and none is sent. `pbem reach` sends it again."
    lines = [words, *(f"  {line}" for line in _again_and_again(conn))] if count else []
    return {"cut_off": count}, partial(_say_all, lines)


def _again_and_again(conn: Connection) -> list[str]:
    """Those of them to whom mail has come back before: a dead mailbox, or a trick."""
    from pbem.legacy.cli.people import came_back
    from pbem.legacy.store.people import roster

    return [*came_back(conn, roster.suspended_players(conn), least=2)]


def _caps(settings: Settings, conn: Connection) -> _Told:
    from pbem.legacy.wiring.process import clock

    lines = cap_lines(settings, conn, now=clock())

    def show() -> None:
        for words, near in lines:
            console().print(words, style="red" if near else None)

    return {"caps": [{"words": words, "near": near} for words, near in lines]}, show
