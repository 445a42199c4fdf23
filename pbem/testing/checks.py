"""Checks of the rules, the notation, the boards and the pictures of a game.

Each check yields findings, which name the problem and the function of the game that must be fixed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import product
from time import process_time
from typing import Any, Final, TypeAlias
from xml.etree import ElementTree as ET

from pbem.bots.luck import seeded
from pbem.errors import Rejection
from pbem.games.chance import count_values, parse_draw
from pbem.games.evaluation import WON, rank
from pbem.games.game import Chance, ChanceResult, GameOver, Seat, Seats, Style
from pbem.games.packages import RULESET
from pbem.games.vocabulary import latinise
from pbem.testing.pictures import find_picture_fault
from pbem.testing.random_games import RandomGames, Step

MAX_COLUMNS: Final = 72  # columns of a line in an email
MAX_PICTURE_BYTES: Final = 24_000  # most bytes of an SVG picture
MAX_NOTATION_LENGTH: Final = 400  # characters of a move: it is part of emails, subjects and records
MAX_PLAYED: Final = 30  # most legal moves of a position that `check_moves` plays
MAX_SECONDS: Final = 1.0  # most processor time of a call; emails and pages wait for it
LONG_TEXT: Final = 8_000  # characters that parse() must read in MAX_SECONDS
GARBAGE: Final = "abcdefghxyzABC0123456789 \n\t.,;:->+*!?'\"()[]{}/\\äß→\x00"
NONSENSE: Final = "xyzzy plugh"
UNREADABLE: Final = frozenset({"unreadable", "not_a_move"})  # codes for texts that are no move
REMARKS: Final = (
    "Hello Ann, thanks for the game!",
    "Sorry, I was away last weekend.",
    "See you tomorrow",
    "What a nice board you have, greetings from Berlin",
)
CHANGED_PREFIXES: Final = (">", "From ", ".")  # beginnings of lines that mail programs change
VALUE_LIMIT: Final = WON // 10  # values stay below this until the game ends


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem found in a game. With `is_warning`, the game can still be played."""

    text: str
    is_warning: bool = False


Findings: TypeAlias = Iterator[Finding | str]
Check: TypeAlias = Callable[[RandomGames], Findings]


# --- rules ---------------------------------------------------------------------------------------


def check_names(games: RandomGames) -> Findings:
    """Check that the key, title, seats and options of the game can be typed and stored."""
    game = games.game
    if not RULESET.fullmatch(game.ruleset):
        yield f"key: {game.key!r} must be small letters, digits and _, as in `liars_dice`."
    if not game.title.strip() or len(game.title) > 40:  # noqa: PLR2004 - what a subject has room for
        yield "title: it needs 1 to 40 characters."
    if not game.seats or min(game.seats) < 2 or [*game.seats] != sorted({*game.seats}):  # noqa: PLR2004
        yield f"seats: {game.seats} must be numbers of players from 2 on, in order."
    for option in game.options:
        for value in (option.default, *option.values):
            if option.normalise(value) is None:
                yield f"options: {option.name!r} lists the value {value!r}, but refuses it."
                continue
            game.initial_position(games.seats, game.normalise_options({option.name: value}))


def check_end(games: RandomGames) -> Findings:
    """Check that games end with a place for each seat, and that no move is possible afterwards."""
    game = games.game
    for number, steps in enumerate(games.games):
        position = steps[-1].after if steps else games.start()
        # Whole games of many seats take long, and have the same rules.
        if games.seats == game.seats[0]:
            position = games.play_to_the_end(position, seeded(f"end {number}"))
        turn = game.turn(position)
        if not isinstance(turn, GameOver):
            continue
        places = turn.outcome.placings
        if len(places) != games.seats:
            yield f"turn(): there are {len(places)} placings for {games.seats} seats."
        elif places != (expected := rank([(-place,) for place in places])):
            yield f"turn(): placings {places} have a gap. Equal seats share, as in {expected}."
        if not turn.outcome.termination.isidentifier():
            yield f"turn(): the termination {turn.outcome.termination!r} is no word like no_moves."
        if game.legal_moves(position):
            yield "legal_moves(): there are moves after the end."
        last = steps[-1].move if steps else None
        if last is not None and not isinstance(last, ChanceResult):
            with suppress(Rejection):
                game.play(position, last)
                yield "play(): takes a move after the end."


