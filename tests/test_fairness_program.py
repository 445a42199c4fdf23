"""The program at the end of docs/fairness.md: what it finds right, and what it finds wrong."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.fairness import (
    LINKS,
    PROTOCOL,
    Draws,
    commitment,
    letter_digest,
    moves_digest,
    start_digest,
)
from pbem.games.chance import parse_draw
from pbem.games.game import Ply, Seat
from pbem.legacy.matches.challenges import ChallengeIssued
from pbem.legacy.matches.events import ChanceDrawn, Event, MatchStarted, MovePlayed
from pbem.legacy.matches.seats import SeatGivenUp, SeatTaken, accept
from pbem.legacy.store.codec import canonical, encode, instant_text
from pbem.names import MatchId, PlayerId
from tests.fairness_page import check_draws
from tests.legacy.events.accept import EVENTS
from tests.legacy.matches.story import Story, challenge
from tests.legacy.matches.tiny import registered

SECRET = bytes(range(32))
MATCH = MatchId("K7QX2")


def recorded(events: Sequence[tuple[str, Event]]) -> list[dict[str, Any]]:
    """Event lines of a record, by (cause, event); only what the program reads is right in them."""
    return [
        {
            "event_id": str(number),
            "stream": f"match-{MATCH}",
            "type": encode(event).type,
            "data": json.loads(encode(event).data),
            "meta": {"caused_by": cause},
            "recorded_at": instant_text(datetime(2026, 1, 1, tzinfo=UTC)),
        }
        for number, (cause, event) in enumerate(events)
    ]


LETTER, ANSWER = letter_digest("<1@example.org>", "Sun"), letter_digest("<2@example.org>", "Mon")


def a_match(words: str = "", letter: str = LETTER, moved: str = ANSWER) -> list[tuple[str, Event]]:
    """With a plain `accept`, each letter with a digest, unless it is said otherwise."""
    ann, bob = PlayerId("ann"), PlayerId("bob")
    draws = Draws(MATCH, SECRET, LINKS)

    def draw(text: str, ply: int, digest: str) -> ChanceDrawn:
        nonlocal draws
        proof, draws = draws.draw(parse_draw(text), digest)
        return ChanceDrawn(
            ply=Ply(ply),
            index=proof.index,
            link=proof.link,
            digest=proof.digest,
            asked=proof.asked,
            values=proof.values,
        )

    def move(seat: int, ply: int, text: str, *, forced: bool = False) -> MovePlayed:
        brought = "" if forced else moved
        return MovePlayed(
            seat=Seat(seat), ply=Ply(ply), notation=text, forced=forced, letter=brought
        )

    start = start_digest([("ann", "", ""), ("bob", words, letter)])
    nothing = moves_digest([], start)
    after_two = moves_digest([(1, 1, "a", moved), (2, 2, "pass", "")], start)
    issued = ChallengeIssued(
        ruleset="logger-1",
        options={},
        challenger=ann,
        players=(ann, bob),
        seats_drawn=True,
        commitment=commitment(SECRET, LINKS).hex(),
        links=LINKS,
        protocol=PROTOCOL,
    )
    return [
        ("k1", issued),
        ("k2", SeatTaken(player=bob, words=words, letter=letter)),
        ("k2", draw("seats: order of 2", 0, start)),
        ("k2", MatchStarted(ruleset="logger-1", options={}, players=(bob, ann))),
        ("k2", draw("layout: order of 300, one of 24", 0, start)),
        ("k3", move(1, 1, "a")),
        ("k3", draw("dice: 1d6", 1, nothing)),
        ("k3", move(2, 2, "pass", forced=True)),
        ("k3", draw("dice: 1d6", 2, nothing)),
        ("k4", move(1, 3, "b")),
        ("k4", draw("dice: 2d20", 3, after_two)),
    ]


@pytest.mark.parametrize(
    "letters", [{}, {"words": "Glück auf\n"}, {"words": "Glück auf\n", "letter": "", "moved": ""}]
)
def test_the_program_of_the_page_finds_an_honest_record_right(
    tmp_path: Path, letters: dict[str, str]
) -> None:
    header = {"format": 1, "stream": f"match-{MATCH}", "category": "match"}
    ran = check_draws(tmp_path, map(canonical, [header, *recorded(a_match(**letters))]))
    assert ran == (0, "5 draws, all as they must be")


@pytest.mark.parametrize("protocol", [0, 1, 3])
def test_the_program_knows_no_other_protocol(tmp_path: Path, protocol: int) -> None:
    lines = recorded(a_match())
    lines[0]["data"]["protocol"] = protocol
    code, said = check_draws(tmp_path, map(canonical, lines))
    assert code == 1
    assert "does not know the protocol" in said


def test_the_program_leaves_out_who_has_given_a_seat_back(tmp_path: Path) -> None:
    lines = recorded(a_match())
    cleo = PlayerId("cleo")
    lines[1:1] = recorded(
        [("k9", SeatTaken(player=cleo, words="x")), ("k8", SeatGivenUp(player=cleo))]
    )
    assert check_draws(tmp_path, map(canonical, lines)) == (0, "5 draws, all as they must be")


def mail_file(folder: Path, name: str, message_id: str, date: str) -> Path:
    path = folder / name
    text = f"From: bob@example.net\nMessage-ID:\n {message_id}\nDate:  {date}\n\naccept\n"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_program_says_what_a_mail_that_was_sent_has_brought(tmp_path: Path) -> None:
    known = mail_file(tmp_path, "known.eml", "<1@example.org>", "Sun")
    code, said = check_draws(tmp_path, map(canonical, recorded(a_match())), known)
    assert (code, said.splitlines()) == (
        0,
        [f"{known}: SeatTaken", "5 draws, all as they must be"],
    )
    for unknown in [
        mail_file(tmp_path, "id.eml", "<3@example.org>", "Sun"),
        mail_file(tmp_path, "date.eml", "<1@example.org>", "Tue"),
    ]:
        code, said = check_draws(tmp_path, map(canonical, recorded(a_match())), known, unknown)
        assert code == 1
        assert f"{unknown}: the record does not know it" in said


@pytest.mark.parametrize(
    ("number", "field", "value", "words"),
    [
        (8, "values", [7], "draw 4 (dice: 1d6) says [7], not"),
        (8, "link", "00" * 32, "draw 4: its link is not of the chain"),
        (8, "index", 9, "draw 4 says that it is draw 9"),
        (8, "digest", moves_digest([(1, 1, "a", "")], ""), "draw 4 is not bound to"),
        (0, "commitment", "00" * 32, "draw 1: its link is not of the chain"),
        (1, "words", "Glück auf", "draw 1 is not bound to"),
        (1, "letter", ANSWER, "draw 3 is not bound to"),
        (1, "letter", "", "draw 1 is not bound to"),
        (5, "letter", LETTER, "draw 5 is not bound to"),
        (5, "notation", "c", "draw 5 is not bound to"),
    ],
)
def test_the_program_of_the_page_finds_what_was_changed(
    tmp_path: Path, number: int, field: str, value: Any, words: str
) -> None:
    lines = recorded(a_match())
    lines[number]["data"][field] = value
    code, said = check_draws(tmp_path, map(canonical, lines))
    assert code == 1
    assert words in said


# --- the program, on records of whole matches ----------------------------------------------------

STONES = (EVENTS / "samples" / "logan_stones-1.jsonl").read_text(encoding="utf-8").splitlines()


def test_the_program_checks_what_was_opened_after_the_end(tmp_path: Path) -> None:
    assert check_draws(tmp_path, STONES) == (0, "2 draws, all as they must be")
    running = [line for line in STONES if '"event_id"' in line][:20]
    said = "1 draws, all as they must be; 1 secret, to be checked after the end"
    assert check_draws(tmp_path, running) == (0, said)


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("ChanceRevealed", {"values": [0] * 36}, "secret draw 1 is not what was sealed"),
        (
            "ChanceRevealed",
            {"values": [0] * 36},
            "secret draw 1 (deal: order of 18, 18d2) says [0,",
        ),
        ("ChanceRevealed", {"link": "00" * 32}, "its link is not of the chain"),
        ("ChanceSealed", {"sealed": "00" * 32}, "secret draw 1 is not what was sealed"),
        ("ChanceSealed", {"digest": "00" * 32}, "secret draw 1 is not bound to"),
        ("ChallengeIssued", {"secret_commitment": "00" * 32}, "secret draw 1: its link is not"),
        ("SeatTaken", {"words": "other"}, "secret draw 1 is not bound to"),
    ],
)
def test_the_program_finds_what_was_changed_in_secret(
    tmp_path: Path, kind: str, change: dict[str, Any], words: str
) -> None:
    lines = [json.loads(line) for line in STONES]
    for line in lines:
        if line.get("type") == kind:
            line["data"].update(change)
    code, said = check_draws(tmp_path, map(canonical, lines))
    assert code == 1
    assert words in said


def test_the_program_finds_a_deal_that_stays_closed(tmp_path: Path) -> None:
    lines = [line for line in STONES if '"ChanceRevealed"' not in line]
    assert check_draws(tmp_path, lines) == (
        1,
        "the match has ended, and not every secret draw was opened",
    )


def crossing() -> list[dict[str, Any]]:
    """The events of a match whose first chain has 12 links, into the second chain."""
    with registered():
        story = Story(ahead=10)
        issued = challenge(PlayerId("ann"), PlayerId("bob"), ruleset="tiny-1")
        story.when(partial(issued, commitment=commitment(SECRET, 12).hex(), links=12))
        story.when(partial(accept, player=PlayerId("bob")))
        while len(story.match.chance.draws) < 16:
            asked = story.match.course.position.phase == "choose"
            story.play("keep" if asked else "roll")
    return recorded([(one.cause, one.event) for one in story.stream])


def test_the_program_follows_from_chain_to_chain(tmp_path: Path) -> None:
    code, said = check_draws(tmp_path, map(canonical, crossing()))
    assert (code, said[3:]) == (0, "draws, all as they must be")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"commitment": "00" * 32}, "draw 13: its link is not of the chain"),
        ({"first": 14}, "a chain is said to begin with draw 14"),
        ({"links": 1}, "draw 14 is of no chain"),
    ],
)
def test_the_program_finds_another_chain(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    lines = crossing()
    for line in lines:
        if line["type"] == "ChanceCommitted":
            line["data"].update(change)
    code, said = check_draws(tmp_path, map(canonical, lines))
    assert code == 1
    assert words in said


def test_the_program_finds_a_chain_that_came_too_late(tmp_path: Path) -> None:
    lines = crossing()
    (at,) = [n for n, line in enumerate(lines) if line["type"] == "ChanceCommitted"]
    first = next(n for n, line in enumerate(lines) if line["data"].get("index") == 13)
    committed = lines.pop(at)
    committed["meta"] = lines[first - 1]["meta"]
    lines.insert(first - 1, committed)
    code, said = check_draws(tmp_path, map(canonical, lines))
    assert code == 1
    assert "draw 13: its chain was committed to too late" in said
