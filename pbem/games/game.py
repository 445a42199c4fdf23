"""The interface of a game: `Game`, a record of pure functions, and the types that they use.

The rest of pbem uses a game only through this record. A match is a position that changes by
moves and random draws. `turn` says which seats are to act, which random draw is due, or how
the game ended. `play` returns the position after a move or the result of a random draw. The
functions read no clock, file or random number, so a match can be rebuilt by playing its
moves again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, NewType, Protocol, TypeAlias, TypeVar

from pbem.errors import Facts, Rejection
from pbem.games.chance import Draw
from pbem.games.lessons import Topic
from pbem.games.options import ColourChoice, Option
from pbem.games.vocabulary import NO_VOCABULARY, Vocabulary

Seat = NewType("Seat", int)  # number of a seat in turn order, from 1

Ply = NewType("Ply", int)  # number of a move or draw in its match, from 1

Viewpoint: TypeAlias = Seat | None  # None for a spectator, who sees only what is public

Translate: TypeAlias = Callable[[str], str]  # translates an English word for the reader

Options: TypeAlias = Mapping[str, str]  # values of all options of a game, by the name of the option

P = TypeVar("P")  # position: immutable, hashable, without history that the rules do not need

M = TypeVar("M")  # move: the whole turn of a seat as one immutable value

P_contra = TypeVar("P_contra", contravariant=True)

SeatLetters: TypeAlias = tuple[str, ...]  # in seat order; empty for the default letters


class Style(StrEnum):
    """The character set of a text board: ASCII or Unicode, with equal layout and content."""

    ASCII = "ascii"
    UNICODE = "unicode"


@dataclass(frozen=True, slots=True)
class Seats:
    """A turn in which one or more seats are to act.

    Several seats act only in games with simultaneous turns.
    """

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """A turn in which a random draw is due before a seat may act."""

    draw: Draw


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game.

    `placings` has a place for each seat: 1 is the best, and seats that tie share a place.
    `termination` is a word for the cause, such as `points` or `last_seat`.
    """

    placings: tuple[int, ...]
    termination: str


@dataclass(frozen=True, slots=True)
class GameOver:
    """What `Game.turn` returns for a position in which the game has ended."""

    outcome: Outcome


Turn: TypeAlias = Seats | Chance | GameOver


@dataclass(frozen=True, slots=True)
class ChanceResult:
    """The result of a random draw: the numbers of all its parts in one flat tuple, in order."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The board of a position, limited to what one viewpoint (a seat or a spectator) may see.

    `lines` is the board as text, at most 72 columns wide, or empty if it would be wider.
    `facts` has everything that the lines show. Templates write the legend and the description for
    screen readers from `facts`.
    """

    lines: tuple[str, ...]
    facts: Facts


@dataclass(frozen=True, slots=True)
class Transition(Generic[P, M]):
    """A move or the result of a random draw, with the positions before and after it."""

    move: M | ChanceResult
    before: P
    after: P


@dataclass(frozen=True, slots=True)
class Marks(Generic[P, M]):
    """The marks and names that a picture shows in addition to the position.

    Attributes:
        transitions: The moves and random draws since the reader's last turn, oldest first.
        names: The names of the players in seat order, as many as are known.
        letters: The letters that mark the seats; empty for the game's default letters.
        is_idle: Whether no seat is marked as the seat to move, because the match is not running.
        hides_choices: Whether the spaces to which the reader can move stay unmarked.
        translate: A function that translates the English words of the picture.
    """

    transitions: tuple[Transition[P, M], ...] = ()
    names: tuple[str, ...] = ()
    letters: SeatLetters = ()
    is_idle: bool = False
    hides_choices: bool = False
    translate: Translate = str

    def name(self, seat: int) -> str:
        """Return the name of the player in `seat`; empty if the name is not known."""
        return self.names[seat - 1] if seat <= len(self.names) else ""


