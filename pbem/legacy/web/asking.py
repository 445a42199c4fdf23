"""A move that is put together on a page: its board, the next question, and the answers to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from pbem.errors import Rejection
from pbem.games.game import Drawn, Played
from pbem.legacy.matches.steps import StepKind
from pbem.legacy.notices.rendering import markup
from pbem.legacy.notices.rendering.families import TEXT
from pbem.legacy.replays.frames import Change, telling
from pbem.legacy.web.answers import Fault
from pbem.legacy.web.match_pages import InWords, drawn_as, in_words
from pbem.legacy.web.move_helper import help_on, named_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markupsafe import Markup

    from pbem.games.game import Place, Seat
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.web.access import Seen
    from pbem.legacy.web.move_helper import Help

FEW: Final = 9
"""Answers that stand side by side; of more, those that can be tapped on the board are folded."""

_WIDTH: Final = 1_000
_LINE, _FRAME, _ROWS = 40, 4, 2
"""Characters of a line on a narrow screen, in a wide font, and of the frame of a button; lines that
buttons may fill there, so that they cover nothing of the board."""

_FINGER: Final = 22 / 390
"""Half of what a finger needs, as a part of the width of a narrow screen."""


_SPOT: Final = re.compile(r"(-?[0-9]{1,4}),(-?[0-9]{1,4})")
"""Where a board was tapped, from its corner."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tap:
    """A place on the board that goes on with the move: where it leads, and what is answered by it.

    `reach` is how far around its middle it can be tapped.
    """

    place: Place
    href: str
    reach: float
    label: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What may be answered: what is written on it, where it leads, and whether it is so already."""

    label: str
    href: str
    chosen: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """A move that is being put together.

    `question` is what is asked next, `answers` what may be said to it, `folded` those of them that
    the board has, or that find no room, where there are many; `crowded`: even so they fill all the
    room there is on a phone, `roomy`: a line of it at most. `taps` are where on the board it goes
    on, `chosen` what is asked about. `picture` is the board as far as the move goes, `board` the
    same in words, both None while nothing has changed; `told` says a whole move in words, `refusal`
    why a text is none, `missed` why a place that was tapped is no answer; `miss` is where the page
    learns of such a tap. `back` leads one step back.
    """

    text: str
    whole: bool
    question: str = ""
    answers: tuple[Answer, ...] = ()
    folded: tuple[Answer, ...] = ()
    crowded: bool = False
    roomy: bool = False
    taps: tuple[Tap, ...] = ()
    chosen: tuple[Place, ...] = ()
    picture: Markup | None = None
    board: InWords | None = None
    told: str = ""
    refusal: str = ""
    missed: str = ""
    miss: str = ""
    back: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking:
    """What a move is put together with: a seat, the words of its player, the page's own address.

    Where turns are only tried, `stands` is whose turn it is in which position, as far as its
    player knows it, and `before` what the page's address says of it.
    """

    house: House
    seen: Seen
    env: Templates
    path: str
    stands: tuple[Seat, Any] | None = None
    before: str = ""

    def attempt(self, typed: str, place: str, width: float) -> Attempt:
        """A move as far as it goes; `width` is that of the board, in which places lie.

        `place` is a place that was tapped: its name, or where on the board, as in `120,45`.
        """
        match, own = self.seen.match, self.seen.viewpoint
        if own is None:
            raise Fault("old_link", 410)
        game = match.game
        seat, known = self.stands or (own, game.known(match.course.position, own))
        text = self.house.words.game_text(game, _without_guard(typed))  # as it is read in a mail
        help_ = help_on(game, known, seat, text, own)
        spot = _SPOT.fullmatch(place)
        if spot is not None:
            place = _at(help_.spots, float(spot[1]), float(spot[2]))
        meant = help_.places.get(place, ()) if place else ()
        missed = self._words(help_, None, place) if place and not meant else ""
        if len(meant) == 1:
            help_, meant = help_on(game, known, seat, meant[0], own), ()
        told, refusal = self._tried(help_, seat, known)
        answers = list(self._answers(help_, meant))
        tapped = {texts[0] for texts in help_.places.values() if len(texts) == 1}
        many = len(answers) > FEW or _rows([one for one, _ in answers]) > _ROWS
        folded = [one for one, text in answers if many and text in tapped]
        open_ = [one for one, _ in answers if one not in folded]
        while (rows := _rows(open_) + bool(folded)) > _ROWS + 1:
            folded.insert(0, open_.pop())
        done, back = help_.done, self._to(help_.text if meant else help_.back)
        if refusal and back is None:
            back = self._to("")  # of what is no move nothing goes on
        changed = done.position != known
        return Attempt(
            text=help_.text,
            whole=help_.whole and not refusal,
            question=self._words(help_, None) if answers or not help_.whole else "",
            answers=tuple(open_),
            crowded=rows > _ROWS,
            roomy=rows < _ROWS,
            folded=tuple(folded),
            taps=tuple(_taps(self._spots(help_), width)) if not meant else (),
            missed=missed,
            miss=f"{self._with(help_.text)}&place=",
            chosen=tuple(_chosen(help_, place if meant else "")),
            picture=drawn_as(
                self.seen,
                self.env,
                Played(done.move, known, done.position),
                idle=help_.whole,
            )
            if changed
            else None,
            board=in_words(self.seen, self.env, done.position, idle=help_.whole)
            if changed
            else None,
            told=told,
            refusal=refusal,
            back=back,
        )

    def _to(self, text: str | None) -> str | None:
        """The page with a text, where there is one."""
        if text is None:
            return None
        if text or self.before:
            return self._with(text)
        return self.path

    def _with(self, text: str) -> str:
        return f"{self.path}?{self.before}text={quote(text, safe='')}"

    def _answers(self, help_: Help, meant: Sequence[str]) -> Iterator[tuple[Answer, str]]:
        """What may be said; or, where a tapped place means several things, which one is meant."""
        default = help_.half.facts.get("chosen")
        for text in meant or [choice.text for choice in help_.choices]:
            words = named_in(text, len(help_.begun))
            if label := self._words(help_, words):
                yield Answer(label, self._with(text), default in words), text

    def _words(self, help_: Help, words: tuple[str, ...] | None, missed: str | None = None) -> str:
        """The question of a step in the words of the game, or an answer to it.

        Or why a place that was tapped is no answer.
        """
        template = self.env.get_template(f"games/{self.seen.match.game.key}/asks.txt.j2")
        text = template.render(facts=help_.half.facts, words=words, missed=missed)
        return " ".join(markup.to_text(text, _WIDTH).split())

    def _spots(self, help_: Help) -> Iterator[tuple[Place, str, str]]:
        """Each place that a move can go on with, what tapping it asks for, and what it answers."""
        for one in help_.spots:
            texts = help_.places.get(one.name, ())
            if len(texts) == 1:
                words = named_in(texts[0], len(help_.begun))
                yield one, self._with(texts[0]), self._words(help_, words) or one.name
            elif texts:
                yield one, f"{self._with(help_.text)}&place={quote(one.name, safe='')}", one.name

    def _tried(self, help_: Help, seat: Seat, known: Any) -> tuple[str, str]:
        """A whole move in words, or why a text is no move."""
        seen, game = self.seen, self.seen.match.game
        if not help_.text or not (help_.whole or not help_.choices):
            return "", ""
        position = seen.match.course.position if self.stands is None else known
        try:
            move = game.parse(help_.text, position, seat)
            after = game.play(known, move)
        except Rejection as rejection:
            return "", _refused(seen, self.env, rejection)
        return told(seen, self.env, Played(move, known, after), seat), ""


def told(seen: Seen, env: Templates, done: Played[Any, Any], seat: Seat | None) -> str:
    """A move of a seat's in words, or what was drawn."""
    drawn = isinstance(done.move, Drawn)
    game = seen.match.game
    change = Change(
        kind=StepKind.DRAW if drawn else StepKind.MOVE,
        seat=seat,
        text=(game.chance_notation(done.before, done.move) if drawn else game.notation(done.move)),
        move=done.move,
        before=done.before,
        after=done.after,
    )
    return telling(game, seen.names, env)(change)


