"""The Game record: everything that the rest of pbem may ask of a game, as a value of functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, NewType, Protocol, TypeAlias, TypeVar

from pbem.errors import Facts, Rejection
from pbem.games.chance import Draw
from pbem.games.lessons import Topic
from pbem.games.options import ColourChoice, Option, normal_options
from pbem.games.vocabulary import NO_VOCABULARY, Vocabulary

Seat = NewType("Seat", int)
"""A place at the table, 1 to n in turn order."""

Ply = NewType("Ply", int)
"""The number of a move or draw within its match, from 1."""

Viewpoint: TypeAlias = Seat | None
"""Whose eyes: a seat's, or None for a spectator, who sees what is public."""

Translate: TypeAlias = Callable[[str], str]
"""Says an English word of a board in the reader's language."""

Options: TypeAlias = Mapping[str, str]
"""The options of one match: every option of its game by name, normalised."""

P = TypeVar("P")
"""A game's position: immutable, hashable, without a history it does not need."""

M = TypeVar("M")
"""A game's move: a whole turn as one immutable value, complete and resolved."""

P_contra = TypeVar("P_contra", contravariant=True)

SeatLetters: TypeAlias = tuple[str, ...]
"""The letters of the seats in seat order, where a game has such; empty where none are fixed."""


class Style(StrEnum):
    """How a board is drawn. Both have the same columns and say the same."""

    ASCII = "ascii"
    UNICODE = "unicode"


@dataclass(frozen=True, slots=True)
class Seats:
    """These seats are to act; more than one only in games with simultaneous turns."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """A draw is due before anybody may act."""

    draw: Draw


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: placings by seat (1 is best, equal seats share), and the cause."""

    placings: tuple[int, ...]
    termination: str


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended."""

    outcome: Outcome


Turn: TypeAlias = Seats | Chance | GameOver


@dataclass(frozen=True, slots=True)
class ChanceResult:
    """What chance answered: the values of all parts of the draw, in order."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A position as text, for a viewpoint; its first lines and columns show what the game is."""

    position: str
    lines: int
    columns: int
    viewpoint: Viewpoint = None


@dataclass(frozen=True, slots=True)
class Board:
    """A position as one viewpoint may see it.

    `lines` is the picture, at most 72 columns, empty where it would be wider; `facts` hold all that
    it says, for the words of the templates (legend, spoken board). No sentence is in either.
    """

    lines: tuple[str, ...]
    facts: Facts


@dataclass(frozen=True, slots=True)
class Transition(Generic[P, M]):
    """A ply or a draw with the positions before and after it."""

    move: M | ChanceResult
    before: P
    after: P


@dataclass(frozen=True, slots=True)
class Marks(Generic[P, M]):
    """What a picture shows besides the position.

    `since` is what happened since the reader's last turn, first to last; `names` are the seats'
    names in seat order, as many as are known, `signs` their letters; `idle` is set where nobody may
    move, whatever the game would have next (all agreed on a draw, a seat waits to be taken),
    `plain` where what can be moved to is not marked. `word` says a word in the reader's language.
    """

    transitions: tuple[Transition[P, M], ...] = ()
    names: tuple[str, ...] = ()
    letters: SeatLetters = ()
    is_idle: bool = False
    hides_choices: bool = False
    translate: Translate = str

    def name(self, seat: int) -> str:
        """The name of a seat, empty where it is not known."""
        return self.names[seat - 1] if seat <= len(self.names) else ""


@dataclass(frozen=True, slots=True)
class Hotspot:
    """A circle on a picture around what a move can name, below those that come later in a list."""

    name: str
    x: float
    y: float
    radius: float


class BoardFunction(Protocol[P_contra]):
    """How a game shows a position."""

    def __call__(
        self, position: P_contra, viewpoint: Viewpoint, style: Style, signs: SeatLetters = (), /
    ) -> Board:
        """What a viewpoint sees."""


@dataclass(frozen=True, slots=True)
class PartialMove(Generic[P, M]):
    """A move half made: what is done of it, and what is asked next.

    `move` is what is to be marked, `places` are more than those of the position, by their words.
    """

    position: P
    move: M | None
    facts: Facts
    hotspots: tuple[Hotspot, ...] = ()


