"""The catalogues of templates/locale/: whole, sound, and compiled. It needs Babel."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pbem.errors import ConfigError
from pbem.games import newest
from pbem.games.game import Ply
from pbem.mail.free_text import read_orders
from pbem.mail.verbs.playing import ShowBoard
from pbem.notices.personal import PlayerBack
from pbem.notices.rendering.environment import environment
from pbem.notices.rendering.render import Renderer
from pbem.notices.views.scene import MARKER, Wishes
from pbem.notices.views.view import build
from pbem.wiring.words import words_of
from tests.notices.scenes import BOB, begun, reader, scene

if TYPE_CHECKING:
    from babel.messages import Catalog

    from hatch_build import compiled, is_whole
    from tests.words import accept
else:
    pytest.importorskip("babel", reason="Babel, a developer's tool, is not installed")
    from babel.messages import Catalog

    from hatch_build import compiled, is_whole
    from tests.words import accept

MATCH = begun()
PLACE = re.compile(r"%\((\w+)\)s")
LANGUAGES = accept.catalogues()


def texts(lang: str) -> list[tuple[str, str]]:
    """Every string of ours beside its translation, each form of a plural by itself."""
    pairs = []
    for message in accept.read(lang):
        if not message.id or not message.string:
            continue
        if isinstance(message.id, str):
            pairs.append((message.id, str(message.string)))
        else:
            pairs += [(message.id[1], form) for form in message.string if form]
    return pairs


def said(data: bytes) -> dict[Any, str]:
    return dict(vars(GNUTranslations(BytesIO(data)))["_catalog"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_compiled_catalogue_is_what_its_source_says(lang: str) -> None:
    path = accept.catalogue_file(lang)
    made = said(compiled(accept.read(lang)))
    kept = said(path.with_suffix(".mo").read_bytes())
    made.pop("", None)
    kept.pop("", None)
    assert kept == made


def test_a_catalogue_that_is_not_compiled_is_named(tmp_path: Path) -> None:
    source = tmp_path / "locale" / "it" / "LC_MESSAGES" / "pbem.po"
    source.parent.mkdir(parents=True)
    source.touch()
    with pytest.raises(ConfigError, match=r"it/LC_MESSAGES/pbem\.po is not compiled"):
        Renderer([tmp_path])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_value_of_a_sentence_is_in_its_translation(lang: str) -> None:
    def values(text: str) -> set[str]:
        return set(PLACE.findall(text))

    # One match need not be counted.
    wrong = [(o, t) for o, t in texts(lang) if not values(o) ^ values(t) <= {"count"}]
    assert wrong == []
    assert [theirs for _, theirs in texts(lang) if "%" in PLACE.sub("", theirs)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_translation_begins_and_ends_as_its_text_does(lang: str) -> None:
    def ends(text: str) -> tuple[bool, bool, bool]:
        return text[:1].isspace(), text[-1:].isspace(), text.endswith("\n")

    assert [ours for ours, theirs in texts(lang) if ends(ours) != ends(theirs)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_translation_is_a_guess_or_double(lang: str) -> None:
    catalog = accept.read(lang)
    assert [message.id for message in catalog if message.id and message.fuzzy] == []
    assert not catalog.obsolete
    counted = Counter((message.context, str(message.id)) for message in catalog)
    assert max(counted.values()) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_line_of_a_page_is_too_long(lang: str) -> None:
    pages = [(ours, theirs) for ours, theirs in texts(lang) if "\n" in ours.strip()]
    assert pages
    assert [line for _, page in pages for line in page.splitlines() if len(line) > 72] == []


def test_strings_are_found_wherever_they_stand() -> None:
    found = {(string.context, string.text) for string in accept.strings()}
    assert (None, "It is your turn.") in found
    assert ("order", "say Hello!") in found
    assert ("verb", "offer draw") in found
    assert ("logger", "plant") in found
    assert ("word", "Red") in found
    assert ("order", "accept") not in found


def test_a_third_language_needs_nothing_but_its_catalogue(tmp_path: Path) -> None:
    catalog = Catalog(locale="it", charset="utf-8")
    for text, said, context in (
        ("English", "Italiano", "language"),
        ("board", "tavolo|mostra", "verb"),
        ("yes", "sì", "verb"),
        ("plant", "pianta", "logger"),
        (MARKER, "=== scrivi la tua mossa sopra questa riga ===", "marker"),
        ("It is your turn.", "Tocca a te.", None),
    ):
        catalog.add(text, said, context=context)
    folder = tmp_path / "locale" / "it" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "pbem.mo").write_bytes(compiled(catalog))

    words = words_of([tmp_path])
    logger = newest("logger")
    assert words.languages["italiano"] == words.languages["it"] == "it"
    assert [typed.order for typed in read_orders(["Tavolo 3"], None, words=words).orders] == [
        ShowBoard(Ply(3))
    ]
    assert words.game_text(logger, "e3 pianta d3") == "e3 plant d3"
    notice = PlayerBack(matches=(MATCH.id,), player=BOB)
    wishes = Wishes(lang="it")
    view = build([notice], reader(wishes=wishes), scene(MATCH))
    text = Renderer([tmp_path]).render(view).text
    assert "Tocca a te." in text
    assert "=== scrivi la tua mossa sopra questa riga ===" in text
    assert "tavolo" in text


def test_a_language_with_other_plurals_keeps_its_own_rule(tmp_path: Path) -> None:
    catalog = Catalog(locale="pl", charset="utf-8")
    days = ("%(count)s dzień", "%(count)s dni", "%(count)s dnia")
    catalog.add(("%(count)s day", "%(count)s days"), days)
    folder = tmp_path / "locale" / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "pbem.mo").write_bytes(compiled(catalog))
    duration = environment([tmp_path], "pl").filters["duration"]
    told = [duration(timedelta(days=count)) for count in (1, 11, 12, 22)]
    assert told == ["1 dzień", "11 dnia", "12 dnia", "22 dni"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_shown_to_be_typed_is_read_as_the_english_is(lang: str) -> None:
    words = words_of()

    def kinds(text: str) -> list[type]:
        line = text.replace("{move}", "e3 plant d3").replace("%(game)s", "logger")
        return [type(typed.order) for typed in read_orders([line], None, words=words).orders]

    seen = 0
    for message in accept.read(lang):
        if message.context == "order" and message.string and kinds(str(message.id)):
            assert kinds(str(message.string)) == kinds(str(message.id)), message.string
            seen += 1
        if message.context == "verb" and message.string:
            for word in str(message.string).split("|"):
                assert words.verbs[word.casefold()].name == message.id, word
                seen += 1
    assert seen > 100


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_string_is_missing(lang: str) -> None:
    catalog = accept.read(lang)
    waiting = []
    for string in accept.template():
        if string.id:
            text = string.id if isinstance(string.id, str) else string.id[0]
            known = catalog.get(text, context=string.context)
            if known is None or not is_whole(known.string):
                waiting.append(text)
    assert waiting == [], "run python -m tests.words.accept, translate these, and run it again"