def _rows(answers: Sequence[Answer]) -> int:
    """Lines that buttons fill, one beside the other, on a narrow screen; there is one at least."""
    rows, left = 1, _LINE
    for answer in answers:
        wide = len(answer.label) + _FRAME
        if wide > left:
            rows, left = rows + 1, _LINE
        left -= wide
    return rows


def _chosen(help_: Help, place: str) -> Iterator[Place]:
    """What is asked about: the places of the last part of a text, or the one that was tapped."""
    named = {place} if place else {*named_in(help_.begun.rpartition(";")[2], 0)}
    if place or not help_.whole:
        yield from (one for one in help_.spots if one.name in named)


def _at(spots: Iterable[Place], x: float, y: float) -> str:
    """What lies on top at a point, empty where nothing does that moves name."""
    there = (one.name for one in spots if hypot(one.x - x, one.y - y) <= one.radius)
    return max(enumerate(there), default=(0, ""))[1]


def _taps(spots: Iterator[tuple[Place, str, str]], width: float) -> Iterator[Tap]:
    """Places grow to what a finger needs, as far as their neighbours leave room."""
    known = list(spots)
    for place, href, label in known:
        near = (
            hypot(place.x - other.x, place.y - other.y) / 2
            for other, _, _ in known
            if other is not place and other.radius < 2 * place.radius
        )
        room = min(near, default=width)
        reach = max(place.radius, min(room, width * _FINGER))
        yield Tap(place=place, href=href, reach=reach, label=label)


def _without_guard(text: str) -> str:
    first, _, rest = text.strip().partition(" ")
    return rest if first.startswith("#") else text


def _refused(seen: Seen, env: Templates, rejection: Rejection) -> str:
    """Why something is no move, in the game's words."""
    names = dict(enumerate(seen.names, 1))
    family = f"games/{seen.match.game.key}/rejections"
    if rejection.code not in env.family(family + TEXT):
        return rejection.code.replace("_", " ")
    facts = dict(rejection.facts)
    if isinstance(example := facts.get("example"), str):
        facts["example"] = markup.typed(example)
    text = env.member(family, rejection.code, facts=facts, names=names, match=None)
    return markup.to_text(text, _WIDTH).strip()
