"""What is understood of a raw reply to a mail of ours, the way intake does it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Game, Seat
from pbem.legacy.mail.free_text import (
    Reading,
    Readings,
    is_order,
    move_said,
    read_orders,
    said_move,
    typed_subject,
)
from pbem.legacy.mail.letter import Letter, read_letter
from pbem.legacy.mail.lines import OwnText
from pbem.legacy.mail.reply_text import Typed, fingerprints, typed_text
from pbem.legacy.mail.verbs.playing import Move
from pbem.legacy.mail.verbs.vocabulary import ENGLISH

SITE_ADDRESS = "games@pbem.example"


def game_of(ruleset: str) -> AnyGame:
    """A game by its ruleset, from its own package."""
    found = import_module(f"pbem.games.{ruleset.rpartition('-')[0]}").GAME
    assert isinstance(found, Game)
    return found


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A mail of ours, the position that it asks about, and some moves that are legal there."""

    key: str
    raw: bytes
    name: str
    ruleset: str
    position: str
    seat: int
    moves: tuple[str, ...]

    @cached_property
    def letter(self) -> Letter:
        """The mail as anybody reads it."""
        return read_letter(self.raw)

    @property
    def text(self) -> str:
        """Its text part."""
        return (self.letter.text or "").rstrip("\n")

    @property
    def html(self) -> str:
        """Its HTML part, empty where it has none."""
        return self.letter.html or ""

    @property
    def address(self) -> str:
        """The reply address."""
        assert self.letter.sender is not None
        return self.letter.sender

    @property
    def subject(self) -> str:
        """Its subject."""
        return self.letter.subject

    @cached_property
    def game(self) -> AnyGame:
        """The game of its match."""
        return game_of(self.ruleset)

    @cached_property
    def own(self) -> OwnText:
        """What is known of it when an answer comes."""
        return OwnText(
            addresses=frozenset({SITE_ADDRESS, self.address.casefold()}),
            display_name=self.name,
            fingerprints=fingerprints(self.text, self.html or None),
        )

    def is_order(self, line: str) -> bool:
        """Whether a line would be an order in a reply."""
        return is_order(line, self.game)

    def plays(self, text: str) -> str | None:
        """The canonical move that a text is, or None."""
        position = self.game.load(self.position)
        try:
            return self.game.notation(self.game.parse(text, position, Seat(self.seat)))
        except Rejection:
            return None


@dataclass(frozen=True, slots=True)
class Understood:
    """What a reply says.

    words: what was typed. orders: all but moves. plays: the canonical move that is played, if any.
    asks: the moves that the player is asked about; None where it does not matter which.
    """

    words: str
    orders: tuple[str, ...] = ()
    plays: str | None = None
    asks: tuple[str, ...] | None = ()
    conflict: bool = False
    own_lines: tuple[str, ...] = ()

    def meets(self, wanted: Understood) -> bool:
        """Whether this is what was wanted."""
        return self == (replace(wanted, asks=self.asks) if wanted.asks is None else wanted)


def understand(raw: bytes, sent: Sent) -> Understood:
    """Read a reply to a mail of ours from its bytes, and say what would come of it."""
    letter = read_letter(raw, envelope_to=sent.address, own_addresses=(SITE_ADDRESS,))
    typed = typed_text(letter.text, letter.html, sent.own, sent.is_order)
    reading = read_orders(typed.lines, sent.game)
    if not reading.orders:
        subject = typed_subject(letter.subject, sent.subject)
        in_subject = read_orders([subject], sent.game) if subject is not None else reading
        reading = in_subject if in_subject.orders else reading
    plays, asks = made_of(reading, sent)
    return Understood(
        words=" ".join(" ".join(typed.lines).split()),
        orders=tuple(repr(one.order) for one in reading.orders if not isinstance(one.order, Move)),
        plays=plays if not typed.conflict else None,
        asks=asks,
        conflict=typed.conflict,
        own_lines=_own(typed, sent),
    )


def made_of(reading: Reading, sent: Sent) -> tuple[str | None, tuple[str, ...]]:
    """The move that is played, and those that are asked about."""
    tried = Readings(sent.game, sent.game.load(sent.position), Seat(sent.seat))
    if not reading.orders:
        reading = said_move(reading, tried, ENGLISH, frozenset) or reading
    moves = [one for one in reading.orders if isinstance(one.order, Move)]
    if not moves:
        return None, ()
    said = move_said(moves, reading.pieces, tried, ENGLISH)
    if said.asked is not None:
        return None, (said.asked.notation,)
    refused = said.order.refused if said.order is not None else None
    if said.order is None or refused is not None:
        candidates = refused.facts.get("candidates", ()) if refused is not None else ()
        return None, tuple(map(str, candidates)) if isinstance(candidates, list) else ()
    move = said.order.order
    return (tried.move(move.text) if isinstance(move, Move) else None), ()


def _own(typed: Typed, sent: Sent) -> tuple[str, ...]:
    return tuple(
        line for line in typed.lines if line and fingerprints(line) & sent.own.fingerprints
    )