def _nothing_done(position: P, _text: str, _next: Sequence[str]) -> PartialMove[P, Any]:
    """Where nobody says more, the board stays."""
    return PartialMove(position, None, {"kind": "next"})


def _one_world(position: P, _seat: Seat, _choose: Callable[[int], int]) -> P:
    """Where nothing is hidden there is one."""
    return position


def _nothing(*_a: object) -> tuple[Any, ...]:
    """Most games need none of it; of one that nobody has judged all positions are alike."""
    return ()


def _no_picture(*_a: object) -> str:
    return ""


def _none(*_a: object) -> None:
    """Most games force nothing and obey nothing."""


def _no_draw_offers(_options: Options) -> bool:
    return False


def _seats_by_option(options: Options) -> bool:
    return options.get("seat_order") == "random"


def _no_facts(*_a: object) -> Facts:
    return {}


def _no_agreement(_position: object) -> Any:
    raise Rejection("no_draw_offers")


def _all_known(position: P, seat: Seat) -> P:  # noqa: ARG001 - the shape of the hook
    return position


def _nothing_revealed(_before: object, _after: object, _whose: Viewpoint) -> bool:
    """Most games hide nothing."""
    return False


def _chance_text(_position: object, drawn: ChanceResult) -> str:
    return " ".join(map(str, drawn.values))


def _read_chance(text: str, position: object) -> ChanceResult:
    del position
    try:
        return ChanceResult(tuple(int(word) for word in text.split()))
    except ValueError:
        raise Rejection("unreadable", word=text) from None


