"""Checks that emails and pages have texts for everything that can happen in a game."""

from __future__ import annotations

import gettext
import sys
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import TemplateNotFound

from pbem.bots.luck import seeded
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Seat
from pbem.match.state import Match, Status
from pbem.notifications.email_views import EmailView
from pbem.notifications.renderer import DEFAULT_LANGUAGE, Renderer
from pbem.notifications.rendering import Rendering
from pbem.notifications.views import MatchView
from pbem.testing.checks import GARBAGE, MAX_COLUMNS, Check, Finding, Findings
from pbem.testing.matches import play_random_match, view_match
from pbem.testing.random_games import RandomGames, Step
from pbem.web.composing import compose

UNDO_WINDOW: Final = timedelta(minutes=5)  # undo window of the rendered moves
RENDER_INTERVAL: Final = 20  # emails are rendered after each unit of work whose number this divides
SAMPLE_TEXTS: Final = ("", "hello", "z9", "a1 a1", "1", "pass", "0 0 0", "x", "nonsense")
MAX_TAPS: Final = 40  # most clicks to compose a move on a page
MAX_NAMED: Final = 3  # missing translations that a warning names


def check_emails(games: RandomGames) -> Findings:
    """Check that the emails about a random match can be rendered for each reader."""
    game, renderer = games.game, _open_renderer(games.game)
    for number, (match, _) in enumerate(play_random_match(game, games.seats)):
        is_over = match.status is Status.ENDED
        if not is_over and number % RENDER_INTERVAL:
            continue
        movers = [match.player_at(seat) for seat in match.to_move]
        for reader in dict.fromkeys((*movers, match.players[0], None)):
            view = view_match(match, reader)
            kind = "end" if is_over else "turn" if view.is_reader_to_move else "start"
            yield from _render(renderer, kind, view)
            if view.is_reader_to_move:
                moves = [choice.notation for choice in view.choices]
                scheduled = view_match(match, reader, scheduled=moves[0])
                yield from _render(
                    renderer, "receipt", scheduled, sends_at=view.expires, window=UNDO_WINDOW
                )
        if is_over:
            yield from _check_ending(renderer, match)


def _check_ending(renderer: Renderer, match: Match) -> Iterator[Finding]:
    termination = match.outcome.termination if match.outcome is not None else ""
    view = view_match(match, match.players[0])
    words = renderer.make_rendering(_address(view, {}), DEFAULT_LANGUAGE)
    facts, names = view.board_facts, view.names
    if not words.game_words("ending", termination=termination, facts=facts, names=names):
        yield Finding(f"templates: ending.txt.j2 doesn't say what {termination!r} means.", True)


def check_refusals(games: RandomGames) -> Findings:
    """Check that templates have a text for each code with which the rules refuse a move."""
    game, renderer = games.game, _open_renderer(games.game)
    match = next(iter(play_random_match(game, games.seats)))[0]
    view = view_match(match, match.players[0])
    for code, refused in _collect_refusals(games).items():
        names = (f"games/{game.key}", "games/default", "email")
        if not any(code in _list_blocks(renderer, f"{name}/rejections.txt.j2") for name in names):
            yield f"templates: rejections.txt.j2 has no block {code!r}, which the rules raise."
            continue
        facts = {"typed": "?!", "is_move": True, "code": code, "facts": refused.facts}
        yield from _render(renderer, "refusal", view, **facts)


def _collect_refusals(games: RandomGames) -> dict[str, Rejection]:
    """Try many texts as moves, and return one Rejection for each code of a refusal, by code."""
    game, choose = games.game, seeded("refusals")
    refusals: dict[str, Rejection] = {}
    notations = [game.notation(step.move) for step, _ in games.turns]
    words = [word for text in notations for word in text.split()]
    for step, seat in games.turns:
        mixed = [" ".join(words[choose(len(words))] for _ in range(3)) for _ in range(4)]
        noise = "".join(GARBAGE[choose(len(GARBAGE))] for _ in range(12))
        for text in (*SAMPLE_TEXTS, *notations[::4], *words[::9], *mixed, noise):
            for position in (step.before, games.steps[-1].after):
                try:
                    game.play(position, game.parse(text, position, seat))
                except Rejection as refused:
                    refusals.setdefault(refused.code, refused)
    return refusals


def check_composing(games: RandomGames) -> Findings:
    """Check that each sampled move can be composed on a page by a series of clicks."""
    game, renderer = games.game, _open_renderer(games.game)
    match = next(iter(play_random_match(game, games.seats)))[0]
    words = renderer.make_rendering(
        _address(view_match(match, match.players[0]), {}), DEFAULT_LANGUAGE
    )
    for step, seat in games.turns:
        if fault := _compose(game, words, step, seat):
            yield fault


def _compose(game: AnyGame, words: Rendering, step: Step, seat: Seat) -> str:
    """Return the reason why a move cannot be composed on a page; empty if it can."""
    known, target, text = game.redact(step.before, seat), game.notation(step.move), ""
    for _ in range(MAX_TAPS):
        try:
            made = compose(game, known, seat, text)
            choices = [choice.word for choice in made.choices]
            words.game_words(
                "next", facts=made.partial_move.facts, is_complete=made.is_complete, choices=choices
            )
        except Exception as error:  # noqa: BLE001 - games may raise anything by mistake
            return f"partial_move(): pages fail after {text!r}: {type(error).__name__}: {error}."
        if made.is_complete and made.text == target:
            return ""
        following = [item.text for item in made.choices if f"{target} ".startswith(item.text)]
        if not following:
            break
        text = max(following, key=len)
    return f"extensions(): no tap leads from {text!r} to {target!r}."