@dataclass(frozen=True, slots=True)
class Hotspot:
    """An area of a picture that a player can tap to choose a part of a move, such as a square.

    `name` is the text of this part in notation. The middle of the area is (x, y), in the units of
    the SVG. The area is a circle, or with `is_square` a square whose side is twice `radius`. The
    ring that marks it has the radius `ring`, or one in proportion to the area if `ring` is 0.
    """

    name: str
    x: float
    y: float
    radius: float
    is_square: bool = False
    ring: float = 0


class BoardFunction(Protocol[P_contra]):
    """The type of the function `Game.board`."""

    def __call__(
        self, position: P_contra, viewpoint: Viewpoint, style: Style, letters: SeatLetters = (), /
    ) -> Board:
        """Return the board of the position, without anything that is hidden from the viewpoint."""


@dataclass(frozen=True, slots=True)
class PartialMove(Generic[P, M]):
    """The state of a move that a player composes step by step on a web page.

    Attributes:
        position: The position after the choices made so far.
        move: The move that these choices form, which the picture marks on the board; None if they
            do not form a move yet.
        facts: The next choice of the player as facts for the templates: `kind`, and more values
            that depend on the kind.
        hotspots: Hotspots in addition to those of the position.
    """

    position: P
    move: M | None
    facts: Facts
    hotspots: tuple[Hotspot, ...] = ()


# --- defaults of the optional functions ----------------------------------------------------------


def _return_nothing(*_arguments: object) -> tuple[Any, ...]:
    return ()


def _return_none(*_arguments: object) -> None:
    return None


def _return_position(position: P, *_arguments: object) -> P:
    return position


def _return_false(*_arguments: object) -> bool:
    return False


def _draw_nothing(*_arguments: object) -> str:
    return ""


def _no_facts(*_arguments: object) -> Facts:
    return {}


def _ask_for_next(position: P, *_arguments: object) -> PartialMove[P, Any]:
    return PartialMove(position, None, {"kind": "next"})


def _is_option_random(options: Options) -> bool:
    return options.get("seat_order") == "random"


def _refuse_draws(_position: object) -> Any:
    raise Rejection("no_draw_offers")


def _join_values(_position: object, result: ChanceResult) -> str:
    return " ".join(map(str, result.values))


def _split_values(text: str, _position: object) -> ChanceResult:
    try:
        return ChanceResult(tuple(int(word) for word in text.split()))
    except ValueError:
        raise Rejection("unreadable", word=text) from None