@dataclass(frozen=True, kw_only=True, slots=True)
class Game(Generic[P, M]):
    """One edition of one game. Its functions are pure; a refusal is a `Rejection`.

    key, edition: `logger` and 1; together the ruleset `logger-1`.
    seats: the numbers of seats that it can be played with.
    words: matches a word that only an order of this game is likely to have; a line without one is
        a comment.
    vocabulary: what else people write for the words of its moves, in English and other languages;
        `parse` takes it, and emails say moves in the reader's language by it.
    initial(seats, options): the position before the first ply.
    turn(position): who must act, or what must be drawn, or how it ended.
    legal(position): every legal turn of the seat to act; its legal steps, each a turn of its own,
        where whole turns are too many to list.
    forced(position): the only move of the seat to act where the server plays it by itself.
    parse(text, position, seat): forgiving reading of what a player typed, with completions.
    read(canonical, position): strict reading of what `notation` wrote.
    play(position, move): the next position; takes complete and legal turns only, and refuses others
        with the same codes.
    leave(position, seat): the position after a seat resigned or fell.
    facts(move_or_drawn, before, after): what happened, for the words of the templates; public.
    board(position, viewpoint, style, signs): what a viewpoint sees; seats have these letters.
    picture(position, viewpoint, marks): the same as an SVG document; nothing that the viewpoint may
        not know is anywhere in it.
    places(position, viewpoint): what moves may name, where it is on that picture.
    longer(position, move): the legal turns that begin with a legal one and have a step more.
    half(position, text, following): a move as far as a text goes, with which words it may go on.
    orders(text, begun): a legal move with its parts in other orders, to go on from what is begun.
    dump(position), load(text): a position as one line of text, and back.
    draws_seats(options): whether chance decides which player gets which seat; else an option
        `seat_order` says so by its value `random`.
    draw_offers(options): whether players may agree on a draw.
    agree(position): the position after all agreed on a draw; the game is over there.
    claimed(position): the same after a draw that any seat may claim, None where none may.
    offer_outlives_answerer: whether a draw offer still stands after another seat's turn; else it
        lapses then. Where it does, it lapses with the next turn of the seat that made it.
    value(position): what it is worth to each seat, in whole numbers, by what a good player looks
        at, and at the end as `worth.at_the_end` has it. Bots ask it, and what is told later.
    lesson: what a first match teaches, in this order.
    worlds(position, seat, choose): a position that may be this one, by all that a seat knows;
        `choose(n)` gives a number from 0 to n - 1.
    secrets: whether some draws are secret, so that a second chain is committed to.
    known(position, seat): the position as far as a seat knows it, where something is hidden: moves
        are tried in that, and `play`, `facts` and `board` take it as any other.
    reveals(before, after, seat): whether a turn has shown it, or anybody, what it had not seen.
    chance_notation, read_chance: a drawn value as text, and back.
    standing(text): a standing order in canonical form, None where the text is none; any seat may
        give one at any time, and only that seat may see it.
    example: a position for who has never seen the game.
    reserved: where letters tell seats apart, those that none may have: signs of the board, or what
        would be read as a move. None where colours do.
    obey(position, order): the move that the standing order of the seat to act makes now, if any.
    random_plies: within how many plies random play ends, if it does: a game whose positions nobody
        values has bots only then.
    away: its rules are not installed, so that its matches cannot be played (games/missing.py).
    """

    key: str
    edition: int
    title: str
    seats: tuple[int, ...]
    move_words: re.Pattern[str]
    initial_position: Callable[[int, Options], P]
    turn: Callable[[P], Turn]
    legal_moves: Callable[[P], Sequence[M]]
    parse: Callable[[str, P, Seat], M]
    read_notation: Callable[[str, P], M]
    notation: Callable[[M], str]
    play: Callable[[P, M | ChanceResult], P]
    leave: Callable[[P, Seat], P]
    board: BoardFunction[P]
    dump: Callable[[P], str]
    load: Callable[[str], P]
    options: tuple[Option, ...] = ()
    vocabulary: Vocabulary = NO_VOCABULARY
    move_facts: Callable[[M | ChanceResult, P, P], Facts] = _no_facts
    is_seat_order_drawn: Callable[[Options], bool] = _seats_by_option
    evaluate: Callable[[P], tuple[int, ...]] = _nothing
    lesson: tuple[Topic[P, M], ...] = ()
    determinize: Callable[[P, Seat, Callable[[int], int]], P] = _one_world
    picture: Callable[[P, Viewpoint, Marks[P, M]], str] = _no_picture
    hotspots: Callable[[P, Viewpoint], tuple[Hotspot, ...]] = _nothing
    extensions: Callable[[P, M], Sequence[M]] = _nothing
    partial_move: Callable[[P, str, Sequence[str]], PartialMove[P, M]] = _nothing_done
    permutations: Callable[[str, str], tuple[str, ...]] = _nothing
    forced_move: Callable[[P], M | None] = _none
    can_offer_draw: Callable[[Options], bool] = _no_draw_offers
    agree_draw: Callable[[P], P] = _no_agreement
    claim_draw: Callable[[P], P | None] = _none
    has_lasting_draw_offers: bool = False
    has_secret_draws: bool = False
    redact: Callable[[P, Seat], P] = _all_known
    reveals: Callable[[P, P, Viewpoint], bool] = _nothing_revealed
    chance_notation: Callable[[P, ChanceResult], str] = _chance_text
    read_chance: Callable[[str, P], ChanceResult] = _read_chance
    parse_standing_order: Callable[[str], str | None] = _none
    apply_standing_order: Callable[[P, str], M | None] = _none
    example: Example | None = None
    reserved_letters: str | None = None
    max_random_plies: int | None = None
    is_missing: bool = False

    @property
    def ruleset(self) -> str:
        """The name under which matches record these rules, as in `logger-1`."""
        return f"{self.key}-{self.edition}"

    @property
    def colours(self) -> ColourChoice | None:
        """The option that names the seats' colours, where players may choose theirs."""
        return next((one for one in self.options if isinstance(one, ColourChoice)), None)

    @property
    def has_evaluation(self) -> bool:
        """Whether somebody has said what its positions are worth."""
        return self.evaluate is not _nothing

    @property
    def has_draw_offers(self) -> bool:
        """Whether any options of this game allow draws by agreement."""
        return self.can_offer_draw is not _no_draw_offers

    def try_move(self, position: P, move: M, seat: Seat) -> P:
        """The position after a move that is only tried, as far as its seat can know it."""
        return self.play(self.redact(position, seat), move)

    def outcome(self, position: P) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        turn = self.turn(position)
        return turn.outcome if isinstance(turn, GameOver) else None

    def normalise_options(
        self, typed: Mapping[str, str], *, offered: bool = True
    ) -> dict[str, str]:
        """All options with their values: the typed ones normalised, defaults for the rest.

        With `offered` false also the values that only the engine takes. Raises Rejection
        `bad_option` for a name or value that this game does not have.
        """
        return normal_options(self.options, typed, offered=offered)
