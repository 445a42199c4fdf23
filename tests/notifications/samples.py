"""One email of each kind and case, made from played matches of Logger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from typing import Any, Final

from pbem.match.endings import resign
from pbem.match.events import MatchEvent
from pbem.match.setup import decline_invitation, expire_challenge
from pbem.match.state import Match
from pbem.match.takeback import request_takeback
from pbem.match.timing import give_time
from pbem.names import PlayerId
from pbem.notifications.email_views import EmailView
from pbem.notifications.move_views import list_moves
from pbem.notifications.views import MatchView, build_match_view
from pbem.ratings import Rating
from pbem.service.rulebook import find_rule, summarise
from pbem.store.ratings import PlayerRating, RatingChange
from pbem.tournaments import Result, compute_standings
from tests.match.test_match import ANN, BOB, CLEO, NOON, Table, running

NAMES: Final = {ANN: "Ann <& Co>", BOB: "Bob", CLEO: "Cleo"}
REPLY_ADDRESS: Final = "games+k7qx2.1.abc@pbem.example"

FELLING: Final = (
    (ANN, "place e5"),
    (BOB, "place a5"),
    (CLEO, "place a1"),
    (ANN, "e3; plant d3"),
    (BOB, "a3; plant b3"),
    (CLEO, "b1; plant a1"),
    (ANN, "stay; c3>c4; plant e2"),
    (BOB, "stay; b3>b4, c3>c2, d3>d2; chop b3"),
    (CLEO, "b2; plant a2"),
    (ANN, "d4; plant e4"),
    (BOB, "a4; b4>b5; chop b4"),
    (CLEO, "stay; d2>d1; plant b3"),
    (ANN, "e5; e2>e3; chop e4"),
    (BOB, "a3; a1>b1; chop a2"),
    (CLEO, "stay; b5>a5, c2>c1, d2>d3, e2>e1; chop c2"),
    (ANN, "d5; b5>c5; plant e5"),
    (BOB, "a1; chop b1"),
    (CLEO, "c3; b3>b2; plant c4"),
    (ANN, "stay; a5>a4, b5>b4, d1>d2, d3>d4; chop c5"),
    (BOB, "b1; b3>a3, c1>c2; chop c1"),
    (CLEO, "stay; e3>e2; chop b3"),
)
"""A whole match of three, which Bob wins with 11 points."""


def play(*moves: tuple[PlayerId, str], players: int = 2, **options: str) -> Table:
    opponents = (BOB, CLEO)[: players - 1]
    table = Table(*opponents, starter="given", **options)
    for player in opponents:
        table.accept(player)
    for player, text in moves:
        table.move(player, text)
    return table


STARTED: Final = running().match
OPENED: Final = play((ANN, "place a1"), (BOB, "place e5")).match


def see(
    match: Match,
    reader: PlayerId | None,
    *,
    scheduled: str | None = None,
    typed: str = "",
    events: Sequence[MatchEvent] = (),
) -> MatchView:
    return build_match_view(
        match,
        reader,
        NAMES,
        head="0123456789abcdef" * 4,
        now=NOON + timedelta(minutes=1),
        scheduled=scheduled,
        typed=typed,
        events=events,
    )


def address_email(match: MatchView | None, **facts: Any) -> EmailView:
    return EmailView(
        reader_name="Ann <& Co>",
        reply_address=REPLY_ADDRESS,
        match=match,
        facts=facts,
        site_title="pbem club",
        timezone=UTC,
    )


class Samples(dict[str, tuple[str, EmailView]]):
    def add(self, name: str, match: MatchView | None, **facts: Any) -> None:
        """Add an email, of the kind that is the first word of its name."""
        self[name] = (name.split(" ", maxsplit=1)[0].rstrip(","), address_email(match, **facts))


SAMPLES: Final = Samples()


def add_challenges(samples: Samples) -> None:
    add = samples.add
    challenge = Table(BOB, CLEO)
    issued = challenge.match
    add("invitation", see(issued, BOB))
    add("invitation without clocks", see(Table(BOB, time="none").match, BOB))
    add("challenge sent", see(issued, ANN))
    listed = Table(ruleset="landrush-1", colour="black").match
    add("challenge listed", see(listed, ANN))
    events = challenge.accept(BOB)
    accepted = challenge.match
    add("challenge accepted", see(accepted, ANN, events=events))
    for name, closing in (
        ("declined", decline_invitation(accepted, CLEO, now=NOON)),
        ("withdrawn", decline_invitation(accepted, ANN, now=NOON)),
        ("expired", expire_challenge(accepted, now=NOON + timedelta(days=31))),
    ):
        challenge.match = accepted
        events = challenge.execute(closing)
        add(f"challenge {name}", see(challenge.match, BOB, events=events))


def add_turns(samples: Samples) -> None:
    add = samples.add
    add("turn first", see(STARTED, ANN))
    add("start", see(STARTED, BOB))
    lesson = replace(STARTED, challenge=replace(STARTED.terms, is_lesson=True))
    add("turn of a lesson", see(lesson, ANN))
    add("turn", see(OPENED, ANN))
    add(
        "receipt played",
        see(play((ANN, "place a1")).match, ANN),
        remarks=["Our garden is\ngreen again."],
    )
    add(
        "receipt scheduled",
        see(OPENED, ANN, scheduled="b1; plant a1"),
        sends_at=NOON + timedelta(minutes=5),
        window=timedelta(minutes=5),
    )
    add("welcome", None)
    asked = play((ANN, "place a1"))
    request = asked.execute(request_takeback(asked.match, ANN, NOON))
    add("offer", see(asked.match, BOB, events=request))
    other = {
        "title": "Logger",
        "code": "R4M9T",
        "opponents": ["Cleo"],
        "deadline": NOON + timedelta(hours=20),
    }
    add("reminder", see(OPENED, ANN), others=[other])
    add("message", see(OPENED, ANN), messages=[("Bob", "Well played!")])
    add("operator", None, reporter="Cleo", code="", text="Bob is rude.")
    timed = running(time="fast")
    gift = timed.execute(give_time(timed.match, BOB, 1, timedelta(hours=5), NOON))
    add("news of a gift", see(timed.match, ANN, events=gift))


def add_refusals_and_questions(samples: Samples) -> None:
    add = samples.add
    refusal = {"code": "place_not_corner", "facts": {"cell": "c3", "cells": ["a1", "a5"]}}
    add("refusal of a move", see(STARTED, ANN), typed="c3", is_move=True, **refusal)
    last = {"typed": "c3", "is_move": True, "silent_until": NOON}
    add("refusal, the last", see(STARTED, ANN), **last, **refusal)
    wrong_turn = {"code": "not_your_turn", "facts": {}}
    add("refusal", see(STARTED, BOB), typed="place e5", is_move=True, **wrong_turn)
    nothing = {"code": "no_command", "facts": {}}
    add("refusal without match", None, typed="", is_move=False, remarks=["Who are you?"], **nothing)

    def ask(question: str, match: MatchView | None = None, **facts: Any) -> None:
        shared = {"question": question, "expires": NOON + timedelta(days=3)}
        add(f"question {question}", match, **{"commands": (), "moves": ()} | shared | facts)

    resigning = [("resign", "give up the game")]
    ask("register", commands=[("new logger with bob@example.net", "invite others to a game")])
    ask("invitation", see(Table(BOB).match, BOB))
    ask("resign", see(OPENED, ANN), commands=resigning)
    ask("confirm", see(OPENED, ANN), commands=resigning, moves=["place a1"], has_text=True)
    ask("move", see(OPENED, ANN), move="b1; plant a1", beside=["or rather\nnot"])
    ask("withdraw", tournament="spring")
    for question in ("delete", "new_address", "add_address", "confirm_address", "remove_address"):
        ask(question, account_address="ann@work.example")


def add_answers(samples: Samples) -> None:
    add = samples.add
    for topic in ("board", "undone", "accepted", "declined", "left"):
        add(f"answer {topic}", see(OPENED, ANN), topic=topic)
    moves = list_moves(OPENED, ANN, NAMES)
    add("answer history", see(OPENED, ANN), topic="history", moves=moves)
    hint = see(OPENED, ANN, typed="b1; plant a1").choices[0]
    add("answer hint", see(OPENED, ANN), topic="hint", hint=hint)
    add("answer other address", see(OPENED, ANN), topic="other_address", player_name="Bob")
    described = {"code": "K7QX2", "title": "Logger", "seats": 2, "names": ["Bob"]}
    add("answer open", None, topic="open", challenges=[described])
    add("answer none open", None, topic="open", challenges=[])
    levels = {"title": "Looney Ludo", "levels": ["easy", "medium"]}
    add("answer bots", None, topic="bots", games=[levels])
    add("answer board waiting", see(OPENED, BOB), topic="board")
    add("answer board scheduled", see(OPENED, ANN, scheduled="b1; plant a1"), topic="board")
    add("answer history empty", see(STARTED, ANN), topic="history")
    groups = [{"title": "Play", "commands": [{"usage": "board", "help": "show the board"}]}]
    add("answer help", see(OPENED, ANN), topic="help", groups=groups)
    add("answer help without match", None, topic="help", groups=groups)
    tried = {"command": "try", "usage": "try MOVE", "help": "see it", "words": ("try", "probier")}
    add("answer help command", None, topic="help_command", details="Now.", **tried)
    add("answer verify", see(OPENED, ANN), topic="verify", faults=[])
    add("answer verify faults", see(OPENED, ANN), topic="verify", faults=["Draw 1: no."])
    add("answer games", None, topic="games", matches=[see(OPENED, ANN), see(Table(BOB).match, ANN)])
    for topic in ("games", "lost"):
        add(f"answer {topic} without games", None, topic=topic, matches=[])
    add("answer lost", None, topic="lost", matches=[see(OPENED, ANN)])
    settings = {"name": "Dora", "language": "de", "timezone": "UTC", "window": "5"}
    settings |= {"digest": "off", "other": "on"}
    add("answer settings", None, topic="settings", settings=settings)
    away = {"until": NOON, "matches": ["Logger K7QX2 vs Bob"]}
    add("answer away", see(OPENED, ANN), topic="away", **away)


def add_standing(samples: Samples) -> None:
    add = samples.add
    own, best = PlayerRating(Rating(1662, 290), 1, 1), PlayerRating(Rating(1812, 75), 40, 1)
    table = {"game": "Logger", "ranked": [("Bob", best)], "own": own}
    add("answer ratings", None, topic="ratings", tables=[table])
    add("answer no ratings", None, topic="ratings", tables=[])
    rated = [("Logger", best)]
    add("answer profile", None, topic="profile", player_name="Bob", since=NOON, ratings=rated)
    row = {
        "name": "spring",
        "group_size": 4,
        "games": 1,
        "time_control": "24/8/48",
        "starts_at": NOON,
    }
    dated = {"row": row, "game": "Logger", "state": "open", "entries": 1, "is_reader_entered": True}
    full = {"row": row | {"name": "autumn", "starts_at": None}, "is_reader_entered": False}
    over = {"row": row | {"name": "winter"}, "state": "over"}
    listed = [dated, dated | full, dated | over]
    add("answer tournaments", None, topic="tournaments", tournaments=listed)
    names = {ANN: "Ann <& Co>", BOB: "Bartholomew the Second"}
    waiting = {"name": "spring", "names": names, "groups": [], "running": 0}
    group = compute_standings([ANN, BOB], [Result(ANN, BOB, 0.5), Result(BOB, ANN, 1.0)])
    running = {"name": "autumn", "names": names, "groups": [group, [*group] * 4], "running": 1}
    add("answer standings", None, topic="standings", standings=[waiting, running])
    won = {"name": "autumn", "names": names, "groups": [group], "running": 0}
    add("answer standings at the end", None, topic="standings", standings=[won])
    for name, topic, facts in (
        ("entered", "entered", {"has_started": False, "starts_at": NOON}),
        ("entered without date", "entered", {"has_started": False, "starts_at": None}),
        ("entered as the last", "entered", {"has_started": True, "starts_at": None}),
        ("withdrawn", "withdrawn", {}),
        ("cancelled", "too_few", {}),
    ):
        known = {"tournament": "spring", "game": "Logger", "entries": 2, "group_size": 3, **facts}
        add(f"tournament {name}", None, topic=topic, **known)


def add_talk_and_account(samples: Samples) -> None:
    add = samples.add
    said = [("Bob", "Good luck!\n\n> and <have> fun")]
    add("message", see(STARTED, BOB), messages=said)
    add("message to the player to move", see(STARTED, ANN), messages=said)
    add("turn with a message", see(OPENED, ANN), messages=said, shown_to=["Bob"])
    add(
        "receipt with a message",
        see(OPENED, ANN, scheduled="b1; plant a1"),
        sends_at=NOON,
        window=timedelta(minutes=5),
        said="Good luck!",
    )
    add("account shown", see(OPENED, ANN), shown_to=["Bob"])
    addresses = {"address": "ann@work.example", "main": "ann@example.org"}
    for change in ("address_added", "address_removed", "deleted"):
        add(f"account {change}", None, change=change, **addresses)
    replaced = "reply_addresses_replaced"
    add(f"account {replaced}", None, change=replaced, dropped_moves=["K7QX2"])
    messages = [{"name": "Bob", "text": "Good luck!", "at": NOON}]
    reporter = {"reporter": "Dora <dora@example.org>", "text": "He is rude."}
    players = ["Dora <dora@example.org>", "Bob <bob@example.net>"]
    add("operator", None, code="K7QX2", players=players, said=messages, **reporter)
    add("alarm", None, faults=[("outbox", "no email is sent"), ("disk_free", "make room")])

    view = see(OPENED, ANN)
    add("answer messages", view, topic="messages", said=messages)
    add("answer no messages", view, topic="messages", said=[])
    for topic in ("mute_added", "mute_removed", "block_added", "block_removed"):
        add(f"answer {topic}", view, topic=topic, other="Bob")
    for topic in ("reported", "stopped", "time"):
        add(f"answer {topic}", view, topic=topic)
    add("answer started", None, topic="started", matches=[view])
    add("answer last", view, topic="board", silent_until=NOON)
    watched = [{"code": "K7QX2", "title": "Logger", "names": ["Dora", "Bob"]}]
    add("answer watched", None, topic="watched", watched=watched)
    add("answer addresses", view, topic="addresses", addresses=["ann@example.org"])
    opening, chapters = summarise("logger")
    facts = {"game": "Logger", "key": "logger", "opening": opening, "chapters": chapters}
    add("answer rules", None, topic="rules", **facts)
    add("answer rule", view, topic="rule", rule=find_rule("LG-2.1"))
    add(
        "answer my data",
        None,
        topic="my_data",
        joined=NOON,
        addresses=["ann@example.org"],
        settings={"name": "Dora"},
        played=[{"id": "K7QX2", "game": "Logger", "status": "ended", "created_at": NOON}],
        own_messages=[{"match": "K7QX2", "sent_at": NOON, "text": "Good luck!"}],
        blocks=[{"name": "Bob", "kind": "mute"}],
        watched=["K7QX2"],
        ratings=[{"game": "Logger", "value": 1662, "matches": 3}],
        tournaments=["spring"],
        changes=[{"at": NOON, "change": "address_added", "address": "ann@work.example"}],
    )


def add_digests(samples: Samples) -> None:
    begun, other = play((ANN, "place a1"), (BOB, "place e5")), play((ANN, "place a1"))
    boards = [
        replace(
            address_email(
                see(match, ANN),
                has_moves=True,
                has_started=False,
                is_one_of_many=True,
                messages=[("Bob", "Nice evening for it.")],
            ),
            tap_address=REPLY_ADDRESS,
        )
        for match in (begun.match, other.match)
    ]
    view = see(begun.match, None)
    watched = {"title": "Logger", "code": "WATCH", "names": ["Dora", "Emil"]}
    lines = [
        {**watched, "moves": view.history, "result": None},
        {**watched, "moves": [], "result": see(play(*FELLING, players=3).match, None).result},
    ]
    samples.add("digest", None, waiting=1, watched=lines)
    kind, email = samples["digest"]
    samples["digest"] = kind, replace(email, boards=tuple(boards))
    samples.add("digest without boards", None, waiting=0, watched=lines)
    facts = {"has_moves": False, "has_started": True, "is_one_of_many": False}
    samples["digest board"] = "digest_board", address_email(see(STARTED, ANN), **facts)


def add_ends(samples: Samples) -> None:
    add = samples.add
    three = play(*FELLING[:9], players=3)
    events = three.execute(resign(three.match, BOB, NOON))
    add("news", see(three.match, CLEO, events=events))
    add("turn after a resignation", see(three.match, ANN, events=events))
    finished = play(*FELLING, players=3).match
    add("end won", see(finished, BOB))
    add("end lost", see(finished, ANN))
    two = play((ANN, "place a1"))
    events = two.execute(resign(two.match, BOB, NOON))
    change = RatingChange(Rating(), Rating(1662.3, 290.3))
    view = replace(see(two.match, ANN, events=events), tournament="spring")
    add("end by resignation", view, rating_change=change)


add_challenges(SAMPLES)
add_turns(SAMPLES)
add_refusals_and_questions(SAMPLES)
add_answers(SAMPLES)
add_standing(SAMPLES)
add_talk_and_account(SAMPLES)
add_ends(SAMPLES)
add_digests(SAMPLES)