@dataclass(frozen=True, kw_only=True, slots=True)
class Game(Generic[P, M]):
    """One edition of a game, as a record of pure functions and data.

    The functions raise a `Rejection` for a mistake of a player. The game's templates explain each
    code of a `Rejection`. Any other exception is a bug. A game that hides nothing and is played by
    text needs only the fields without a default.
    """

    key: str
    """The name of the game in settings, options and folders, such as `logger`."""

    edition: int
    """The number of the edition, counted from 1; a changed rule needs a new edition."""

    title: str
    """The name of the game that players see."""

    seats: tuple[int, ...]
    """The numbers of seats with which the game can be played, ascending."""

    # --- rules ---

    initial_position: Callable[[int, Options], P]
    """(seats, options): Return the position before the first move or random draw."""

    turn: Callable[[P], Turn]
    """(position): Return the seats to act, the random draw that is due, or the outcome."""

    legal_moves: Callable[[P], Sequence[M]]
    """(position): Return the legal moves of the seat to act; empty if no seat is to act.

    If a game has too many whole turns to list, the result has only the turns of one step, and
    `extensions` lists the longer turns.
    """

    play: Callable[[P, M | ChanceResult], P]
    """(position, move): Return the next position, or raise a Rejection for an illegal move."""

    leave: Callable[[P, Seat], P]
    """(position, seat): Return the position after the seat has resigned or timed out."""

    options: tuple[Option, ...] = ()
    """The options that the challenger may choose."""

    is_seat_order_drawn: Callable[[Options], bool] = _is_option_random
    """(options): Return whether seats are drawn; otherwise the challenger's order counts."""

    forced_move: Callable[[P], M | None] = _return_none
    """(position): Return the only legal move if the server is to make it; None otherwise."""

    extensions: Callable[[P, M], Sequence[M]] = _return_nothing
    """(position, move): Return the legal moves that continue `move` by one more step."""

    # --- notation ---

    notation: Callable[[M], str]
    """(move): Return the canonical text of a move, one line that is stored forever."""

    read_notation: Callable[[str, P], M]
    """(text, position): Return the move with this canonical text, or raise a Rejection."""

    parse: Callable[[str, P, Seat], M]
    """(text, position, seat): Return the legal move that a player typed in any wording.

    If the player omitted a part and only one value is possible, the part is filled in. A Rejection
    is raised if several values are possible, the text is unreadable, or the move is illegal.
    """

    move_words: re.Pattern[str]
    """A pattern that finds words of moves. A line of an email without such words is a remark."""

    vocabulary: Vocabulary = NO_VOCABULARY
    """Synonyms and translations of the words of moves, for `parse` and for emails."""

    dump: Callable[[P], str]
    """(position): Return the position as one line of text."""

    load: Callable[[str], P]
    """(text): Return the position from text as `dump` writes it.

    The Rejection `bad_position` is raised for other text.
    """

    # --- boards ---

    board: BoardFunction[P]
    """(position, viewpoint, style, letters): Return the board as text, and facts for templates."""

    move_facts: Callable[[M | ChanceResult, P, P], Facts] = _no_facts
    """(move, before, after): Return the effects of a move or random draw as facts for templates.

    `before` and `after` are the positions around the move. All facts are public.
    """

    picture: Callable[[P, Viewpoint, Marks[P, M]], str] = _draw_nothing
    """(position, viewpoint, marks): Return the board as SVG; empty if the game has no pictures.

    The SVG text contains nothing that the viewpoint may not know, not even in invisible elements.
    """

    hotspots: Callable[[P, Viewpoint], tuple[Hotspot, ...]] = _return_nothing
    """(position, viewpoint): Return the areas of the picture that can be tapped, topmost last."""

    partial_move: Callable[[P, str, Sequence[str]], PartialMove[P, M]] = _ask_for_next
    """(position, text, next words): Return the state of a move that a player has begun to compose.

    `text` is the beginning of the canonical text of a move. The next words are the words that can
    follow `text`.
    """

    reordered_texts: Callable[[str, str], tuple[str, ...]] = _return_nothing
    """(text, begun): Return other texts of a move, which name its parts in other orders.

    These texts let a player choose the parts in any order on a web page. For example, `swap Red
    Blue` is another text of `swap Blue Red`. The result is empty if no other order is allowed.

    `text` is the canonical text of a legal move, and `begun` is what the player has chosen so far.
    Texts that do not start with `begun` may be left out.
    """

    example: str = ""
    """A position, as text for `load`, that shows the game to visitors who have never seen it."""

    reserved_letters: str | None = None
    """Letters that no seat may have; None if seats have colours instead of letters."""

    # --- agreed draws ---

    can_offer_draw: Callable[[Options], bool] = _return_false
    """(options): Return whether players may agree on a draw."""

    agree_draw: Callable[[P], P] = _refuse_draws
    """(position): Return the final position, after all players have agreed on a draw."""

    claim_draw: Callable[[P], P | None] = _return_none
    """(position): Return the final position if a player may claim a draw now; otherwise None."""

    has_lasting_draw_offers: bool = False
    """Whether a draw offer lasts until the end of the next turn of the seat that made it.

    If False, the offer lasts until the end of the next turn of another seat.
    """

    # --- chance and hidden information ---

    chance_notation: Callable[[P, ChanceResult], str] = _join_values
    """(position, result): Return the result of the random draw that is due, as text."""

    read_chance: Callable[[str, P], ChanceResult] = _split_values
    """(text, position): Return the result that `chance_notation` writes as this text.

    The Rejection `unreadable` is raised for other text.
    """

    has_sealed_draws: bool = False
    """Whether some random draws stay secret until the end of the match.

    The values of sealed draws come from a hash chain of their own (docs/fairness.md).
    """

    redact: Callable[[P, Seat], P] = _return_position
    """(position, seat): Return the position without anything that is hidden from the seat.

    All other functions accept such a position. Typed moves are first tried in such a position, so
    that a refusal reveals nothing.
    """

    determinize: Callable[[P, Seat, Callable[[int], int]], P] = _return_position
    """(position, seat, choose): Return a random position that agrees with all that the seat knows.

    `choose(n)` returns a random number from 0 to n - 1.
    """

    reveals: Callable[[P, P, Viewpoint], bool] = _return_false
    """(before, after, viewpoint): Return whether a move has shown the viewpoint something hidden.

    `before` and `after` are the positions around the move. If the viewpoint is None, return whether
    any seat has been shown something hidden. A move that has shown something cannot be taken back.
    """

    # --- standing orders ---

    parse_standing_order: Callable[[str], str | None] = _return_none
    """(text): Return the standing order in canonical form, or None for any other text.

    A standing order makes a certain decision for a seat each time the decision is due. Any seat may
    give one at any time, and only that seat may see it.
    """

    apply_standing_order: Callable[[P, str], M | None] = _return_none
    """(position, order): Return the move that a standing order makes for the seat to act.

    The result is None if the order does not apply in this position.
    """

    # --- bots and lessons ---

    evaluate: Callable[[P], tuple[int, ...]] = _return_nothing
    """(position): Return the value of the position for each seat. A higher value is better.

    Values are whole numbers between -100,000 and 100,000. After the end, they are the result of
    `evaluate_end` instead.
    """

    max_random_plies: int | None = None
    """The number of moves and random draws after which any game of random moves has ended.

    It is None if no such number is known. A game without `evaluate` needs this number to have bots.
    """

    lesson: tuple[Topic[P, M], ...] = ()
    """The topics that a lesson teaches, in this order."""

    is_missing: bool = False
    """Whether the game is not installed, so that its matches are suspended (games/missing.py)."""

    @property
    def ruleset(self) -> str:
        """The key and the edition of the game, such as `logger-1`. Each match stores them."""
        return f"{self.key}-{self.edition}"

    @property
    def colours(self) -> ColourChoice | None:
        """The option by which players choose their colours, or None without such an option."""
        return next((option for option in self.options if isinstance(option, ColourChoice)), None)

    @property
    def has_evaluation(self) -> bool:
        """Return whether the game can evaluate positions, so that bots can choose good moves."""
        return self.evaluate is not _return_nothing

    @property
    def has_draw_offers(self) -> bool:
        """Return whether any options of the game allow draws by agreement."""
        return self.can_offer_draw is not _return_false

    def try_move(self, position: P, move: M, seat: Seat) -> P:
        """Return the position after a move of `seat`, without what is hidden from that seat.

        Raises:
            Rejection: The move is not legal.
        """
        return self.play(self.redact(position, seat), move)

    def outcome(self, position: P) -> Outcome | None:
        """Return the outcome if the game has ended in the position; otherwise None."""
        turn = self.turn(position)
        return turn.outcome if isinstance(turn, GameOver) else None

    def normalise_options(self, typed: Mapping[str, str]) -> dict[str, str]:
        """Return the value of each option by name: the typed value, normalised, or the default.

        `typed` has the values that the challenger typed, by the name of the option.

        Raises:
            Rejection: `bad_option` for an unknown name or value.
        """
        names = [option.name for option in self.options]
        for name in typed:
            if name not in names:
                raise Rejection("bad_option", name=name, value=typed[name], names=names)
        values = {}
        for option in self.options:
            value = option.normalise(typed.get(option.name, option.default))
            if value is None:
                allowed = [*option.values]
                if option.numbers is not None:
                    allowed.append(f"{option.numbers.start} to {option.numbers.stop - 1}")
                raise Rejection(
                    "bad_option", name=option.name, value=typed[option.name], values=allowed
                )
            values[option.name] = value
        return values
