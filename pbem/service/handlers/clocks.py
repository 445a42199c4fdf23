"""Commands about time: begin and end a vacation, give another player time."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from pbem.errors import Rejection
from pbem.mail.commands import Argument
from pbem.match.events import PauseReason
from pbem.match.timing import begin_vacation, give_time, resume_clock
from pbem.service.handlers.talk import find_opponent
from pbem.service.registry import N_, Group, Request, command
from pbem.store import players

MAX_DAYS: Final = 60  # days of an announced absence; each match allows fewer days of vacation

# As in `3 days`.
_SPAN: Final = re.compile(r"(\d{1,4})\s*(d|days?|tage?n?|h|hours?|stunden?)", re.IGNORECASE)


@command(
    "away",
    german=("weg",),
    group=Group.ACCOUNT,
    usage=N_("away DAYS"),
    help=N_("stop your clocks while you are away"),
    details=N_(
        'For example: "away 5 days". Your clocks stop at once, and we tell your opponents. Each '
        "game gives you ten days; in a game with too few days left, your clock goes on."
    ),
    argument=Argument.REQUIRED,
    form=r"\d.*",
)
def be_away(request: Request) -> None:
    """Pause the sender's clock in each match in which enough vacation days are left.

    The clock is also paused in matches that begin during the vacation.

    Raises:
        Rejection: `bad_days`, or the rejection by `begin_vacation` if no clock could be paused.
    """
    uow, days = request.uow, _read_days(request.argument)
    until = uow.now + timedelta(days=days)
    paused, rejections = [], []
    for match in uow.load_running(request.player_id):
        try:
            uow.append(match.id, begin_vacation(match, request.player_id, days, uow.now))
            paused.append(f"{match.game.title} {match.id}")
        except Rejection as rejection:
            rejections.append(rejection)
    if rejections and not paused:
        raise rejections[0]
    players.update_player(uow.conn, request.player_id, away_until=until)
    request.reply("answer", topic="away", until=until, matches=paused)


@command(
    "back",
    german=("zurück",),
    group=Group.ACCOUNT,
    help=N_("end your time away early"),
)
def be_back(request: Request) -> None:
    """End the sender's vacation, so that their clocks run again."""
    uow = request.uow
    resumed = []
    for match in uow.load_running(request.player_id):
        seat = match.seat_of(request.player_id)
        events = resume_clock(match, seat, PauseReason.VACATION, uow.now) if seat else []
        if events:
            uow.append(match.id, events)
            resumed.append(f"{match.game.title} {match.id}")
    players.update_player(uow.conn, request.player_id, away_until=None)
    request.reply("answer", topic="back", matches=resumed)


@command(
    "give",
    german=("gib",),
    group=Group.PLAY,
    usage=N_("give PLAYER TIME"),
    help=N_("give another player more time"),
    details=N_(
        'For example: "give bob 2 days", or "give bob 12 hours". You can give from one hour to 30 '
        "days. It costs you no time."
    ),
    needs_match=True,
    argument=Argument.REQUIRED,
    is_binding=True,
)
def give(request: Request) -> None:
    """Give another player of the match more time.

    Raises:
        Rejection: `bad_span`, or any rejection by `find_opponent` or `give_time`.
    """
    uow, match = request.uow, request.match()
    span = _SPAN.search(request.argument)
    if span is None:
        raise Rejection("bad_span", typed=request.argument)
    seat = find_opponent(request, request.argument[: span.start()].strip())
    time = timedelta(hours=int(span[1]))
    if span[2][0].casefold() in "dt":
        time = timedelta(days=int(span[1]))
    uow.append(match.id, give_time(match, request.player_id, seat, time, uow.now))
    request.reply("answer", topic="time_given")


def _read_days(text: str) -> int:
    parsed = re.fullmatch(r"(\d{1,3})\s*(?:d|days?|tage?)?\.?", text.strip(), re.IGNORECASE)
    days = int(parsed[1]) if parsed is not None else 0
    if not 0 < days <= MAX_DAYS:
        raise Rejection("bad_days", typed=text, most=MAX_DAYS)
    return days