def check_moves(games: RandomGames) -> Findings:
    """Check that legal moves are distinct and playable, and a forced move is the only legal one."""
    game = games.game
    for step, _ in games.turns:
        legal, dump = game.legal_moves(step.before), game.dump(step.before)
        texts = [game.notation(move) for move in legal]
        if len({*texts}) < len(texts):
            duplicate = next(text for text in texts if texts.count(text) > 1)
            yield f"legal_moves(): {duplicate!r} is there twice at {dump!r}."
        for move, text in list(zip(legal, texts, strict=True))[:: 1 + len(legal) // MAX_PLAYED]:
            try:
                game.play(step.before, move)
            except Rejection as refused:
                yield f"play(): refuses {text!r}, which is legal at {dump!r}: {refused}."
        forced = game.forced_move(step.before)
        if forced is not None and [*legal] != [forced]:
            yield f"forced_move(): a move is forced at {dump!r}, but {len(legal)} are legal."


def check_purity(games: RandomGames) -> Findings:
    """Check that equal input gives equal output, and that positions are never modified.

    Each call may take at most MAX_SECONDS, and positions must be hashable.
    """
    game = games.game
    for step, seat in games.turns:
        text, notation = game.dump(step.before), game.notation(step.move)
        calls: dict[str, Callable[[], Any]] = {
            "play": partial(game.play, step.before, step.move),
            "legal_moves": partial(game.legal_moves, step.before),
            "move_facts": partial(game.move_facts, step.move, step.before, step.after),
            "evaluate": partial(game.evaluate, step.before),
            "leave": partial(game.leave, step.before, seat),
            "board": partial(game.board, step.before, seat, Style.ASCII, games.signs),
            "parse": partial(game.parse, notation, step.before, seat),
            "picture": partial(game.picture, step.before, seat, games.make_marks(step)),
        }
        for name, call in calls.items():
            start = process_time()
            first = call()
            seconds = process_time() - start
            if seconds > MAX_SECONDS:
                yield f"{name}(): takes {seconds:.1f} s at {text!r}. {MAX_SECONDS:g} s is allowed."
            if first != call():
                yield f"{name}(): gives another result when it is called again."
            if (game.dump(step.before), game.notation(step.move)) != (text, notation):
                yield f"{name}(): changes the position or the move that it gets."
        try:
            hash(step.before)
        except TypeError:
            yield "Position: it cannot be hashed. Use tuples in a frozen dataclass."
            return


def check_leaving(games: RandomGames) -> Findings:
    """Check that a seat can leave at any time, and then has no turns while other seats play on."""
    game = games.game
    for number, step in enumerate(games.samples):
        position, leavers = step.before, set[Seat]()
        for seat in sorted(games.all_seats, key=lambda seat: (seat * 7 + number) % 5):
            position = game.leave(position, seat)
            leavers.add(seat)
            turn = game.turn(position)
            if isinstance(turn, Seats) and leavers & {*turn.seats}:
                yield f"leave(): seat {seat} has left and is to act."
            if game.load(game.dump(position)) != position:
                yield f"dump(): loses who has left, in {game.dump(position)!r}."
            if len(leavers) == 1 and number % 5 == 0:
                for _ in games.play_at_random(position, seeded(f"left {number}"), 20):
                    pass
        turn = game.turn(position)
        if not isinstance(turn, GameOver):
            yield "leave(): all seats have left, and the game is not over."
        elif len(turn.outcome.placings) != games.seats:
            yield "leave(): the game ends without a place for each seat."


def check_draws(games: RandomGames) -> Findings:
    """Check that random draws can be read back from their text.

    A game with a sealed draw must have `has_sealed_draws=True`.
    """
    game = games.game
    for step in games.samples:
        turn = game.turn(step.before)
        if not isinstance(turn, Chance):
            continue
        draw = turn.draw
        if parse_draw(str(draw)).parts != draw.parts or not draw.name.strip():
            yield f"turn(): {str(draw)!r} is no request to chance that can be read back."
        if draw.is_sealed and not game.has_sealed_draws:
            yield "has_sealed_draws: a draw is sealed, so the game needs `has_sealed_draws=True`."
        text = game.chance_notation(step.before, step.move)
        if not is_record_text(text):
            yield f"chance_notation(): {text!r} must be one line without braces."
        try:
            again = game.read_chance(text, step.before)
        except Rejection as refused:
            yield f"read_chance(): refuses {text!r}, which chance_notation() wrote: {refused}."
            continue
        if again != step.move or len(again.values) != count_values(draw):
            yield f"read_chance(): reads {text!r} as {again.values}, not as {step.move.values}."


def check_values(games: RandomGames) -> Findings:
    """Check that `evaluate` gives each seat a whole number, and WON to all first places only.

    Before the end of the game, values must be between -VALUE_LIMIT and VALUE_LIMIT, and must not
    be the same in all positions. A game without `evaluate` passes.
    """
    game = games.game
    if not game.has_evaluation:
        return
    seen = set()
    for position in games.positions:
        turn = game.turn(position)
        if isinstance(turn, Chance):
            continue
        values = game.evaluate(position)
        if len(values) != games.seats or not all(type(value) is int for value in values):
            yield f"evaluate(): {values!r} is not a whole number for each of {games.seats} seats."
        elif isinstance(turn, GameOver):
            placings = turn.outcome.placings
            if [value == WON for value in values] != [place == 1 for place in placings]:
                yield f"evaluate(): {values} for placings {placings}. Use evaluate_end() for ends."
        else:
            seen.add(values)
            if max(map(abs, values)) >= VALUE_LIMIT:
                yield (
                    f"evaluate(): {values} is near to what an end is worth."
                    f" Stay below {VALUE_LIMIT}."
                )
    if len(seen) == 1:
        yield "evaluate(): all positions are worth the same, so bots play by chance."


# --- notation ------------------------------------------------------------------------------------


def is_record_text(text: str) -> bool:
    """Return whether a text can be stored as a move: one short line without braces."""
    return (
        bool(text)
        and text == text.strip()
        and len(text) <= MAX_NOTATION_LENGTH
        and not any(char in text for char in "\n{}")
    )


def check_notation(games: RandomGames) -> Findings:
    """Check that moves can be read back from their notation, in English and in German."""
    game = games.game
    for step, seat in games.turns:
        for move in (step.move, *game.legal_moves(step.before)[:5]):
            text = game.notation(move)
            if not is_record_text(text):
                yield f"notation(): {text!r} must be one short line without braces."
            translations = {game.vocabulary.say(text, language) for language in ("en", "de")}
            readers = [("read_notation", text, partial(game.read_notation, text, step.before))]
            readers += [
                ("parse", typed, partial(game.parse, typed, step.before, seat))
                for typed in sorted({text, *translations})
            ]
            for name, typed, reader in readers:
                try:
                    result = reader()
                except Rejection as refused:
                    yield f"{name}(): refuses {typed!r}, which is the move {text!r}: {refused}."
                    continue
                if result != move:
                    yield f"{name}(): reads {typed!r} as {game.notation(result)!r}, not {text!r}."


def check_words(games: RandomGames) -> Findings:
    """Check that the pattern `move_words` matches every move, and no ordinary remarks."""
    game = games.game
    for step, _ in games.turns:
        text = game.notation(step.move)
        if not game.move_words.search(latinise(text.casefold())):
            yield f"move_words: does not match {text!r}, so we would take it for a remark."
    for text in REMARKS:
        if match := game.move_words.search(latinise(text.casefold())):
            yield f"move_words: matches {match[0]!r} in {text!r}, so we would take it for a move."


def check_replay(games: RandomGames) -> Findings:
    """Check that a game can be rebuilt from its moves and random draws, written as text."""
    game = games.game
    for steps in games.games:
        position = games.start()
        for step in steps:
            if isinstance(step.move, ChanceResult):
                text = game.chance_notation(position, step.move)
                position = game.play(position, game.read_chance(text, position))
            else:
                text = game.notation(step.move)
                position = game.play(position, game.read_notation(text, position))
            if position != step.after:
                yield f"play(): {text!r} leads to another position when it is read from text."
                return


def check_positions(games: RandomGames) -> Findings:
    """Check that positions can be written as one line and read back without loss."""
    game = games.game
    for position in games.positions:
        text = game.dump(position)
        if "\n" in text:
            yield f"dump(): {text!r} is more than one line."
        if game.load(text) != position:
            yield f"load(): gives another position than the one that dump() wrote as {text!r}."
        elif game.dump(game.load(text)) != text:
            yield f"dump(): writes the position {text!r} in another way after load()."
    if game.example and isinstance(game.turn(game.load(game.example)), GameOver):
        yield "example: the game is over in it."


def check_other_text(games: RandomGames) -> Findings:
    """Check that functions which read texts raise no error but a Rejection, whatever the text.

    If `parse` accepts a text, `play` must accept the move. `read_notation` must accept only the
    canonical text of a move. `parse` must read a long text within MAX_SECONDS.
    """
    game, choose = games.game, seeded("garbage")

    def make_garbage(limit: int) -> str:
        return "".join(GARBAGE[choose(len(GARBAGE))] for _ in range(choose(limit)))

    notations = [game.notation(step.move) for step, _ in games.turns]
    for step, seat in games.turns:
        text = game.notation(step.move)
        index = choose(len(text))
        texts = [
            *notations[:: 1 + len(notations) // 8],  # some of them are not legal here
            make_garbage(30),
            text + make_garbage(10),
            text[:index] + GARBAGE[choose(len(GARBAGE))] + text[index + 1 :],
            f"{text} {'9' * 5000}",  # Python refuses to read numbers of so many digits
        ]
        for typed in texts:
            yield from _try_text(games, typed, step, seat)
    for step, seat in games.turns[:1]:
        try:
            game.parse(NONSENSE, step.before, seat)
        except Rejection as refused:
            if refused.code not in UNREADABLE:
                yield f"parse(): refuses {NONSENSE!r} as {refused.code!r}, not as 'not_a_move'."
        text = game.notation(step.move) + " "
        long = (text * (LONG_TEXT // len(text) + 1))[:LONG_TEXT]
        start = process_time()
        with suppress(Rejection):
            game.parse(long, step.before, seat)
        seconds = process_time() - start
        if seconds > MAX_SECONDS:
            yield f"parse(): takes {seconds:.1f} s for {LONG_TEXT} characters."


def _try_text(games: RandomGames, typed: str, step: Step, seat: Seat) -> Iterator[str]:
    game, excerpt = games.game, repr(typed[:60])
    readers: dict[str, Callable[[], Any]] = {
        "parse": partial(game.parse, typed, step.before, seat),
        "read_notation": partial(game.read_notation, typed, step.before),
        "load": partial(game.load, typed),
        "read_chance": partial(game.read_chance, typed, step.before),
        "parse_standing_order": partial(game.parse_standing_order, typed),
    }
    for name, reader in readers.items():
        try:
            move = reader()
        except Rejection:
            continue
        except Exception as error:  # noqa: BLE001 - games may raise anything by mistake
            yield f"{name}(): raises {type(error).__name__} for {excerpt}. Raise a Rejection."
            continue
        if name == "parse":
            try:
                game.play(step.before, move)
            except Rejection as refused:
                yield f"parse(): reads {excerpt} as a move that play() refuses: {refused}."
        if name == "read_notation" and game.notation(move) != typed:
            yield f"read_notation(): takes {excerpt}, which notation() writes in another way."


# --- what is seen --------------------------------------------------------------------------------


def check_facts(games: RandomGames) -> Findings:
    """Check that facts, which are data for the templates, consist of JSON values without floats."""
    game = games.game
    for step in games.samples:
        facts = [("move_facts", game.move_facts(step.move, step.before, step.after))]
        facts += [
            ("board", game.board(step.after, viewpoint, Style.ASCII, games.signs).facts)
            for viewpoint in games.viewpoints
        ]
        for name, value in facts:
            if fault := _find_no_fact(value):
                yield f"{name}(): {fault}. Facts are texts, whole numbers, lists and dicts."


def _find_no_fact(fact: object, path: str = "") -> str:
    match fact:
        case None | str() | bool() | int():
            return ""
        case list() | tuple():
            inner = ((f"{path}[{number}]", value) for number, value in enumerate(fact))
        case dict():
            if any(not isinstance(key, str) for key in fact):
                return f"a key of {path or 'the facts'} is no text"
            inner = ((f"{path}.{key}".lstrip("."), value) for key, value in fact.items())
        case _:
            return f"{path or 'the facts'} is a {type(fact).__name__}"
    return next((fault for place, value in inner if (fault := _find_no_fact(value, place))), "")


def check_boards(games: RandomGames) -> Findings:
    """Check that boards have at most 72 columns, and no line that mail programs would change.

    The two styles, ASCII and Unicode, must have the same number of lines.
    """
    for position, viewpoint in product(games.positions, games.viewpoints):
        letters, graphics = (
            games.game.board(position, viewpoint, style, games.signs).lines
            for style in (Style.ASCII, Style.UNICODE)
        )
        for line in (*letters, *graphics):
            if len(line) > MAX_COLUMNS:
                yield (
                    f"board(): a line has {len(line)} columns, not {MAX_COLUMNS} at most: {line!r}."
                )
            if line.startswith(CHANGED_PREFIXES) or line != line.rstrip() or not line.isprintable():
                yield f"board(): mail programs change the line {line!r}."
        if not "".join(letters).isascii():
            yield "board(): in the style ASCII there are characters that are not ASCII."
        if len(letters) != len(graphics):
            yield "board(): ASCII and Unicode need the same number of lines."


def check_suggestions(games: RandomGames) -> Findings:
    """Check that the moves that a board suggests to the seat to act are legal."""
    game = games.game
    for position, viewpoint in product(games.positions, games.viewpoints):
        turn = game.turn(position)
        can = game.board(position, viewpoint, Style.ASCII, games.signs).facts.get("can")
        if isinstance(turn, Chance) or not isinstance(can, dict):
            continue
        if viewpoint is None or not isinstance(turn, Seats) or viewpoint not in turn.seats:
            yield "board(): facts have `can` for a viewpoint that is not to act."
            continue
        known = game.redact(position, viewpoint)
        for text in can.get("samples", ()):
            try:
                game.play(known, game.read_notation(text, known))
            except Rejection as refused:
                yield f"board(): offers {text!r} in `can.samples`, which is refused: {refused}."


def check_pictures(games: RandomGames) -> Findings:
    """Check that pictures are small SVG drawings without scripts, styles and links."""
    game = games.game
    if not game.picture(games.start(), None, games.make_marks(games.steps[0])):
        yield Finding("picture(): there is none. Emails and pages show the board in letters.", True)
        return
    shapes: dict[str, bytes] = {}
    for number, step in enumerate(games.samples):
        viewpoint = games.viewpoints[number % len(games.viewpoints)]
        svg = game.picture(step.after, viewpoint, games.make_marks(step))
        if len(svg.encode()) > MAX_PICTURE_BYTES:
            yield f"picture(): it has {len(svg.encode())} bytes. {MAX_PICTURE_BYTES} are allowed."
        if fault := find_picture_fault(svg.rstrip("\n")):
            yield f"picture(): {fault}."
            continue
        root = ET.fromstring(svg)  # noqa: S314 - declarations were refused before
        box = re.split(r"[\s,]+", root.attrib.get("viewBox", ""))
        if len(box) != 4 or root.attrib.keys() & {"width", "height"}:  # noqa: PLR2004
            yield "picture(): the root needs a viewBox, and no width and height."
            continue
        for element in root.iterfind(".//*[@id]"):
            name, shape = element.attrib["id"], ET.tostring(element)
            if shapes.setdefault(name, shape) != shape:
                yield f"picture(): the id {name!r} means two shapes. Pages show several pictures."
        left, top, width, height = map(float, box)
        for place in game.hotspots(step.after, viewpoint):
            if not (left <= place.x <= left + width and top <= place.y <= top + height):
                yield f"hotspots(): {place.name!r} is beside the picture."


CHECKS: Final[dict[str, Check]] = {
    "names": check_names,
    "end": check_end,
    "moves": check_moves,
    "purity": check_purity,
    "leaving": check_leaving,
    "draws": check_draws,
    "values": check_values,
    "notation": check_notation,
    "words": check_words,
    "replay": check_replay,
    "positions": check_positions,
    "other_text": check_other_text,
    "facts": check_facts,
    "boards": check_boards,
    "suggestions": check_suggestions,
    "pictures": check_pictures,
}
