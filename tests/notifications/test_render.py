"""Emails of every kind in every language: shape, taps, words and their translations."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import pbem
from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.games.logger import GAME
from pbem.notifications.render import (
    Renderer,
    Section,
    Tap,
    find_template_folder,
    format_text,
    split_blocks,
)
from pbem.service.registry import command_table
from tests.conversations.programs import read_tap
from tests.conversations.service import StrictRenderer
from tests.match.test_match import ANN, running
from tests.notifications.samples import REPLY_ADDRESS, SAMPLES, address_email, see

RENDERER = StrictRenderer()
TEMPLATES = find_template_folder()
LINK = re.compile(r'class="(?:button-)?link" href="([^"]*)"')
WORD = re.compile(r'class="word" href="([^"]*)"')

every_email = pytest.mark.parametrize(
    ("name", "language"), [(name, language) for name in SAMPLES for language in ("en", "de")]
)


PARTS = {"base", "commands", "layout", "phrases", "rejections", "standing"}


def test_every_kind_has_a_sample() -> None:
    kinds = {path.name.split(".")[0] for path in (TEMPLATES / "email").glob("*.txt.j2")}
    assert {kind for kind, _ in SAMPLES.values()} == kinds - PARTS


@every_email
def test_the_shape_of_an_email(name: str, language: str) -> None:
    kind, view = SAMPLES[name]
    email = RENDERER.render(kind, view, language)
    lines = email.text.splitlines()
    assert 0 < len(email.subject) <= 60
    assert lines[0].strip()
    assert any(line.startswith("=== ") and line.endswith(" ===") for line in lines[1:4])
    assert all(len(line) <= 72 for line in lines)
    assert not any(line.startswith(">") for line in lines)
    assert "\n\n\n" not in email.text
    words = {line.strip(" .,:-\"'").casefold() for line in lines}
    assert not words & {"yes", "ja", "oui", "sí", "si"}  # a quoted line must not be an answer
    assert "Ann &lt;&amp; Co&gt;" in email.html or "Ann" not in email.html
    assert "<script" not in email.html
    assert "prefers-color-scheme: dark" in email.html
    assert email.html.count("<h1") == 1


@every_email
def test_taps_send_what_the_text_offers(name: str, language: str) -> None:
    kind, view = SAMPLES[name]
    email = RENDERER.render(kind, view, language)
    lines = re.sub(r"\n  (?=\S)", " ", email.text)
    offers = re.findall(r'^- [^"]*?(?:: (\S+@\S+))?: "([^"]*)"$', lines, re.MULTILINE)
    links = [html.unescape(link) for link in LINK.findall(email.html)]
    boards = [RENDERER.render("digest_board", board, language) for board in view.boards]
    subjects = {f"Re: {shown.subject}" for shown in (email, *boards)}
    taps = [read_tap(link) for link in links]
    assert [(address, offer) for address, _, offer in taps] == [
        (address or REPLY_ADDRESS, offer) for address, offer in offers
    ]
    assert email.html.count('class="button"') <= 1
    assert {subject for _, subject, _ in taps} <= subjects
    assert not any("+" in link or " " in link for link in links)


@pytest.mark.parametrize(
    ("name", "offers"),
    [
        ("invitation", ["yes", "no"]),
        ("turn first", ["place a1", "place a5", "place e1", "place e5"]),
        ("receipt scheduled", ["undo", "now"]),
        ("receipt played", ["say Our garden is green again."]),
        ("question delete", ["yes"]),
        ("account deleted", []),
        ("answer stopped", ["start"]),
        ("refusal of a move", ["place a1", "place a5", "place e1", "place e5"]),
        ("question register", ["yes"]),
        ("question resign", ["yes"]),
        ("answer open", ["join K7QX2"]),
        ("answer hint", ["b1; plant a1"]),
        ("answer settings", ["set language en", "set digest 18:00", "set other off"]),
        ("answer accepted", ["leave"]),
        ("turn of a lesson", ["place a1"]),
        ("end won", ["rematch", "history", "verify"]),
        ("answer board scheduled", ["undo", "now"]),
        ("answer lost", ["board"]),
        ("answer lost without games", ["learn logger", "new logger with bot", "bots", "help"]),
        ("offer", ["yes", "no", "place a5", "place e1", "place e5"]),
        ("reminder", ["a2; plant a3", "b1; plant b2", "c1; plant b1", "a3; plant a2", "board"]),
    ],
)
def test_what_an_email_offers(name: str, offers: list[str]) -> None:
    email = RENDERER.render(*SAMPLES[name], "en")
    taps = [read_tap(html.unescape(link))[2] for link in LINK.findall(email.html)]
    assert taps == offers


@pytest.mark.parametrize(
    ("name", "language", "facts"),
    [
        ("turn", "en", ["Your turn", "place e5", "|  A  |", "K7QX2"]),
        ("turn", "de", ["Du bist am Zug", "setze e5"]),
        ("end lost", "en", ["Bob won", "11 points", "stay; e3>e2; chop b3"]),
        ("end by resignation", "en", ["You won", "Bob resigned"]),
        ("refusal of a move", "en", ['"c3"', "corner", "a1 a5"]),
        ("refusal", "en", ["It's Ann"]),
        ("challenge declined", "en", ["Cleo declined"]),
        ("receipt played", "en", ["hasn't been sent to Bob", "Our garden is green again."]),
        ("refusal without match", "en", ["We didn't use this", "Who are you?"]),
        ("answer settings", "en", ["5 minutes", "set window 10"]),
        ("offer", "en", ["would like to take back", "place a1"]),
        ("question register", "en", ["new logger with bob@example.net"]),
        ("question add_address", "en", ["ann@work.example"]),
        ("question move", "en", ["b1; plant a1", "or rather not"]),
        ("turn with a message", "en", ["Bob says:", "and <have> fun", "|  A  |"]),
        ("message to the player to move", "en", ["Good luck!", "|  i  |"]),
        ("operator", "en", ["K7QX2", "He is rude.", "bob@example.net", "Good luck!"]),
        ("answer rules", "en", ["LG-2.1", "LG-1.1"]),
        ("answer rule", "en", ["Move, Grow, Act"]),
        (
            "answer my data",
            "en",
            ["ann@work.example", "Logger K7QX2", "Bob: no messages", "1662", "spring"],
        ),
    ],
)
def test_what_an_email_says(name: str, language: str, facts: list[str]) -> None:
    email = RENDERER.render(*SAMPLES[name], language)
    for fact in facts:
        assert fact in email.text
        assert fact in html.unescape(email.html)


@every_email
def test_commands_in_a_row_are_commands(name: str, language: str) -> None:
    kind, view = SAMPLES[name]
    links = WORD.findall(RENDERER.render(kind, view, language).html)
    for address, _, command in (read_tap(html.unescape(link)) for link in links):
        assert address == REPLY_ADDRESS
        # In a digest there is a link that begins a move of the reader's own.
        assert (
            (kind == "digest" and not command)
            or command_table().find(command)
            or command_table().find(command.split()[0])
        )
    is_asked = kind in ("question", "invitation", "operator")
    assert bool(links) != (is_asked or name == "account deleted")


def test_times_are_those_of_the_reader() -> None:
    kind, view = SAMPLES["turn"]
    berlin = replace(view, timezone=ZoneInfo("Europe/Berlin"))
    assert "Tuesday 1 December, 12:00 UTC" in RENDERER.render(kind, view, "en").text
    assert "Tuesday 1 December, 13:00 CET" in RENDERER.render(kind, berlin, "en").text


def test_an_unknown_language_reads_english() -> None:
    assert RENDERER.render(*SAMPLES["turn"], "xx") == RENDERER.render(*SAMPLES["turn"], "en")
    assert RENDERER.languages == ("en", "de")


@pytest.mark.parametrize("words", ["{{ nothing.there }}", "{% if %}", "{{ 1 / 0 }}"])
def test_a_broken_template_costs_no_email(words: str, tmp_path: Path) -> None:
    (tmp_path / "email").mkdir()
    (tmp_path / "email" / "turn.txt.j2").write_text(
        f"{{% block headline %}}{words}{{% endblock %}}"
    )
    kind, view = SAMPLES["turn"]
    assert view.match is not None
    email = Renderer([tmp_path]).render(kind, view, "en")
    assert view.match.code in email.subject
    assert "\n".join(view.match.board) in email.text
    assert f"Last move: {view.match.history[-1].notation}" in email.text


def test_a_template_of_the_operator_comes_first(tmp_path: Path) -> None:
    (tmp_path / "email").mkdir()
    (tmp_path / "email" / "welcome.txt.j2").write_text(
        '{% extends "email/layout.txt.j2" %}'
        "{% block subject %}Hi{% endblock %}{% block headline %}Hi{% endblock %}"
    )
    assert Renderer([tmp_path]).render(*SAMPLES["welcome"], "en").subject == "Hi"


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("a\n\n\n\nb\n\n", "a\n\nb\n"),
        ("> quoted", " > quoted\n"),
        ("- " + "word " * 20, "- " + "word " * 13 + "word\n  " + "word " * 5 + "word\n"),
        ("x" * 80, "x" * 80 + "\n"),
        ("x" * 70 + " 7\N{NO-BREAK SPACE}S", "x" * 70 + "\n7 S\n"),
    ],
)
def test_text_is_wrapped(text: str, formatted: str) -> None:
    assert format_text(text) == formatted


def test_html_is_made_of_blocks_with_links_at_their_lines() -> None:
    go, stay = Tap("Go", "mailto:1", is_button=True), Tap("Stay", "mailto:2", is_button=False)
    table = "1. Ann   10 points\n2. Bob B  9 points\n"
    text = f'{table}One\nTwo\n\n  said\n- Go: "go"\n- Stay:\n  "stay"\n- first\n- second'
    blocks = split_blocks(text, {'- Go: "go"': go, '- Stay:\n  "stay"': stay})
    assert [(block.kind, block.lines) for block in blocks] == [
        ("table", (("1.", "Ann", "10 points"), ("2.", "Bob B", "9 points"))),
        ("text", ("One", "Two")),
        ("quote", ("said",)),
        ("taps", (go, stay)),
        ("list", ("first", "second")),
    ]


# --- rejections ----------------------------------------------------------------------------------

PLACE = "loggers e1, -; c3=1"
OPENED = "loggers e3, a3; b3=1 c3=3 d3=2"
GUARDED = "loggers e3, a3; c3=1 d3=3* e4=3*; hands 1, 1"
SHORT = "loggers c1, e5; a1=3 e1=3; hands 2, 2; tree_limit 3"
FULL = "loggers c1, e5; a1=1 e3=1; hands 2, 2; tree_limit 2"
OVER = "loggers e3, a3; c3=1; over points; scores 10, 3"

REFUSED = [
    (OVER, "stay plant e2", "game_over"),
    (OPENED, " ,.\n", "order_empty"),
    (OPENED, "stay dance d3", "unreadable"),
    (OPENED, "f2 plant e2", "bad_cell"),
    (OPENED, "d3-e2 plant e3", "wrong_start"),
    (PLACE, "e1-a1", "wrong_start"),
    (OPENED, "e2 e4 plant e3", "two_moves"),
    (OPENED, "plant e2 chop d3", "two_actions"),
    (PLACE, "stay plant a1", "must_place"),
    (PLACE, "place b2", "place_not_corner"),
    (PLACE, "e1", "place_occupied"),
    (OPENED, "place a1", "already_placed"),
    (OPENED, "stay", "action_missing"),
    (OPENED, "a1", "action_missing"),
    (OPENED, "chop", "target_missing"),
    (OPENED, "plant e2 e4", "one_target"),
    (OPENED, "a1 plant a2", "move_unreachable"),
    (OPENED, "c3>c2 c3>c4 chop d3", "spawn_tree_twice"),
    (OPENED, "b3>c4 c3>c4 chop d3", "spawn_cell_twice"),
    (OPENED, "b3>b4 chop d3", "spawn_wrong_tree"),
    (OPENED, "c3>e1 chop d3", "spawn_not_adjacent"),
    (OPENED, "c3>b3 chop d3", "spawn_cell_occupied"),
    (SHORT, "a1>a2 e1>e2 protest a1", "spawn_no_pieces"),
    (OPENED, "chop d3", "spawn_missing"),
    (OPENED, "plant a1", "plant_not_adjacent"),
    (OPENED, "plant d3", "plant_occupied"),
    (FULL, "plant c2", "plant_no_pieces"),
    (OPENED, "chop c3", "chop_not_adjacent"),
    (OPENED, "chop e2", "chop_no_tree"),
    ("loggers c2, e5; c3=1", "chop c3", "chop_not_mature"),
    (GUARDED, "d3>d2 e4>d4 chop d3", "chop_protested"),
    (OPENED, "protest", "protest_empty"),
    (OPENED, "protest d3 d3", "protest_twice"),
    (GUARDED, "d3>d2 e4>d4 protest d3", "protest_twice"),
    (OPENED, "protest b3 c3 d3", "protest_supply"),
    (OPENED, "protest b3", "protest_not_mature"),
    (OPENED, "protest e2", "protest_not_mature"),
    (OPENED, "protest a3", "protest_not_mature"),
    (OPENED, "pass", "must_act"),
]


WITHOUT_HERE = ("chop_no_tree", "chop_not_mature", "chop_protested", "plant_occupied")


def refuse(code: str, facts: Mapping[str, Any], language: str) -> str:
    view = address_email(see(running().match, ANN), typed="?", is_move=True, code=code, facts=facts)
    return RENDERER.render("refusal", view, language).text


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("position", "typed", "code"), REFUSED)
def test_every_refused_move_has_words(position: str, typed: str, code: str, language: str) -> None:
    loaded = GAME.load(position)
    with pytest.raises(Rejection) as refused:
        GAME.play(loaded, GAME.parse(typed, loaded, Seat(1)))
    assert refused.value.code == code
    text = refuse(code, refused.value.facts, language)
    assert text != refuse("unknown", {}, language)
    for key in ("cell", "here", "word", "tree"):
        fact = refused.value.facts.get(key)
        if isinstance(fact, str) and not (key == "here" and code in WITHOUT_HERE):
            assert fact in text


def find_codes(*folders: str) -> set[str]:
    """Return the codes of rejections in the source of packages."""
    root = Path(pbem.__file__).parent
    source = "".join(
        path.read_text() for folder in folders for path in sorted((root / folder).glob("*.py"))
    )
    found = re.findall(
        r'(?:Rejection|_fault)\(\s*"(\w+)"|code = "(\w+)"|Status\.\w+: "(\w+)"', source
    )
    return {code for groups in found for code in groups if code}


def test_every_code_of_logger_is_in_the_table() -> None:
    # Nobody writes positions in an email.
    assert {code for _, _, code in REFUSED} == find_codes("games/logger") - {"bad_position"}


def test_every_code_of_a_match_has_words() -> None:
    blocks = set(
        re.findall(r"{% block (\w+)", (TEMPLATES / "email" / "rejections.txt.j2").read_text())
    )
    assert (
        find_codes("match", "service", "service/handlers")
        | {"bad_option", "no_such_game", "unknown"}
        <= blocks
    )


STRANGERS = {"most": 10, "shown": "", "until": "2026-11-21T12:00:00+00:00"}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("code", "facts", "fact"),
    [
        ("bad_option", {"name": "starter", "value": "me", "values": ["random"]}, "random"),
        ("bad_option", {"name": "stater", "value": "me", "names": ["starter"]}, "starter"),
        ("bad_time", {"typed": "soon", "presets": ["slow", "none"]}, "slow, none"),
        (
            "player_limit",
            {"name": "Cleo", "most": 20, "until": "2026-11-21T12:00:00+00:00"},
            "Cleo",
        ),
        ("stranger_limit", STRANGERS | {"limit": "mailbox", "shown": "d@a.example"}, "d@a.example"),
        ("stranger_limit", STRANGERS | {"limit": "domain", "shown": "a.example"}, "a.example"),
        ("stranger_limit", STRANGERS | {"limit": "inviter"}, "10"),
        ("stranger_limit", STRANGERS | {"limit": "strangers"}, "12:00"),
        ("too_many_emails", {"most": 120, "until": "2026-11-21T12:00:00+00:00"}, "12:00"),
        ("no_such_game", {"game": "loger", "games": ["Logger"], "near": ["Logger"]}, "loger"),
        ("no_such_game", {"game": "go", "games": ["Logger"], "near": []}, "Logger"),
        ("several_moves", {"moves": ["place a1", "place a5"]}, "a5"),
        ("wrong_number_of_players", {"game": "Logger", "players": 5, "seats": [2, 3, 4]}, "4"),
        ("code_of_a_plugin", {}, "|"),
    ],
)
def test_rejections_say_what_is_possible(
    code: str, facts: Mapping[str, Any], fact: str, language: str
) -> None:
    assert fact in refuse(code, facts, language)


# --- translations --------------------------------------------------------------------------------


def extract_messages(folder: Path) -> set[str | tuple[str, ...]]:
    extracted = extract_from_dir(
        folder,
        [
            (f"{name}/**.j2", "jinja2.ext:babel_extract")
            for name in ("demo", "email", "games", "pages")
        ],
        {"**": {"trim_blocks": "true", "lstrip_blocks": "true"}},
    )
    return {message for _, _, message, _, _ in extracted}


def extract_help() -> set[str | tuple[str, ...]]:
    folder = Path(pbem.__file__).parent / "service"
    extracted = extract_from_dir(folder, [("handlers/**.py", "python"), ("registry.py", "python")])
    return {message for _, _, message, _, _ in extracted}


def find_variables(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)s", text))


@pytest.mark.parametrize(
    ("folder", "others"),
    [
        (TEMPLATES, extract_help()),
        (TEMPLATES.parent / "packages/pbem-chess/pbem_chess/templates", set()),
    ],
)
def test_the_german_catalogue_is_complete(folder: Path, others: set[str | tuple[str, ...]]) -> None:
    path = folder / "locale" / "de" / "LC_MESSAGES" / "pbem.po"
    with path.open("rb") as file:
        catalogue = read_po(file, locale="de", abort_invalid=True)
    translated = {}
    for message in catalogue:
        if message.id:
            key = tuple(message.id) if isinstance(message.id, (list, tuple)) else message.id
            string = message.string
            translated[key] = [string] if isinstance(string, str) else [*(string or ())]
    assert translated.keys() == extract_messages(folder) | others
    for key, strings in translated.items():
        sources = (key,) if isinstance(key, str) else key
        for source, string in zip(sources, strings, strict=True):
            assert string
            assert find_variables(string) == find_variables(source), key


@pytest.mark.parametrize("name", [name for name in SAMPLES if name.startswith("answer")])
def test_an_answer_can_stand_below_another(name: str) -> None:
    kind, view = SAMPLES[name]
    headline = RENDERER.render(kind, view, "en").text.splitlines()[0]
    facts = {"topic": "help", "groups": []}
    both = RENDERER.render(
        kind, replace(view, facts=facts, also=(Section(kind, view.facts),)), "en"
    )
    assert headline in both.text.splitlines()[1:]


def test_spans_of_time_are_in_words() -> None:
    kind, view = SAMPLES["turn"]
    assert view.match is not None
    for span, words in (
        (timedelta(days=1, hours=1), "1 day 1 hour left"),
        (timedelta(days=9, hours=23, minutes=59), "10 days left"),
        (timedelta(hours=23, minutes=59), "23 hours 59 minutes left"),
        (timedelta(minutes=1), "1 minute left"),
        (timedelta(seconds=59), "less than a minute left"),
    ):
        deadline = datetime(2026, 12, 1, tzinfo=UTC)
        clock = replace(view.match.clocks[0], left=span, deadline=deadline)
        match = replace(view.match, clocks=(clock,))
        assert words in RENDERER.render(kind, replace(view, match=match), "en").text
