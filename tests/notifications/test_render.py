"""Emails of every kind in every language: shape, taps, words and their translations."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import pbem
from pbem.files import find_shipped
from pbem.notifications.email_views import Section
from pbem.notifications.layout import Offer, Tap, format_text, split_blocks
from pbem.notifications.renderer import Renderer
from pbem.notifications.rendering import RenderedEmail
from pbem.service.registry import command_table
from tests.conversations.programs import read_tap
from tests.conversations.service import StrictRenderer
from tests.match.test_match import ANN, running
from tests.notifications.english import find_english
from tests.notifications.samples import REPLY_ADDRESS, SAMPLES, address_email, see

RENDERER = StrictRenderer()
TEMPLATES = find_shipped("templates", "templates")
LINK = re.compile(r'class="(?:button-)?link" href="([^"]*)"')
WORD = re.compile(r'class="word" href="([^"]*)"')

PARTS = {"base", "commands", "layout", "phrases", "rejections", "standing"}
YES = {"yes", "ja", "oui", "sí", "si"}

in_each_language = pytest.mark.parametrize("language", ["en", "de"])


@cache
def render_samples(language: str) -> dict[str, RenderedEmail]:
    return {name: RENDERER.render(*sample, language) for name, sample in SAMPLES.items()}


def test_every_kind_has_a_sample() -> None:
    kinds = {path.name.split(".")[0] for path in (TEMPLATES / "email").glob("*.txt.j2")}
    assert {kind for kind, _ in SAMPLES.values()} == kinds - PARTS


@in_each_language
def test_the_shape_of_emails(language: str) -> None:
    for name, email in render_samples(language).items():
        lines = email.text.splitlines()
        assert 0 < len(email.subject) <= 60, name
        assert lines[0].strip(), name
        assert any(line.startswith("=== ") and line.endswith(" ===") for line in lines[1:4]), name
        assert all(len(line) <= 72 for line in lines), name
        assert not any(line.startswith(">") for line in lines), name
        assert "\n\n\n" not in email.text, name
        # A quoted line must not be an answer.
        assert not {line.strip(" .,:-\"'").casefold() for line in lines} & YES, name
        assert "Ann &lt;&amp; Co&gt;" in email.html or "Ann" not in email.html, name
        assert "<have>" not in email.html, name  # of a message
        assert "<script" not in email.html, name
        assert "prefers-color-scheme: dark" in email.html, name
        assert email.html.count("<h1") == 1, name


@in_each_language
def test_taps_send_what_the_text_offers(language: str) -> None:
    for name, email in render_samples(language).items():
        _, view = SAMPLES[name]
        lines = re.sub(r"\n  (?=\S)", " ", email.text)
        offers = re.findall(
            r'^- [^"]*?(?:: (\S+@\S+))?: (?:reply |antworte mit )?"([^"]*)"$', lines, re.MULTILINE
        )
        links = [html.unescape(link) for link in LINK.findall(email.html)]
        boards = [RENDERER.render("digest_board", board, language) for board in view.boards]
        subjects = {f"Re: {shown.subject}" for shown in (email, *boards)}
        taps = [read_tap(link) for link in links]
        assert [(address, offer) for address, _, offer in taps] == [
            (address or REPLY_ADDRESS, offer.removesuffix("...")) for address, offer in offers
        ], name
        assert email.html.count('class="button"') <= 1, name
        assert {subject for _, subject, _ in taps} <= subjects, name
        assert not any("+" in link or " " in link for link in links), name


def test_taps_have_the_address_that_names_the_version() -> None:
    address = "games+k7qx2.1.7.abc@pbem.example"
    view = replace(SAMPLES["turn"][1], tap_address=address)
    email = RENDERER.render("turn", view, "en")
    links = [html.unescape(link) for link in LINK.findall(email.html) + WORD.findall(email.html)]
    assert {read_tap(link)[0] for link in links} == {address}


TAPS_OF_TURN = ["a2; plant a3", "b1; plant b2", "c1; plant b1", "a3; plant a2"]


@pytest.mark.parametrize(
    ("name", "offers"),
    [
        ("receipt played", ["say Our garden is green again."]),
        ("account deleted", []),
        ("answer settings", ["set language en", "set digest 18:00", "set other off"]),
        ("answer history", ["board 1"]),
        ("turn of a lesson", ["place a1"]),
        ("end won", ["rematch", "history", "verify"]),
        ("answer board scheduled", ["undo", "now"]),
        ("answer lost", ["board K7QX2"]),
        ("offer", ["yes", "no", "place a5", "place e1", "place e5"]),
        ("reminder", [*TAPS_OF_TURN, "away 3", "board R4M9T"]),
    ],
)
def test_what_an_email_offers(name: str, offers: list[str]) -> None:
    email = render_samples("en")[name]
    taps = [read_tap(html.unescape(link))[2] for link in LINK.findall(email.html)]
    assert taps == offers


ENGLISH_TEXTS = {
    "answer rule",  # rules are in English
    "answer rules",
    "digest",  # has moves that the service translates
    "digest without boards",
    "question move",  # has what the player wrote, as the next two
    "receipt played",
    "refusal",
}


@pytest.mark.parametrize("name", sorted({*SAMPLES} - ENGLISH_TEXTS))
def test_a_german_email_has_no_english_words_of_moves_and_settings(name: str) -> None:
    email = render_samples("de")[name]
    assert find_english(f"{email.subject}\n{email.text}") == []


def test_a_command_of_two_words_is_translated_as_a_whole() -> None:
    email = RENDERER.render(*SAMPLES["account address_removed"], "de")
    links = [html.unescape(link) for link in LINK.findall(email.html)]
    assert [offer for _, _, offer in map(read_tap, links)] == ["neue adresse"]


@pytest.mark.parametrize(
    ("name", "language", "facts"),
    [
        ("turn", "en", ["Your turn", "Bob placed their logger on e5", "|  A  |", "K7QX2"]),
        ("turn", "de", ["Du bist am Zug", "a2; pflanze a3"]),
        ("receipt played", "en", ["send this to Bob", "Our garden is green again."]),
        ("refusal without match", "en", ["We didn't use this", "Who are you?"]),
        ("offer", "en", ["placed their logger on a1", "Tuesday 1 December, 12:00 UTC"]),
        ("question add_address", "en", ["ann@work.example"]),
        ("question move", "en", ["b1; plant a1", "or rather not"]),
        ("message to the player to move", "en", ["Good luck!", "|  i  |"]),
        ("operator", "en", ["K7QX2", "He is rude.", "bob@example.net", "Good luck!"]),
        (
            "answer my data",
            "en",
            ["ann@work.example", "Logger K7QX2", "Bob: no messages", "1662", "spring"],
        ),
    ],
)
def test_what_an_email_says(name: str, language: str, facts: list[str]) -> None:
    email = render_samples(language)[name]
    for fact in facts:
        assert fact in email.text
        assert fact in html.unescape(email.html)


@in_each_language
def test_the_html_describes_moves_without_their_notation(language: str) -> None:
    email = render_samples(language)["turn"]
    notation = {"en": "place e5", "de": "setze e5"}[language]
    assert notation in email.text
    assert notation not in email.html


@in_each_language
def test_commands_in_a_row_are_commands(language: str) -> None:
    find = command_table().find
    for name, email in render_samples(language).items():
        kind, _ = SAMPLES[name]
        links = WORD.findall(email.html)
        for address, _, command in (read_tap(html.unescape(link)) for link in links):
            assert address == REPLY_ADDRESS, name
            assert find(command) or find(command.split()[0]), name
        is_asked = kind in ("question", "invitation", "operator")
        assert bool(links) != (is_asked or name == "account deleted"), name


@pytest.mark.parametrize(
    ("opponents", "shown"),
    [
        (("Bob", "Cleo"), "vs Bob, Cleo"),
        (("Bob", "Cleo", "Dora", "Emil"), "vs Bob +3"),
        (("Bartholomew of York",), "vs Bartholomew of\N{HORIZONTAL ELLIPSIS}"),
    ],
)
def test_a_subject_has_the_names_that_fit(opponents: tuple[str, ...], shown: str) -> None:
    kind, view = SAMPLES["turn"]
    assert view.match is not None
    among = replace(view, match=replace(view.match, opponents=opponents))
    assert RENDERER.render(kind, among, "en").subject.endswith(shown)


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
    renderer = Renderer([tmp_path])
    email = renderer.render(kind, view, "en")
    assert view.match.code in email.subject
    assert "\n".join(view.match.board) in email.text
    assert f"Last move: {view.match.history[-1].notation}" in email.text
    assert "Last move" not in renderer.render(*SAMPLES["turn first"], "en").text


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
        ("  " + "word " * 20, "  " + "word " * 13 + "word\n  " + "word " * 5 + "word\n"),
        ("x" * 64 + " well-known", "x" * 64 + "\nwell-known\n"),
        ("x" * 60 + " https://a-long.example/a-b-c", "x" * 60 + "\nhttps://a-long.example/a-b-c\n"),
        ("x" * 80, "x" * 80 + "\n"),
        ("x" * 70 + " 7\N{NO-BREAK SPACE}S", "x" * 70 + "\n7 S\n"),
    ],
)
def test_text_is_wrapped(text: str, formatted: str) -> None:
    assert format_text(text) == formatted


def test_a_reply_that_the_reader_completes_ends_in_dots() -> None:
    replies = [Offer(reply, "Say", is_button=False).quoted for reply in ("say ", "yes")]
    assert replies == ['"say ..."', '"yes"']


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


def refuse(code: str, facts: Mapping[str, Any], language: str) -> str:
    view = address_email(see(running().match, ANN), typed="?", is_move=True, code=code, facts=facts)
    return RENDERER.render("refusal", view, language).text


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


def test_every_code_of_a_match_has_words() -> None:
    template = (TEMPLATES / "email" / "rejections.txt.j2").read_text()
    blocks = set(re.findall(r"{% block (\w+)", template))
    others = {"bad_option", "no_such_game", "unknown"}
    assert find_codes("match", "service", "service/handlers") | others <= blocks


NOON = "2026-11-21T12:00:00+00:00"
STRANGERS = {"most": 10, "shown": "", "until": NOON}


@pytest.mark.parametrize(
    ("code", "facts", "fact"),
    [
        ("bad_option", {"name": "starter", "value": "me", "values": ["random"]}, "random"),
        ("bad_option", {"name": "stater", "value": "me", "names": ["starter"]}, "starter"),
        ("bad_time", {"typed": "soon", "presets": ["slow", "none"]}, "slow, none"),
        ("player_limit", {"name": "Cleo", "most": 20, "until": NOON}, "Cleo"),
        ("stranger_limit", STRANGERS | {"limit": "mailbox", "shown": "d@a.example"}, "d@a.example"),
        ("stranger_limit", STRANGERS | {"limit": "domain", "shown": "a.example"}, "a.example"),
        ("stranger_limit", STRANGERS | {"limit": "inviter"}, "10"),
        ("stranger_limit", STRANGERS | {"limit": "strangers"}, "12:00"),
        ("too_many_emails", {"most": 120, "until": NOON}, "12:00"),
        ("no_such_game", {"game": "loger", "games": ["Logger"], "near": ["Logger"]}, "loger"),
        ("no_such_game", {"game": "go", "games": ["Logger"], "near": []}, "Logger"),
        ("several_moves", {"moves": ["place a1", "place a5"]}, "a5"),
        ("wrong_number_of_players", {"game": "Logger", "players": 5, "seats": [2, 3, 4]}, "4"),
        ("code_of_a_plugin", {}, "|"),
    ],
)
def test_rejections_say_what_is_possible(code: str, facts: Mapping[str, Any], fact: str) -> None:
    for language in ("en", "de"):
        assert fact in refuse(code, facts, language), language


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


def test_german_words_about_the_reader_are_in_the_second_person() -> None:
    with (TEMPLATES / "locale/de/LC_MESSAGES/pbem.po").open("rb") as file:
        said = [one.string for one in read_po(file, locale="de") if one.context == "you"]
    assert len(said) > 3
    for forms in said:
        for form in [forms] if isinstance(forms, str) else forms or ():
            assert {"hat", "haben", "ist"}.isdisjoint(form.split()), form


def test_an_answer_can_be_below_another() -> None:
    facts = {"topic": "help", "groups": []}
    for name, (kind, view) in SAMPLES.items():
        if kind == "answer":
            headline = render_samples("en")[name].text.splitlines()[0]
            both = replace(view, facts=facts, sections=(Section(kind, view.facts),))
            lines = RENDERER.render(kind, both, "en").text.splitlines()[1:]
            assert headline in [line.removesuffix(".") for line in lines], name


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(days=4, hours=13), "5 days left"),
        (timedelta(days=1, hours=1, minutes=20), "1 day and 1 hour left"),
        (timedelta(days=9, hours=23, minutes=59), "10 days left"),
        (timedelta(hours=23, minutes=59), "1 day left"),
        (timedelta(hours=22, minutes=58), "23 hours left"),
        (timedelta(hours=2, minutes=5), "2 hours and 5 minutes left"),
        (timedelta(minutes=1), "1 minute left"),
        (timedelta(seconds=59), "less than a minute left"),
    ],
)
def test_spans_of_time_are_in_words(span: timedelta, words: str) -> None:
    kind, view = SAMPLES["turn"]
    assert view.match is not None
    clock = replace(view.match.clocks[0], left=span, deadline=datetime(2026, 12, 1, tzinfo=UTC))
    shown = replace(view, match=replace(view.match, clocks=(clock,)))
    assert words in RENDERER.render(kind, shown, "en").text
