"""The process of one ruleset: it loads a package, and answers what its functions give.

`python -m pbem.legacy.foreign.process RULESET` reads questions from its input and writes answers to its
output; what the package prints goes to where errors go. It ends with its input.
"""

from __future__ import annotations

import os
import pickle
import resource
import sys
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, Final, cast

from pbem.errors import Rejection
from pbem.legacy.foreign import answers
from pbem.legacy.foreign.answers import Wrong
from pbem.legacy.foreign.messages import (
    HOOKS,
    STATIC,
    Answer,
    Called,
    Failed,
    Question,
    Refused,
    Spot,
    Written,
    receive,
    send,
)
from pbem.legacy.foreign.shapes import fields_of
from pbem.games import GAMES, AnyGame, loaded
from pbem.games.game import Game, Half, Marks, Played, Seat
from pbem.games.packages import packages

MEMORY: Final = 2_000_000_000
"""Bytes that a package may ask for: what it would take beyond that it does not get."""

REMEMBERED: Final = 2_000
"""Positions that are kept as they came out of the rules, by their texts."""

WORDS_OF_A_FAULT: Final = 2_000


@dataclass
class Rules:
    """The rules of a package, asked in texts."""

    game: AnyGame
    ask_word: Callable[[int, str], str]
    _positions: OrderedDict[str, Any] = field(default_factory=OrderedDict)

    def answer(self, question: Question) -> Answer:
        """What a function gives, as values of ours."""
        try:
            given = getattr(self, f"_on_{question.hook}", None) or self._plainly(question.hook)
            found = given(*map(self._taken, question.arguments))
            return Answer(found, tuple(self._beside(found)))
        except Rejection as rejection:
            facts = answers.facts(rejection.facts, f"the facts of {rejection.code}")
            return Answer(Refused(answers.text(rejection.code, question.hook, 60), facts))
        except Wrong as wrong:
            return Answer(Failed(str(wrong)))
        except Exception:  # noqa: BLE001 - whatever the package raises
            return Answer(Failed(traceback.format_exc(limit=-4)[-WORDS_OF_A_FAULT:]))

    def describe(self) -> Mapping[str, Any]:
        """What of the record is no function, and which functions it has of its own."""
        game = self.game
        found = {name: self._static(name) for name in STATIC}
        for name in ("words", "lettered"):
            found[name] = None
            if (pattern := getattr(game, name)) is not None:
                answers.quick(pattern, name)
                found[name] = str(pattern.pattern), int(pattern.flags)
        found["lesson"] = tuple(
            (str(one.name), bool(one.vital), tuple(map(str, one.includes)), bool(one.wise))
            for one in game.lesson
        )
        usual = {one.name: one.default for one in Game.__dataclass_fields__.values()}
        found["own"] = frozenset(name for name in HOOKS if getattr(game, name) is not usual[name])
        return found

    def _static(self, name: str) -> Any:
        found = answers.plain(getattr(self.game, name), name)
        return answers.shaped(found, fields_of(Game)[name], name)

    # --- texts and values -----------------------------------------------------------------------

    def _taken(self, given: Any) -> Any:
        match given:
            case Spot(text=text):
                return self._position(text)
            case Written(notation=notation, at=at):
                if at is None:
                    return self.game.spelled(notation)
                return self.game.read(notation, self._position(at))
            case Marks(since=since, names=names, signs=signs, idle=idle, plain=plain, word=word):
                played = (Played(*map(self._taken, (o.move, o.before, o.after))) for o in since)
                said = partial(self.ask_word, cast("int", word))
                return Marks(tuple(played), names, signs, idle=idle, plain=plain, word=said)
            case _:
                return given

    def _position(self, text: str) -> Any:
        if text in self._positions:
            self._positions.move_to_end(text)
            return self._positions[text]
        return self._keep(text, self.game.load(text))

    def _keep(self, text: str, position: Any) -> Any:
        self._positions[text] = position
        if len(self._positions) > REMEMBERED:
            self._positions.popitem(last=False)
        return position

    def _spot(self, position: Any) -> Spot:
        text = answers.text(self.game.dump(position), "dump()")
        self._keep(text, position)
        return Spot(self.game.ruleset, text)

    def _written(self, move: Any, at: str | None) -> Written:
        return Written(self.game.ruleset, answers.text(self.game.notation(move), "notation()"), at)

    def _beside(self, found: object) -> list[tuple[Question, Any]]:
        """What will be asked next of a position that has come about."""
        if not isinstance(found, Spot):
            return []
        turn = Question("turn", (found,))
        return [(turn, self._on_turn(self._position(found.text)))]

    # --- functions ------------------------------------------------------------------------------

    def _on_initial(self, seats: int, options: tuple[tuple[str, str], ...]) -> Spot:
        return self._spot(self.game.initial(seats, dict(options)))

    def _on_turn(self, position: Any) -> Any:
        return answers.turn(self.game.turn(position), max(self.game.seats))

    def _on_legal(self, position: Any) -> tuple[Written, ...]:
        at = self._spot(position).text
        return tuple(self._written(move, at) for move in self.game.legal(position))

    def _on_longer(self, position: Any, move: Any) -> tuple[Written, ...]:
        at = self._spot(position).text
        return tuple(self._written(one, at) for one in self.game.longer(position, move))

    def _on_parse(self, text: str, position: Any, seat: Any) -> Written:
        return self._written(self.game.parse(text, position, seat), self._spot(position).text)

    def _on_read(self, text: str, position: Any) -> Written:
        return self._written(self.game.read(text, position), self._spot(position).text)

    def _on_spelled(self, text: str) -> Written | None:
        move = self.game.spelled(text)
        return None if move is None else self._written(move, None)

    def _on_play(self, position: Any, move: Any) -> Spot:
        return self._spot(self.game.play(position, move))

    def _on_leave(self, position: Any, seat: Any) -> Spot:
        return self._spot(self.game.leave(position, seat))

    def _on_out(self, position: Any) -> tuple[Seat, ...]:
        out = self.game.out(position) if self.game.out is not None else ()
        return tuple(Seat(answers.number(one, "out()")) for one in out)

    def _on_agree(self, position: Any) -> Spot:
        return self._spot(self.game.agree(position))

    def _on_claimed(self, position: Any) -> Spot | None:
        after = self.game.claimed(position)
        return None if after is None else self._spot(after)

    def _on_known(self, position: Any, seat: Any) -> Spot:
        return self._spot(self.game.known(position, seat))

    def _on_load(self, text: str) -> Spot:
        return self._spot(self.game.load(text))

    def _on_forced(self, position: Any) -> Written | None:
        move = self.game.forced(position)
        return None if move is None else self._written(move, self._spot(position).text)

    def _on_obey(self, position: Any, order: str) -> Written | None:
        move = self.game.obey(position, order)
        return None if move is None else self._written(move, self._spot(position).text)

    def _on_facts(self, move: Any, before: Any, after: Any) -> Any:
        return answers.facts(self.game.facts(move, before, after), "facts()")

    def _on_board(self, *about: Any) -> Any:
        return answers.board(self.game.board(*about))

    def _on_picture(self, *about: Any) -> str:
        return answers.picture(self.game.picture(*about))

    def _on_half(self, position: Any, text: str, following: Any) -> Any:
        half = self.game.half(position, text, following)
        spot = self._spot(half.position)
        move = None if half.move is None else self._written(half.move, self._spot(position).text)
        facts = answers.facts(half.facts, "half()")
        return Half(spot, move, facts, answers.given("places", half.places))

    def _on_recorded(self, text: str) -> str:
        return answers.document(self.game.recorded(text), "recorded()")

    def _on_unrecorded(self, text: str) -> str:
        return answers.document(self.game.unrecorded(text), "unrecorded()")

    def _on_shows(self, topic: int, move: Any, before: Any, after: Any) -> bool:
        return bool(self.game.lesson[topic].shows(move, before, after))

    def _on_teaches(self, topic: int, position: Any) -> Any:
        return answers.facts(self.game.lesson[topic].facts(position), "the facts of a lesson")

    def _on_cells(self, *about: Any) -> Any:
        return answers.cells(self.game.cells(*about))

    def _on_draws_seats(self, options: tuple[tuple[str, str], ...]) -> bool:
        return bool(self.game.draws_seats(dict(options)))

    def _on_draw_offers(self, options: tuple[tuple[str, str], ...]) -> bool:
        return bool(self.game.draw_offers(dict(options)))

    def _plainly(self, hook: str) -> Callable[..., Any]:
        function = getattr(self.game, hook)
        return lambda *about: answers.given(hook, function(*about))


# --- the process ---------------------------------------------------------------------------------


def main(ruleset: str) -> None:
    """Answer until there are no more questions."""
    answered = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    GAMES.runs_others = False  # a question's positions are texts until the rules are asked
    asked: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, asked), daemon=True).start()

    def word(number: int, text: str) -> str:
        send(answered, Called(number, text))
        return str(asked.get())

    try:
        rules = Rules(loaded(packages()[ruleset]), word)
        described = rules.describe()
    except Exception:  # noqa: BLE001 - whatever the package raises
        why = traceback.format_exc(limit=-4)[-WORDS_OF_A_FAULT:]
        send(answered, Answer(Failed(why)))
        return
    send(answered, Answer(described))
    while True:
        send(answered, rules.answer(asked.get()))


def _listen(questions: BinaryIO, asked: SimpleQueue[Any]) -> None:
    """A package that never comes back must not outlive who asked it."""
    while True:
        try:
            asked.put(receive(questions))
        except (EOFError, pickle.UnpicklingError):
            os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
