"""Checks of what a game says: each text in each language, of all that happens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import islice, product
from typing import Any, Final

from jinja2 import TemplateError
from jinja2.filters import do_wordwrap

from pbem.bots.luck import seeded
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Chance, Drawn, Over, Seat, Seats, Style
from pbem.legacy.notices.rendering import markup
from pbem.legacy.notices.rendering.environment import environment, own_texts, template_folder
from pbem.legacy.notices.rendering.families import OF_OPTIONS, TEXT, Templates
from pbem.legacy.notices.rendering.languages import ENGLISH, catalogue, languages
from pbem.legacy.testing.check import Findings, check
from pbem.legacy.testing.reading import GARBAGE
from pbem.legacy.testing.tables import Step, Table

WIDEST: Final = 72

NEEDED: Final = {
    "about": "what the game is, in a sentence, for invitations and the club's page",
    "aim": "what it is won by, for a beginner",
    "rules": "the rules in brief",
    "howto": "how a move is written",
    "spoken": "the whole board in words, for who has it read aloud",
    "rejections": "why a move is refused: a block for each code",
}
"""What every game has to say by itself; the rest is said as of any game where it is missing."""

OF_A_POSITION: Final = ("legend", "signs", "spoken", "brief", "can", "score", "reckoning")

ALONE: Final = ("about", "aim", "rules", "howto", "ten")

NAMES: Final = {seat: f"Maximiliane Sch. {seat}" for seat in range(1, 41)}
"""Long ones, as the lines beside a board have to have room for."""

IN_LINES: Final = frozenset({"legend", "spoken", "can", "told", "rules", "howto", "rejections"})
"""What is not filled anew to the reader's width, so that its lines have to fit as they are."""

PHRASES: Final = ("", "hello", "z9", "a1 a1", "1", "take it", "pass", "0 0 0", "x", "nonsense")


class Teller:
    """The texts of a game in a language."""

    def __init__(self, game: AnyGame, lang: str) -> None:
        """Find them."""
        self.game, self.lang, self.env = game, lang, _texts(lang)

    def say(self, name: str, **facts: Any) -> Iterator[str]:
        """Render a text; what cannot be rendered or is too wide is told."""
        try:
            text = self.env.piece(self.game.key, name, **facts)
        except TemplateError as fault:
            yield f"texts/{name}{TEXT} ({self.lang}): {type(fault).__name__}: {fault}"
            return
        yield from self._wide(name, text)

    def refuse(self, refused: Rejection) -> Iterator[str]:
        """Render why something was refused."""
        family, code = f"games/{self.game.key}/rejections", refused.code
        if code not in self.env.family(family + TEXT):
            yield f"texts/rejections{TEXT}: has no block {code!r}, which the rules raise"
            return
        try:
            text = self.env.member(family, code, facts=dict(refused.facts), names=NAMES, match=None)
        except TemplateError as fault:
            yield f"texts/rejections{TEXT} ({self.lang}), block {code!r}: {fault}"
            return
        if not text:
            yield f"texts/rejections{TEXT} ({self.lang}): the block {code!r} says nothing"
        yield from self._wide(
            "rejections", do_wordwrap(self.env, text, WIDEST, break_on_hyphens=False)
        )

    def _wide(self, name: str, text: str) -> Iterator[str]:
        for line in markup.unmarked(text).split("\n"):
            if name in IN_LINES and len(line) > WIDEST:
                wide = f"{len(line)} columns, of {WIDEST}"
                yield f"texts/{name}{TEXT} ({self.lang}): {wide}: {line!r}"


@cache
def _texts(lang: str) -> Templates:
    return environment(lang=lang)


def tellers(game: AnyGame) -> list[Teller]:
    """One a language."""
    return [Teller(game, lang) for lang in languages([template_folder()])]


@check
def texts_that_are_needed_are_there(table: Table) -> Findings:
    """A few texts nobody else can write."""
    game = table.game
    there = {name.rpartition("/")[2].removesuffix(TEXT) for name in own_texts(game.key)}
    for name, what in NEEDED.items():
        if name not in there:
            yield f"texts/{name}{TEXT} is missing: {what}"
    for teller in tellers(game):
        for name in ALONE:
            yield from teller.say(name)
        usual = game.normal_options({})
        for option, name in product(game.options, OF_OPTIONS):
            for value in option.values:
                yield from teller.say(name, options={**usual, option.name: value})
        yield from teller.say("key", facts={}, said=None)  # of all words, for the order `help move`


@check
def every_position_can_be_told(table: Table) -> Findings:
    """All texts of a board, for each seat and for spectators, in each language."""
    for teller in tellers(table.game):
        for (position, seat), style in product(_seen(table), Style):
            facts = table.game.board(position, seat, style, table.signs).facts
            for name in OF_A_POSITION:
                yield from teller.say(name, facts=facts, names=NAMES, explained=False)
            can: Any = facts.get("can")
            if can is not None:
                said = [word for text in can["samples"] for word in text.split()]
                yield from teller.say("key", facts=facts, said=said)


def _seen(table: Table) -> Iterator[tuple[Any, Seat | None]]:
    for position in table.positions(1):
        turn = table.game.turn(position)
        yield position, None
        for seat in turn.seats if isinstance(turn, Seats) else (Seat(1),):
            yield position, seat


