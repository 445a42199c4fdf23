"""Whole mails of every notice, on 72 and 40 columns and as HTML. Read the diffs as mails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from pbem.games.game import Ply, Seat, Style
from pbem.legacy.notices.checks import VerificationShown
from pbem.legacy.notices.courtesies import DrawProposed, DrawRefused, MessageReceived
from pbem.legacy.notices.news import (
    ChallengeOff,
    ChallengeSent,
    Invitation,
    InvitationAnswered,
    MatchBegan,
    MatchOver,
    MatchWatched,
    TurnPrompt,
    WatchClosed,
    WatchOpened,
)
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.personal import (
    AddressAsked,
    AddressesListed,
    AwaySpan,
    ConfirmationAsked,
    SampleShown,
    SenderDoubted,
    SettingsShown,
    Welcome,
    WhyTold,
)
from pbem.legacy.notices.rendering.render import Rendered, Renderer
from pbem.legacy.notices.replies import (
    Account,
    BoardShown,
    BotsShown,
    CalendarShown,
    ChangesShown,
    DailyDigest,
    GamesListed,
    HelpShown,
    HistoryShown,
    MessagesShown,
    MovePreviewed,
    NotesShown,
    OpenSeat,
    OpenSeatsListed,
    OrderRefused,
    OrderResult,
    QuestionAsked,
    RecordShown,
    ReplayShown,
    RulesShown,
)
from pbem.legacy.notices.seats import SeatVacated
from pbem.legacy.notices.second_thoughts import MoveReceipt
from pbem.legacy.notices.views.footer import wishes_of
from pbem.legacy.notices.views.scene import Reader, Scene, Wishes
from pbem.legacy.notices.views.view import build
from tests.legacy.notices.bearings import BEARINGS
from tests.legacy.notices.bound_mails import BOUND_MAILS
from tests.legacy.notices.clock_mails import CLOCK_MAILS
from tests.legacy.notices.game_mails import ANALYSIS_MAILS, GAME_MAILS, HINTS_AND_RATINGS, KNOWN
from tests.legacy.notices.office_mails import OFFICE_MAILS
from tests.legacy.notices.private_mails import PRIVATE
from tests.legacy.notices.regretted import SECOND_THOUGHTS
from tests.legacy.notices.scenes import (
    ANN,
    BOB,
    CLEO,
    HELLO,
    OPENING,
    accepted,
    begun,
    challenge,
    declined,
    played,
    played_out,
    reader,
    resigned,
    scene,
    talked,
    watched,
)
from tests.legacy.notices.seats_left import SEATS_LEFT

FOLDER: Final = Path(__file__).parent / "golden"

ASKED = challenge("K7QX2", (ANN, BOB, CLEO), seat_order="random", tree_limit="20")
DRAWN = accepted(ASKED, BOB, CLEO)
OPEN = challenge("K7QX2", (ANN,), open_seats=1)
OPEN_TO_TWO = challenge("M3SS4", (ANN, BOB), open_seats=2, tree_limit="20")
TWO = played(begun(), *OPENING)
WATCHED = watched(TWO, CLEO)
OTHERS = watched(begun("W4TCH", players=(BOB, CLEO)), ANN)
TIMED = begun("T1MED", time="slow")
ASKING = challenge("2ASKS", (CLEO, ANN))
OWN = challenge("5EATS", (ANN,), open_seats=2)
THREE = played(begun("M3SS4", players=(ANN, BOB, CLEO)), "e1", "a5", "e5", "e3 plant d3")
TALKED = talked(TWO)
LEFT = resigned(THREE, CLEO)
LAST = played_out(begun())
GIVEN_UP = resigned(TWO, BOB)

NEXT = played(begun("M4TT5", players=(ANN, CLEO)), "e1", "a5")

ID, ID3 = TWO.id, THREE.id
PLY = TWO.course.ply
PROMPT = TurnPrompt(match=ID, seat=Seat(1), ply=PLY)

Mail = tuple[tuple[Notice, ...], Scene, Reader]

MAILS: Final[Mapping[str, Mail]] = {
    **CLOCK_MAILS,
    **GAME_MAILS,
    **ANALYSIS_MAILS,
    **HINTS_AND_RATINGS,
    **OFFICE_MAILS,
    **PRIVATE,
    **BEARINGS,
    **BOUND_MAILS,
    **SECOND_THOUGHTS,
    **SEATS_LEFT,
    "invitation": ((Invitation(match=ID),), scene(ASKED), reader(BOB)),
    "challenge_sent": ((ChallengeSent(match=ID),), scene(ASKED), reader()),
    "invitation_answered": (
        (InvitationAnswered(match=ID, player=BOB, answer="accepted"),),
        scene(accepted(ASKED, BOB)),
        reader(),
    ),
    "challenge_off": (
        (ChallengeOff(match=ID, player=BOB, reason="declined"),),
        scene(declined(ASKED, BOB)),
        reader(),
    ),
    "match_began": ((MatchBegan(match=ID),), scene(DRAWN), reader(DRAWN.table.players[1])),
    "match_began_your_turn": (
        (MatchBegan(match=ID), TurnPrompt(match=ID, seat=Seat(1), ply=Ply(0))),
        scene(DRAWN),
        reader(DRAWN.table.players[0]),
    ),
    "turn_prompt": (
        (PROMPT,),
        scene(TWO),
        reader(),
    ),
    "turn_prompt_three": (
        (TurnPrompt(match=ID3, seat=Seat(2), ply=THREE.course.ply),),
        scene(THREE),
        reader(BOB),
    ),
    "turn_prompt_unicode": (
        (PROMPT,),
        scene(TWO),
        reader(ANN, Wishes(style=Style.UNICODE)),
    ),
    "turn_prompt_spoken": ((PROMPT,), scene(TWO), reader(ANN, Wishes(spoken=True))),
    "move_receipt": ((MoveReceipt(match=ID, seat=Seat(2), ply=PLY),), scene(TWO), reader(BOB)),
    "seat_vacated": (
        (
            TurnPrompt(match=ID3, seat=Seat(2), ply=LEFT.course.ply),
            SeatVacated(match=ID3, seat=Seat(3)),
        ),
        scene(LEFT),
        reader(BOB),
    ),
    "match_over": ((MatchOver(match=LAST.id),), scene(LAST), reader()),
    "match_over_resigned": ((MatchOver(match=GIVEN_UP.id),), scene(GIVEN_UP), reader(BOB)),
    "watch_opened": ((WatchOpened(match=ID),), scene(WATCHED), reader(CLEO)),
    "watch_closed": ((WatchClosed(match=ID),), scene(TWO), reader(CLEO)),
    "match_watched": (
        (MatchWatched(match=ID, first=len(WATCHED.course.steps) - 1),),
        scene(WATCHED),
        reader(CLEO),
    ),
    "match_watched_over": (
        (MatchWatched(match=ID, first=len(WATCHED.course.steps)),),
        scene(resigned(WATCHED, BOB)),
        reader(CLEO),
    ),
    "turn_prompt_watched": (
        (PROMPT,),
        scene(WATCHED),
        reader(),
    ),
    "message_received": (
        (MessageReceived(match=ID, author=BOB, text=HELLO),),
        scene(TWO),
        reader(),
    ),
    "order_refused_last": (
        (
            OrderRefused(
                match=ID,
                typed="stay chop d3",
                code="spawn_missing",
                facts={"trees": [{"tree": "c3", "cells": ["c2", "c4"]}]},
                game="logger",
                last="2026-11-21T15:17:00+00:00",
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "order_refused": (
        (
            OrderRefused(
                match=ID,
                typed="stay chop d3",
                code="spawn_missing",
                facts={"trees": [{"tree": "c3", "cells": ["c2", "c4"]}]},
                game="logger",
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "order_refused_not_your_turn": (
        (
            OrderRefused(
                match=ID,
                typed="e3 plant e4",
                code="not_your_turn",
                facts={"seats": [1]},
                game="logger",
            ),
        ),
        scene(TWO),
        reader(BOB),
    ),
    "order_refused_nowhere": (
        (
            OrderRefused(
                match=None,
                typed="",
                code="unknown_order",
                facts={"word": "halp", "near": ["help"]},
            ),
        ),
        scene(),
        reader(),
    ),
    "order_refused_over": (
        (OrderRefused(match=LAST.id, typed="e1", code="game_over", facts={}, game="logger"),),
        scene(LAST),
        reader(),
    ),
    "order_refused_slip": (
        (
            OrderRefused(
                match=ID,
                typed="stay chpo d3",
                code="spawn_missing",
                facts={
                    "trees": [{"tree": "c3", "cells": ["c2", "c4"]}],
                    "unslipped": "stay chop d3",
                },
                game="logger",
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "account": (
        (
            OrderRefused(
                match=ID,
                typed="stay chop d3",
                code="spawn_missing",
                facts={"trees": [{"tree": "c3", "cells": ["c2", "c4"]}]},
                game="logger",
            ),
            Account(
                results=(
                    OrderResult(typed="say Hello!", status="done", outcome="said"),
                    OrderResult(typed="stay chop d3", status="refused"),
                    OrderResult(typed="history", status="skipped"),
                )
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "account_in_match": (
        (
            Account(
                results=(OrderResult(typed="say Hello!", status="done", outcome="said"),), match=ID
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "account_of_one": (
        (
            Account(
                results=(
                    OrderResult(
                        typed="name Anna",
                        status="done",
                        outcome="renamed",
                        facts={"name": "Anna"},
                    ),
                )
            ),
        ),
        scene(),
        reader(),
    ),
    "question_asked": ((QuestionAsked(question="resign", match=ID),), scene(TWO), reader()),
    "question_near_move": (
        (
            QuestionAsked(
                question="move", match=ID, facts={"notation": "e3; plant d3", "near": True}
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "move_previewed": (
        (MovePreviewed(match=ID, seat=Seat(1), ply=PLY, notation="stay; c3>c4; chop d3"),),
        scene(TWO),
        reader(),
    ),
    "move_previewed_late": (
        (MovePreviewed(match=ID, seat=Seat(1), ply=Ply(0), notation="e3; plant d3"),),
        scene(TWO),
        reader(),
    ),
    "board_shown": ((BoardShown(match=ID, ply=Ply(2)),), scene(TWO), reader(BOB)),
    "changes_shown": (
        (ChangesShown(match=ID, first=Ply(2), last=Ply(4)),),
        scene(TWO),
        reader(BOB),
    ),
    "changes_shown_none": (
        (ChangesShown(match=ID, first=PLY, last=PLY),),
        scene(TWO),
        reader(BOB),
    ),
    "messages_shown": ((MessagesShown(match=ID),), scene(TALKED), reader()),
    "messages_shown_none": ((MessagesShown(match=ID),), scene(TWO), reader()),
    "notes_shown": ((NotesShown(match=ID),), scene(TALKED), reader()),
    "match_over_notes": ((MatchOver(match=ID),), scene(resigned(TALKED, BOB)), reader()),
    "history_shown": ((HistoryShown(match=ID3),), scene(LEFT), reader()),
    "bots_shown": ((BotsShown(),), scene(), reader()),
    "calendar_shown_none": ((CalendarShown(matches=()),), scene(), reader()),
    "record_shown": ((RecordShown(match=LAST.id),), scene(LAST), reader()),
    "replay_shown": ((ReplayShown(match=ID3),), scene(LEFT), reader()),
    "replay_moving": ((ReplayShown(match=ID3, moving=True),), scene(LEFT), reader()),
    "verification_shown": (
        (
            VerificationShown(
                match=ID, events=30, draws=1, head="e5" * 32, findings=(), plies=27, sealed=1
            ),
        ),
        scene(DRAWN),
        reader(),
    ),
    "verification_failed": (
        (
            VerificationShown(
                match=LAST.id, events=30, draws=1, head="e5" * 32, findings=("event 7: its hash",)
            ),
        ),
        scene(LAST),
        reader(),
    ),
    "games_listed": (
        (
            GamesListed(
                matches=(ASKING.id, TIMED.id, ID, ID3, OWN.id),
                boards=False,
                since={
                    ASKING.id: "2026-11-20T09:30:00+00:00",
                    TIMED.id: "2026-11-20T21:15:00+00:00",
                    ID: "2026-11-19T09:30:00+00:00",
                    ID3: "2026-11-20T20:15:00+00:00",
                    OWN.id: "2026-11-21T08:00:00+00:00",
                },
                watched=(OTHERS.id,),
            ),
        ),
        scene(ASKED, THREE, OWN, OTHERS, TIMED, ASKING),
        reader(),
    ),
    "games_listed_boards": (
        (GamesListed(matches=(ID, ID3), boards=True),),
        scene(TWO, LEFT),
        reader(),
    ),
    "open_seats_listed": (
        (
            OpenSeatsListed(
                seats=(
                    OpenSeat(match=ID, since="2026-11-19T09:30:00+00:00"),
                    OpenSeat(match=ID3, since="2026-11-20T20:15:00+00:00"),
                )
            ),
        ),
        replace(scene(OPEN, OPEN_TO_TWO), standing={OPEN.id: KNOWN}),
        reader(CLEO),
    ),
    "challenge_sent_open": ((ChallengeSent(match=ID3),), scene(OPEN_TO_TWO), reader()),
    "challenge_off_expired": (
        (ChallengeOff(match=ID, player=ANN, reason="expired"),),
        scene(OPEN),
        reader(),
    ),
    "digest": (
        (
            DailyDigest(matches=(ID, NEXT.id)),
            MessageReceived(match=ID, author=BOB, text=HELLO),
        ),
        scene(TWO, NEXT),
        reader(ANN, wishes_of({"digest": "18:00", "pictures": "off"})),
    ),
    "digest_of_one": ((DailyDigest(matches=(ID,)),), scene(TWO), reader()),
    "digest_of_none": (
        (DailyDigest(matches=()), Invitation(match=ID)),
        scene(ASKED),
        reader(BOB),
    ),
    "rules_shown": ((RulesShown(game="logger"),), scene(), reader()),
    "rule_shown": ((RulesShown(game="landrush", rule="LR-4.5"),), scene(), reader()),
    "help_shown_over": ((HelpShown(topic=None, card=("rematch", "replay")),), scene(), reader()),
    "help_shown": (
        (
            HelpShown(
                topic=None,
                game="logger",
                card=(
                    "move",
                    "board",
                    "rules",
                    "undo",
                    "say",
                    "away",
                    "resign",
                    "games",
                    "new",
                    "help all",
                ),
            ),
        ),
        scene(),
        reader(),
    ),
    "help_shown_newcomer": (
        (
            HelpShown(
                topic=None,
                card=("new", "bot", "games", "rules logger", "settings", "stop", "help all"),
            ),
        ),
        scene(),
        reader(),
    ),
    "help_shown_all": ((HelpShown(topic="all", game="logger"),), scene(), reader()),
    "help_shown_topic": ((HelpShown(topic="say"),), scene(), reader()),
    "confirmation_asked": ((ConfirmationAsked(),), scene(), reader()),
    "confirmation_asked_for": (
        (ConfirmationAsked(lines=("new logger with \u2026", "width 60"), more=True),),
        scene(),
        reader(),
    ),
    "confirmation_asked_again": (
        (
            OrderRefused(match=None, typed="", code="yes_alone", facts={}),
            ConfirmationAsked(lines=("new logger with \u2026",)),
        ),
        scene(),
        reader(),
    ),
    "question_add_address": (
        (QuestionAsked(question="add_address", match=None, facts={"address": "ann@work.example"}),),
        scene(),
        reader(),
    ),
    "refused_address_seen": (
        (OrderRefused(match=ID, typed="e1", code="address_seen", facts={}),),
        scene(TWO),
        reader(),
    ),
    "refused_not_proved": (
        (OrderRefused(match=ID, typed="offer draw", code="not_proved", facts={}),),
        scene(TWO),
        reader(),
    ),
    "refused_no_consent": (
        (OrderRefused(match=None, typed="say Hello", code="consent_missing", facts={}),),
        scene(),
        reader(),
    ),
    "draw_proposed": (
        (DrawProposed(match=TWO.id, seat=Seat(2)),),
        scene(TWO),
        reader(),
    ),
    "draw_refused": (
        (DrawRefused(match=TWO.id, seat=Seat(2)),),
        scene(TWO),
        reader(),
    ),
    "address_asked": ((AddressAsked(),), scene(), reader()),
    "addresses_listed": (
        (AddressesListed(addresses=("ann@example.org",), waiting=("ann@work.example",)),),
        scene(),
        reader(),
    ),
    "sample_shown": ((SampleShown(game="logger"),), scene(), reader()),
    "settings_shown": (
        (
            SettingsShown(
                wishes={"width": "60", "tz": "Europe/Paris"},
                quiet_hours=(22, 7),
                leave=(
                    AwaySpan(begin="2026-12-23T23:00:00+00:00", end="2027-01-02T23:00:00+00:00"),
                ),
                leave_left=3,
            ),
        ),
        scene(),
        reader(ANN, wishes_of({"width": "60", "tz": "Europe/Paris", "pictures": "off"})),
    ),
    "turn_prompt_wished": (
        (PROMPT,),
        scene(TWO),
        reader(
            ANN, wishes_of({"glyphs": "unicode", "width": "60", "thread": "off", "pictures": "off"})
        ),
    ),
    "welcome": ((Welcome(),), scene(), reader()),
    "challenge_sent_newcomer": (
        (ChallengeSent(match=ID), Welcome(match=ID)),
        scene(ASKED),
        reader(ANN),
    ),
    "invitation_newcomer": (
        (Invitation(match=ID),),
        scene(ASKED),
        replace(reader(BOB), newcomer=True),
    ),
    "why_told": (
        (WhyTold(match=TWO.id, typed="E3 +d3", notation="e3; plant d3"),),
        scene(TWO),
        reader(),
    ),
    "sender_doubted": ((SenderDoubted(match=ID, orders="resign yes"),), scene(TWO), reader()),
    "address_seen_asked": (
        (SenderDoubted(match=ID, orders="", lines=("e1",), more=True, seen=True),),
        scene(TWO),
        reader(),
    ),
}

RENDERER: Final = Renderer()


@cache
def rendered(name: str, width: int = 72) -> Rendered:
    notices, about, who = MAILS[name]
    chosen = who.wishes.width if width == 72 else width
    wishes = replace(who.wishes, width=chosen, html=width == 72)
    view = build(notices, replace(who, wishes=wishes), about)
    return RENDERER.render(view)


KEPT: Final = (
    "account",
    "address_asked",
    "address_shown",
    "addresses_listed",
    "board_shown",
    "challenge_sent",
    "challenge_sent_link",
    "clocks_shown",
    "condition_met",
    "confirmation_asked",
    "data_shown",
    "draw_proposed",
    "draw_refused",
    "early_in_landrush",
    "early_in_logan_stones",
    "early_in_logger",
    "early_in_looney_ludo",
    "farewell",
    "games_listed",
    "help_shown",
    "hint_shown",
    "history_shown",
    "invitation",
    "invitation_newcomer",
    "invitation_to_looney_ludo",
    "late_in_landrush",
    "late_in_logan_stones",
    "late_in_logger",
    "late_in_looney_ludo",
    "lesson_in_logger",
    "letter_unbound_both",
    "match_adjudicated",
    "match_began",
    "match_began_your_turn",
    "match_over_in_landrush",
    "match_over_in_logan_stones",
    "match_over_in_logger",
    "match_over_in_looney_ludo",
    "match_over_rated",
    "match_voided",
    "message_received",
    "messages_shown",
    "move_kept",
    "move_previewed",
    "move_receipt",
    "moves_taken_back",
    "no_order_found",
    "order_refused",
    "player_away",
    "player_unreachable",
    "profile_shown",
    "question_asked",
    "reminder",
    "rules_shown",
    "sender_doubted",
    "settings_shown",
    "takeback_wanted",
    "turn_prompt",
    "turn_prompt_spoken",
    "welcome",
)
"""The emails whose whole text is compared: one or two of each kind."""


@pytest.mark.parametrize("name", KEPT)
def test_the_mail_reads_as_it_did(name: str, golden: Callable[[Path, str], None]) -> None:
    mail = rendered(name)
    narrow = rendered(name, 40)
    golden(FOLDER / f"{name}.txt", f"Subject: {mail.subject}\n\n{mail.text}")
    golden(FOLDER / "narrow" / f"{name}.txt", f"Subject: {narrow.subject}\n\n{narrow.text}")
    assert mail.html is not None
    golden(FOLDER / f"{name}.html", mail.html)
