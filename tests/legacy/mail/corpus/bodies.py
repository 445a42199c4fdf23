"""What people type into a reply, and what must be understood of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.legacy.mail.corpus.understood import Sent


@dataclass(frozen=True, slots=True)
class Body:
    """Typed text; the orders in it that are no moves; the move that is played, or those to ask."""

    typed: str
    orders: tuple[str, ...] = ()
    plays: str | None = None
    asks: tuple[str, ...] | None = ()


Maker = Callable[[Sent], Body]


def _one(around: str) -> Maker:
    """A move in its canonical form, which stands for `{}`."""
    return lambda sent: Body(around.format(sent.moves[0]), plays=sent.moves[0])


def _changed(change: Callable[[str], str]) -> Maker:
    """A move as keyboards and phones change it."""
    return lambda sent: Body(change(sent.moves[0]), plays=sent.moves[0])


def _orders(typed: str, *orders: str) -> Maker:
    return lambda _sent: Body(typed, orders)


def _said(sent: Sent) -> Body:
    move = sent.moves[0]
    return Body(f"{move}\nsay Well played!", ("Say(text='Well played!')",), move)


def _two(sent: Sent) -> Body:
    one, other = sent.moves[:2]
    return Body(f"{one}\n\n{other}", asks=(one, other))


def _twice(sent: Sent) -> Body:
    move = sent.moves[0]
    return Body(f"{move}\n\nAnd once more:\n\n{move}", plays=move)


def _doubtful(around: str) -> Maker:
    """A move that is not to be played before the player has said that it is meant."""
    return lambda sent: Body(around.format(sent.moves[0]), asks=None)


def _dashed(sent: Sent) -> Body:
    """Where each clause is a move of its own, a dash may as well stand between two of them."""
    move = sent.moves[0]
    typed = move.replace("; ", " — ")
    clauses = sent.ruleset.startswith("looney_ludo") and "; " in move
    return Body(typed, asks=None) if clauses else Body(typed, plays=move)


BODIES: Final[dict[str, Maker]] = {
    "move": _one("{}"),
    "greeting": _one("Hi Bob,\n\n{}\n\nGood luck!\nAnn"),
    "hallo": _one("Hallo Bob,\n\n{}\n\nViel Glück und schöne Grüße\nAnn"),
    "salut": _one("Salut Bob !\n\n{}\n\nBonne chance, à bientôt\nAnn"),
    "hola": _one("¡Hola!\n\n{}\n\nUn saludo,\nAna"),
    "привет": _one("Привет!\n\n{}\n\nУдачи,\nАнна"),
    "こんにちは": _one("こんにちは。\n\n{}\n\nよろしくお願いします。"),
    "你好": _one("你好！\n\n{}\n\n谢谢"),
    "שלום": _one("שלום,\n\n{}\n\nתודה"),
    "full stop": _one("{}."),
    "capitals": _changed(lambda move: move[:1].upper() + move[1:]),
    "shouted": _changed(str.upper),
    "sentence": _one("I'll play {}"),
    "my move": _one("My move is: {}, good luck!"),
    "ich ziehe": _one("Ich ziehe {}, viel Glück!"),
    "emoji": _one("{} 🙂"),
    "smart quotes": _one("“{}”"),
    "parentheses": _one("({})"),
    "bold": _one("*{}*"),
    "thin spaces": _changed(lambda move: move.replace(" ", "\u2009")),
    "no-break spaces": _changed(lambda move: move.replace(" ", "\u00a0")),
    "em dashes": _dashed,
    "wrapped": _changed(lambda move: move.replace("; ", ";\n")),
    "chatter": _one(
        "Thanks for the quick answer, I did not see that coming.\n\n{}\n\nWe are back from the sea,"
        " so I can answer every day now."
    ),
    "said": _said,
    "board": _orders("board", "ShowBoard(ply=None)"),
    "help": _orders("Help!", "Help(topic=None)"),
    "resign": _orders("resign", "Resign(sure=False)"),
    "yes": _orders("Yes", "Yes()"),
    "talk": _orders("Let me think about it until tomorrow."),
    "thanks": _orders("Thanks Bob, great game so far!\n\nAnn"),
    "empty": _orders(""),
    "two": _two,
    "twice": _twice,
    "guarded": _one("#3 {}"),
    "denied": _doubtful("I would never play {}"),
    "asking": _doubtful("Can I play {}?"),
    "wavering": _doubtful("{}, or is that a mistake?"),
}
