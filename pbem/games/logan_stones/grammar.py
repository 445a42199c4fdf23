"""The grammar of typed turns (LS-7.2), which parses words into a `Draft`.

A second turn in the text is a mistake. If there are several mistakes, the one that comes
first in the rulebook's table is reported (LS-8.1). `resolve` checks the draft against the
position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pbem.errors import Rejection
from pbem.games.logan_stones.draws import HAND
from pbem.games.logan_stones.lexicon import Kind, Word, words
from pbem.games.logan_stones.stones import Symbol
from pbem.games.logan_stones.vocabulary import VOCABULARY

_FAULTS: Final = ("no_pass", "unreadable")  # codes of LS-8.9 and LS-8.10, in that order

_MORE_OF_AN_ADD: Final = frozenset({Kind.PLACE, Kind.NUMBER, Kind.SYMBOL, Kind.TO})


@dataclass(slots=True)
class Draft:
    """A turn as typed: parsed, but not yet checked against the position.

    Attributes:
        verb: The kind of turn, or None if no word names it.
        number: The number of the stone in hand, if it is named.
        symbol: The symbol that is to be on top, if it is named.
        turned: Whether a word asks to turn the stone over.
        places: The named spaces of the board, in the order of typing.
        is_adding: Whether a stone's number or a symbol came first, so that only one space can
            follow.
        is_moving: Whether an arrow or `to` follows a space, which makes the turn a move.
        awaits_space: Whether the last word, such as `to`, must be followed by a space of the board.
        typed: The words of the turn.
    """

    verb: Kind | None = None
    number: int | None = None
    symbol: Symbol | None = None
    turned: bool = False
    places: list[Word] = field(default_factory=list)
    is_adding: bool = False
    is_moving: bool = False
    awaits_space: bool = False
    typed: list[str] = field(default_factory=list)

    def kind(self, *, holding: bool) -> Kind:
        """Return the kind of turn: an add, a move or a flip.

        `holding` is True if the seat to move has stones in hand. In that case, a space alone, as in
        `L21`, means an add; otherwise it means an incomplete move.
        """
        if self.verb is not None:
            return self.verb
        if self.is_moving or len(self.places) > 1:
            return Kind.MOVE
        return Kind.ADD if self.is_adding or holding else Kind.MOVE

    @property
    def is_full(self) -> bool:
        """Return whether the draft has as many spaces as one turn can have.

        A further space begins a second turn.
        """
        if self.verb is Kind.MOVE or self.is_moving:
            return len(self.places) > 1
        return len(self.places) > (self.verb is None and not self.is_adding)


class Reader:
    """A parser that reads the words of a typed turn from left to right."""

    def __init__(self, text: str, *, holding: bool) -> None:
        """Split a text into words; `holding` is True if the seat to move has stones in hand."""
        self.words = list(words(VOCABULARY.normalise(text)))
        self.holding = holding
        self.index = 0
        self.drafts = [Draft()]
        self.faults: dict[str, Rejection] = {}

    def read(self) -> Draft | None:
        """Return the draft of the text, or None if the text has no words.

        Raises:
            Rejection: A word is unreadable, or there is a second turn.
        """
        while self.index < len(self.words):
            word = self.words[self.index]
            self.index += 1
            self._word(word)
        for code in _FAULTS:
            if code in self.faults:
                raise self.faults[code]
        if len(self.drafts) > 1:  # LS-7.9
            raise Rejection("two_orders", orders=[" ".join(d.typed) for d in self.drafts[:2]])
        return self.drafts[0] if self.words else None

    @property
    def _draft(self) -> Draft:
        return self.drafts[-1]

    def _next_order(self) -> None:
        if self._draft.typed:
            self.drafts.append(Draft())

    def _say(self, word: Word) -> Draft:
        self._draft.typed.append(word.text)
        return self._draft

    def _word(self, word: Word) -> None:
        word = self._interpret(word)
        match word.kind:
            case Kind.ADD | Kind.MOVE | Kind.FLIP:
                self._next_order()
                self._say(word).verb = word.kind
            case Kind.TURN:
                self._say(word).turned = True
            case Kind.SYMBOL:
                self._symbol(word)
            case Kind.TO:
                self._to(word)
            case Kind.ARROW:
                self._arrow(word)
            case Kind.PLACE:
                self._place(word)
            case Kind.NUMBER:
                self._number(word)
            case Kind.PASS | Kind.OVER | Kind.OTHER:
                self._fault(word)

    def _peek(self, ahead: int = 0) -> Word | None:
        index = self.index + ahead
        return self.words[index] if index < len(self.words) else None

    def _interpret(self, word: Word) -> Word:
        if self._draft.awaits_space and word.is_letter:
            return word.as_row()
        return Word(Kind.TURN, word.text) if self._says_turned(word) else word

    def _says_turned(self, word: Word) -> bool:
        """Return whether the word asks to turn the stone over, as `flip` does in `1 L21 flip`.

        `flip` asks for this if it follows other words, and no space of the board comes after it.
        `over` asks for it in a flip, as in `flip M22 over`. It also does so after a word that asks
        for it, as in `1 L21 flip over`.
        """
        draft, after = self._draft, self._peek()
        if word.kind is Kind.OVER:
            return draft.verb is Kind.FLIP or draft.turned
        goes_on = after is not None and (after.kind is Kind.TO or after.can_be_place)
        return word.kind is Kind.FLIP and bool(draft.typed) and not goes_on

    def _fault(self, word: Word) -> None:
        if word.kind is Kind.PASS:
            self.faults.setdefault("no_pass", Rejection("no_pass"))
        else:
            self.faults.setdefault("unreadable", Rejection("unreadable", word=word.text))

    def _symbol(self, word: Word) -> None:
        if self._draft.symbol is not None:
            # A second symbol letter can only be a row.
            if word.is_letter and not self._draft.is_full:
                self._place(word.as_row())
                return
            self._next_order()
        draft = self._say(word)
        draft.symbol = word.symbol
        draft.is_adding = draft.is_adding or not draft.places

    def _to(self, word: Word) -> None:
        draft = self._draft
        if draft.awaits_space:
            self._fault(word)
        elif draft.places and draft.number is None and draft.verb in (None, Kind.MOVE):
            draft.is_moving = True
        if self._draft.is_full:
            self._next_order()
        self._say(word).awaits_space = True

    def _arrow(self, word: Word) -> None:
        draft = self._draft
        if draft.number is not None and not draft.places and not draft.awaits_space:
            self._to(word)  # `1 -> L21` is an add
            return
        between = len(draft.places) == 1 and draft.number is None and not draft.awaits_space
        if between and draft.verb in (None, Kind.MOVE):
            draft.is_moving = draft.awaits_space = True
            self._say(word)
        else:
            self._fault(word)

    def _place(self, word: Word) -> None:
        if self._draft.is_full:
            self._next_order()
        draft = self._say(word)
        draft.places.append(word)
        draft.awaits_space = False

    def _number(self, word: Word) -> None:
        if not self._draft.awaits_space and self._draft.is_full:
            self._next_order()
        if self._is_stone(word):
            draft = self._say(word)
            draft.number, draft.is_adding = word.number, True
        else:
            self._place(word.as_number())

    def _is_stone(self, word: Word) -> bool:
        """Return whether the number names a stone in hand, not a space without its row letter."""
        draft = self._draft
        is_complete = draft.awaits_space or draft.places or draft.number is not None
        if is_complete or draft.verb in (Kind.MOVE, Kind.FLIP) or word.number is None:
            return False
        following = self._peek()
        next_kind = following.kind if following is not None else None
        if next_kind is Kind.ARROW and not self._is_sent_to_a_space():
            return False
        if 1 <= word.number <= HAND:
            return True
        # LS-8.19: in `12 L21`, no stone has the number 12, but the rest of the turn is an add.
        return next_kind in _MORE_OF_AN_ADD and (self.holding or draft.verb is Kind.ADD)

    def _is_sent_to_a_space(self) -> bool:
        """Return whether the arrow after a stone's number points to a space, as in `1 -> L21`.

        The result is False if the seat to move has no stones in hand.
        """
        target = self._peek(1)
        return self.holding and target is not None and target.is_complete