@check
def every_move_can_be_told(table: Table) -> Findings:
    """What happened, and what could: `told` and `choice`, in each language."""
    game = table.game
    for teller in tellers(game):
        for step in [*table.steps(1)[:40], *table.steps(1)[-1:]]:
            facts = game.facts(step.played, step.before, step.after)
            notation = _notation(game, step)
            yield from teller.say(
                "told", facts=facts, seat=step.seat or 0, notation=notation, names=NAMES
            )
            if step.seat is not None:
                yield from teller.say("choice", facts=facts, names=NAMES)


def _notation(game: AnyGame, step: Step) -> str:
    if isinstance(step.played, Drawn):
        return game.chance_notation(step.before, step.played)
    return game.notation(step.played)


@check
def every_refusal_has_words(table: Table) -> Findings:
    """Each code that the rules raise is a block of rejections, in each language."""
    game = table.game
    for refused in _refusals(table).values():
        for teller in tellers(game):
            yield from teller.refuse(refused)


def _refusals(table: Table) -> dict[str, Rejection]:
    """A refusal of each code that turned up."""
    game, choose = table.game, seeded("refused")
    met: dict[str, Rejection] = {}

    def tried(reader: Any) -> None:
        try:
            reader()
        except Rejection as refused:
            met.setdefault(refused.code, refused)

    over = table.steps(1)[-1].after
    for step, seat in table.turns(1):
        texts = [game.notation(other.played) for other, _ in table.turns(2)[:8]]
        words = [word for text in texts for word in text.split()]
        mixed = [" ".join(words[choose(len(words))] for _ in range(3)) for _ in range(8)]
        noise = ["".join(GARBAGE[choose(len(GARBAGE))] for _ in range(12)) for _ in range(4)]
        for text in (*PHRASES, *texts, *words, *mixed, *noise):
            tried(partial(game.parse, text, step.before, seat))
            tried(partial(_played, game, text, step.before))
        tried(partial(game.play, over, step.played))
        tried(partial(game.parse, game.notation(step.played), over, seat))
    return met


def _played(game: AnyGame, text: str, position: Any) -> Any:
    return game.play(position, game.read(text, position))


@check
def every_end_has_words(table: Table) -> Findings:
    """How a match ended stands in its last mail: the block `game_over`, by `facts.termination`."""
    game = table.game
    terminations = {}
    for seed in (1, 2, 3):
        turn = game.turn(table.steps(seed)[-1].after)
        if isinstance(turn, Over):
            terminations[turn.outcome.termination] = turn.outcome
    left = table.start()
    for seat in range(1, table.seats + 1):
        left = game.leave(left, Seat(seat))
    turn = game.turn(left)
    if isinstance(turn, Over):
        terminations[turn.outcome.termination] = turn.outcome
    for termination in terminations:
        for teller in tellers(game):
            yield from teller.refuse(Rejection("game_over", termination=termination, placings=()))


@check
def every_text_is_translated(table: Table) -> Findings:
    """`locale/LANG/LC_MESSAGES/pbem.po` of each language of the house has all sentences."""
    game, env = table.game, environment()
    for lang in languages([template_folder()]):
        if lang == ENGLISH or table.seats != game.seats[0]:
            continue
        known = _known(catalogue([template_folder()], lang))
        for name, source in own_texts(game.key).items():
            for _, function, message in env.extract_translations(source):  # type: ignore[attr-defined]  # the i18n extension's
                parts = [message] if isinstance(message, str) else [*message]
                # Before a text with a context stands that; what is no constant is None.
                texts = [one for one in parts["pgettext" in function :] if one]
                if texts and not known & {*texts}:
                    shown = " ".join(texts[0].split())[:60]
                    yield f"locale/{lang}/LC_MESSAGES/pbem.po: says nothing for {shown!r} ({name})"


def _known(words: Any) -> set[str]:
    """All that a catalogue, and those behind it, translate."""
    found: set[str] = set()
    while words is not None:
        for key in getattr(words, "_catalog", {}):
            text = key[0] if isinstance(key, tuple) else key
            found.add(text.rpartition("\x04")[2])
        words = getattr(words, "_fallback", None)
    return found


@check
def a_lesson_has_its_words(table: Table) -> Findings:
    """Each topic is explained, asked for, and told of where it did not come up."""
    game = table.game
    if not game.lesson:
        return
    for teller in tellers(game):
        family = teller.env.family(f"games/{game.key}/lesson{TEXT}")
        wanted = {"meanwhile", "missed"}
        for topic in game.lesson[:-1]:
            wanted |= {topic.name, f"{topic.name}_done", f"{topic.name}_later"}
        for block in sorted({*wanted, game.lesson[-1].name} - {*family}):
            yield f"texts/lesson{TEXT}: has no block {block!r}, of the record's lesson"
    shown = islice((step for step in table.steps(1) if step.seat is not None), 60)
    found = {
        topic.name
        for step in shown
        for topic in game.lesson
        if topic.shows(step.played, step.before, step.after)
    }
    if not found:
        yield "lesson: no move of a whole game shows any of its topics"


@check
def pictures_are_in_the_readers_language(table: Table) -> Findings:
    """What is written in a picture goes through `marks.word`."""
    game = table.game
    turn = next(
        (one for one in table.sampled(1) if not isinstance(game.turn(one.after), Chance)), None
    )
    if turn is None:
        return
    english: list[str] = []

    def word(said: str) -> str:
        english.append(said)
        return said

    marks = replace(table.marks(turn), word=word)
    game.picture(turn.after, Seat(1), marks)
    for lang in languages([template_folder()]):
        known = _known(catalogue([template_folder()], lang))
        for one in dict.fromkeys(english) if lang != ENGLISH else ():
            if one not in known and len(one) > 1:
                yield f'picture(): the word {one!r} has no translation (msgctxt "word", {lang})'
