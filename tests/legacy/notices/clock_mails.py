"""The mails about time: clocks, reminders, flags, leave, and addresses that bounce."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

from pbem.games.game import Seat
from pbem.legacy.hours import Hours
from pbem.legacy.matches.clocks import HOUR
from pbem.legacy.matches.courtesies import answer_pause, give_time, pause, resume
from pbem.legacy.matches.decide import play
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.timing import (
    begin_leave,
    choose_hours,
    claim_time,
    credit_clock,
    end_leave,
    miss_deadline,
    pause_clock,
)
from pbem.legacy.notices.courtesies import (
    LeaveUsed,
    PauseOver,
    PauseRefused,
    PauseStarted,
    PauseWanted,
    TimeOver,
    TimeReceived,
)
from pbem.legacy.notices.news import MatchOver, TurnPrompt
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.personal import (
    LettersWait,
    MatchesGoOn,
    MatchesStandStill,
    PlayerAway,
    PlayerBack,
    PlayerUnreachable,
    Reminder,
    SenderDoubted,
)
from pbem.legacy.notices.replies import CalendarShown, ClocksShown
from pbem.legacy.notices.views.scene import Reader, Scene, Wishes
from tests.legacy.notices.scenes import ANN, BOB, CLEO, NOW, OPENING, at, begun, played, reader, scene

THEIRS = played(begun(), OPENING[0])
SLOW = played(begun(time="slow"), *OPENING)
SLOW3 = begun("M3SS4", players=(ANN, BOB, CLEO), time="fast")
AWAY = at(
    at(SLOW, NOW, partial(begin_leave, player=BOB, begin=NOW, end=NOW + timedelta(days=3))),
    NOW,
    partial(pause_clock, player=BOB, reason="unreachable"),
)
LATE = at(SLOW, NOW + timedelta(days=10), partial(miss_deadline, seat=Seat(1)))
LATE3 = at(SLOW3, NOW + timedelta(days=1), partial(miss_deadline, seat=Seat(1)))
CREDITED = at(
    SLOW,
    NOW + timedelta(days=2),
    partial(credit_clock, player=ANN, begin=NOW, end=NOW + timedelta(hours=5), reason="downtime"),
)
STOOD = at(
    SLOW,
    NOW + timedelta(days=2),
    partial(credit_clock, player=ANN, begin=NOW, end=NOW + timedelta(hours=5), reason="rules_away"),
)
SUNDAY, NIGHT = Hours(rest_days=(6,)), Hours(rest_days=(5, 6), quiet=(22, 7))
RESTING = at(
    at(CREDITED, NOW, partial(choose_hours, player=BOB, hours=SUNDAY)),
    NOW,
    partial(choose_hours, player=ANN, hours=NIGHT),
)


def on_leave(match: Match, days: int) -> Match:
    """Seat 1 lets its time run out, and days of leave are spent by themselves."""
    for _ in range(days):
        assert match.clocks is not None
        due = match.clocks.running[Seat(1)].due
        day = partial(
            begin_leave, player=ANN, begin=due, end=due + timedelta(days=1), by_itself=True
        )
        match = at(match, due, day)
    return match


OVER = NOW + timedelta(days=10)
SAVED = on_leave(SLOW, 1)
CLAIMED = at(
    at(SLOW, OVER, partial(miss_deadline, seat=Seat(1))),
    OVER + timedelta(hours=3),
    partial(claim_time, player=BOB),
)
MOVED = NOW + timedelta(days=15)
SPENT = at(on_leave(SLOW, 10), MOVED, partial(play, player=ANN, text="e2; plant e3"))
CHANGED = at(
    at(
        at(SLOW, NOW, partial(begin_leave, player=BOB, begin=NOW, end=NOW + timedelta(days=3))),
        NOW,
        partial(
            begin_leave, player=BOB, begin=NOW + timedelta(days=20), end=NOW + timedelta(days=30)
        ),
    ),
    NOW + timedelta(days=1),
    partial(end_leave, player=BOB),
)
LATER = NOW + timedelta(days=5)
GIVEN = at(SLOW, LATER, partial(give_time, player=BOB, other=ANN, seconds=72 * HOUR))
ASKED = at(SLOW, LATER, partial(pause, player=BOB, days=10))
PAUSED = at(ASKED, LATER, partial(answer_pause, player=ANN, accept=True))
RESUMED = at(PAUSED, LATER + timedelta(days=4), partial(resume, player=BOB))
UNTIL = (LATER + timedelta(days=10)).isoformat()
ID, ID3 = SLOW.id, SLOW3.id

CLOCK_MAILS: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "turn_prompt_clocks": (
        (TurnPrompt(match=ID, seat=Seat(1), ply=CREDITED.course.ply),),
        scene(CREDITED, now=NOW + timedelta(days=2)),
        reader(ANN, Wishes(tz="Europe/Paris")),
    ),
    "turn_prompt_stood_still": (
        (TurnPrompt(match=ID, seat=Seat(1), ply=STOOD.course.ply),),
        scene(STOOD, now=NOW + timedelta(days=2)),
        reader(ANN),
    ),
    "turn_prompt_leave_spent": (
        (TurnPrompt(match=ID, seat=Seat(2), ply=SPENT.course.ply),),
        scene(SPENT, now=MOVED),
        reader(BOB),
    ),
    "turn_prompt_leave_changed": (
        (TurnPrompt(match=ID, seat=Seat(1), ply=CHANGED.course.ply),),
        scene(CHANGED, now=NOW + timedelta(days=2)),
        reader(),
    ),
    "reminder": (
        (Reminder(matches=(ID3, ID)),),
        scene(SLOW, SLOW3, now=NOW + timedelta(hours=18)),
        reader(),
    ),
    "clocks_shown": (
        (ClocksShown(match=ID),),
        scene(RESTING, now=NOW + timedelta(days=2)),
        replace(reader(ANN, Wishes(tz="Europe/Paris")), leave=10),
    ),
    "clocks_shown_none": ((ClocksShown(match=ID),), scene(THEIRS), reader()),
    "calendar_shown": (
        (CalendarShown(matches=(ID3, ID)),),
        scene(SLOW, SLOW3, now=NOW + timedelta(hours=18)),
        reader(),
    ),
    "time_over": (
        (TimeOver(match=ID, seat=Seat(1)),),
        scene(LATE, now=NOW + timedelta(days=10)),
        reader(BOB),
    ),
    "time_over_yours": (
        (TimeOver(match=ID, seat=Seat(1)),),
        scene(LATE, now=NOW + timedelta(days=10)),
        reader(),
    ),
    "player_away": (
        (
            PlayerAway(
                player=BOB,
                matches=(ID, ID3),
                begin=NOW.isoformat(),
                end=(NOW + timedelta(days=3)).isoformat(),
            ),
        ),
        scene(AWAY, SLOW3),
        reader(),
    ),
    "player_away_back": (
        (
            PlayerAway(
                player=BOB,
                matches=(ID,),
                begin=NOW.isoformat(),
                end=NOW.isoformat(),
                became="back",
            ),
        ),
        scene(SPENT),
        reader(),
    ),
    "player_away_cancelled": (
        (
            PlayerAway(
                player=BOB,
                matches=(ID,),
                begin=(NOW + timedelta(days=20)).isoformat(),
                end=(NOW + timedelta(days=30)).isoformat(),
                became="cancelled",
            ),
        ),
        scene(SLOW),
        reader(),
    ),
    "time_over_three": (
        (TimeOver(match=ID3, seat=Seat(1)),),
        scene(LATE3, now=NOW + timedelta(days=1)),
        reader(BOB),
    ),
    "time_claimed": ((MatchOver(match=ID),), scene(CLAIMED), reader()),
    "time_claimed_by_you": ((MatchOver(match=ID),), scene(CLAIMED), reader(BOB)),
    "leave_used": (
        (LeaveUsed(match=ID, seat=Seat(1), end=(OVER + timedelta(days=1)).isoformat()),),
        scene(SAVED, now=OVER),
        reader(BOB),
    ),
    "leave_used_yours": (
        (LeaveUsed(match=ID, seat=Seat(1), end=(OVER + timedelta(days=1)).isoformat()),),
        scene(SAVED, now=OVER),
        reader(),
    ),
    "player_unreachable": (
        (
            PlayerUnreachable(
                matches=(SLOW.id,),
                player=BOB,
                until=(NOW + timedelta(days=14)).isoformat(),
                times=3,
            ),
        ),
        scene(SLOW),
        reader(),
    ),
    "player_unreachable_two": (
        (PlayerUnreachable(matches=(SLOW.id, SLOW3.id), player=BOB),),
        scene(SLOW, SLOW3),
        reader(),
    ),
    "player_back_two": (
        (PlayerBack(matches=(SLOW.id, SLOW3.id), player=BOB),),
        scene(SLOW, SLOW3),
        reader(),
    ),
    "matches_stand_still": (
        (MatchesStandStill(names=("K7QX2", "H3MN9"), title="Nine Cells"),),
        scene(),
        reader(),
    ),
    "clocks_shown_standing_still": (
        (ClocksShown(match=ID),),
        replace(scene(SLOW), still=frozenset({ID})),
        reader(),
    ),
    "matches_go_on": (
        (MatchesGoOn(matches=(SLOW.id, SLOW3.id), title="Logger"),),
        scene(SLOW, SLOW3),
        reader(),
    ),
    "player_unreachable_untimed": (
        (PlayerUnreachable(matches=(THEIRS.id,), player=BOB),),
        scene(THEIRS),
        reader(),
    ),
    "player_back": ((PlayerBack(matches=(SLOW.id,), player=BOB),), scene(SLOW), reader()),
    "letters_wait": (
        (LettersWait(match=ID, until=(NOW + timedelta(hours=1)).isoformat(), limit=60),),
        scene(SLOW),
        reader(),
    ),
    "letters_wait_lost": (
        (LettersWait(match=None, until="", limit=60),),
        scene(SLOW),
        reader(),
    ),
    "sender_doubted_suspended": (
        (SenderDoubted(match=None, orders="", lines=("start",), suspended=True),),
        scene(SLOW),
        reader(),
    ),
    "time_received": (
        (TimeReceived(match=ID, seat=Seat(2), seconds=72 * HOUR),),
        scene(GIVEN, now=LATER),
        reader(),
    ),
    "turn_prompt_time_given": (
        (TurnPrompt(match=ID, seat=Seat(1), ply=GIVEN.course.ply),),
        scene(GIVEN, now=LATER),
        reader(),
    ),
    "pause_wanted": (
        (PauseWanted(match=ID, seat=Seat(2), days=10),),
        scene(ASKED, now=LATER),
        reader(),
    ),
    "turn_prompt_pause_wanted": (
        (TurnPrompt(match=ID, seat=Seat(1), ply=ASKED.course.ply),),
        scene(ASKED, now=LATER),
        reader(),
    ),
    "pause_refused": (
        (PauseRefused(match=ID, seat=Seat(1)),),
        scene(SLOW, now=LATER),
        reader(BOB),
    ),
    "pause_started": (
        (PauseStarted(match=ID, until=UNTIL),),
        scene(PAUSED, now=LATER),
        reader(BOB),
    ),
    "pause_over": (
        (PauseOver(match=ID),),
        scene(RESUMED, now=LATER + timedelta(days=10)),
        reader(BOB),
    ),
    "pause_over_by_another": (
        (PauseOver(match=ID, seat=Seat(2)),),
        scene(RESUMED, now=LATER + timedelta(days=4)),
        reader(),
    ),
}