def check_templates(games: RandomGames) -> Findings:
    """Check that templates explain the game and how to write moves, and have all translations.

    A missing text or translation is only a warning.
    """
    game, renderer = games.game, _open_renderer(games.game)
    match = next(iter(play_random_match(game, games.seats)))[0]
    view = _address(view_match(match, match.players[0]), {})
    words = renderer.make_rendering(view, DEFAULT_LANGUAGE)
    for name, meaning in (("about", "what the game is"), ("howto", "how moves are written")):
        if not words.game_words(name):
            yield Finding(f"templates: there is no {name}.txt.j2, which says {meaning}.", True)
    for language in renderer.languages[1:]:
        missing = list(dict.fromkeys(_list_untranslated(renderer, game, language)))
        if missing:
            texts = ", ".join(repr(" ".join(text.split())[:50]) for text in missing[:MAX_NAMED])
            yield Finding(
                f"templates: {len(missing)} texts have no translation ({language}): {texts}.", True
            )


class _MissingTranslations(gettext.NullTranslations):
    """A translation catalogue that raises KeyError for every text.

    This catalogue is the fallback of the real catalogues, so it is used only for texts without a
    translation.
    """

    def gettext(self, message: str) -> str:
        raise KeyError(message)

    def ngettext(self, singular: str, _plural: str, _n: int) -> str:
        raise KeyError(singular)

    def pgettext(self, _context: str, message: str) -> str:
        raise KeyError(message)


def _list_untranslated(renderer: Renderer, game: AnyGame, language: str) -> Iterator[str]:
    """Yield the texts in a game's own templates that have no translation."""
    catalogue: gettext.NullTranslations = _MissingTranslations()
    for folder in renderer.folders:
        translation = gettext.translation("pbem", folder / "locale", [language], fallback=True)
        translation.add_fallback(catalogue)
        catalogue = translation
    environment: Any = renderer.environment(language)
    for path in _list_templates(renderer, game):
        for _, function, message in environment.extract_translations(path.read_text("utf-8")):
            # An argument that is no constant, as in pgettext("piece", name), is None.
            texts = [message] if isinstance(message, str) else [text for text in message if text]
            if len(texts) < 1 + ("pgettext" in function):
                continue
            try:
                if "pgettext" in function:
                    catalogue.pgettext(texts[0], texts[1])
                elif "ngettext" in function:
                    catalogue.ngettext(texts[0], texts[1], 2)
                else:
                    catalogue.gettext(texts[0])
            except KeyError:
                yield texts[-1]


def _list_templates(renderer: Renderer, game: AnyGame) -> Iterator[Path]:
    for folder in renderer.folders:
        yield from sorted((folder / "games" / game.key).glob("*.j2"))


def _list_blocks(renderer: Renderer, name: str) -> frozenset[str]:
    try:
        return frozenset(renderer.environment(DEFAULT_LANGUAGE).get_template(name).blocks)
    except TemplateNotFound:
        return frozenset()


def _render(renderer: Renderer, kind: str, view: MatchView, **facts: Any) -> Iterator[str]:
    """Render an email of a kind in each language, and yield the faults found.

    In each language, the email is rendered once with pictures and once for screen readers.
    """
    for language in renderer.languages:
        for is_spoken in (False, True):
            email_view = _address(view, facts, is_spoken=is_spoken)
            try:
                email = renderer.make_rendering(email_view, language, kind).render()
            except Exception as error:  # noqa: BLE001 - templates may raise anything by mistake
                yield (
                    f"templates: the email {kind!r} ({language}) fails:"
                    f" {type(error).__name__}: {error}."
                )
                continue
            for line in email.text.splitlines():
                if len(line) > MAX_COLUMNS:
                    yield f"templates: the email {kind!r} ({language}) has a long line: {line!r}."


def _address(view: MatchView, facts: dict[str, Any], *, is_spoken: bool = False) -> EmailView:
    return EmailView(
        reader_name="Ann",
        reply_address="games+k7qx2.1.abc@pbem.example",
        match=view,
        facts=facts,
        site_title="pbem",
        has_pictures=not is_spoken,
        is_spoken=is_spoken,
    )


def _open_renderer(game: AnyGame) -> Renderer:
    """Return a renderer that has the templates of a game, even if the game is not installed."""
    package = sys.modules[game.initial_position.__module__.partition(".")[0]]
    folders = [Path(path) / "templates" for path in getattr(package, "__path__", ())]
    return _share_renderer(*filter(Path.is_dir, folders))


_share_renderer: Final = cache(lambda *folders: Renderer(folders))  # compiling templates is slow


EMAIL_CHECKS: Final[dict[str, Check]] = {
    "emails": check_emails,
    "refusals": check_refusals,
    "composing": check_composing,
    "templates": check_templates,
}
