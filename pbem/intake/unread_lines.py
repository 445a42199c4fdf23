"""The lines of a letter that are no order: PLAY 2, the answer accounts for every one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.mail.reply_text import TYPED
from pbem.matches.match import Status
from pbem.notices.replies import OrderResult
from pbem.notices.views.examples import first_moves
from pbem.orders.handlers.draw_offers import is_playing

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.games import AnyGame
    from pbem.mail.free_text import Rest
    from pbem.mail.verbs.vocabulary import Vocabulary
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


_HINTS: Final = 3
"""Verbs that are told of at most."""

_WHOLE: Final = {
    "away": "away 5 days",
    "say": "say Hello!",
    "address add": "address add ann@work.example",
}
"""Verbs that are no order alone, as they could be written."""

_EXAMPLES: Final = 2
"""Examples of one that are shown at most."""


def account_for_rest(txn: Transaction, rest: Rest) -> None:
    """Tell of the lines that were no order, and that the others do not get; in their order."""
    for miss in rest.meant:
        facts: Facts = {"word": miss.word, "near": list(miss.near)}
        _tell(txn, miss.line, "not_understood", facts)
    txn.results.sort(key=lambda result: _place(result.typed, rest.lines))


def tell_left_out(txn: Transaction, left_out: int) -> None:
    """Tell that so many bytes at the end of a letter were not read, if any (MAIL 1)."""
    if not left_out:
        return
    facts: Facts = {"kilobytes": TYPED >> 10}
    told = OrderResult(typed="", status="refused", outcome="left_out", facts=facts)
    txn.results.append(told)


def _place(typed: str, lines: tuple[str, ...]) -> int:
    """Where in a letter an order begins; what names its match is shown without the name."""
    first = typed.partition("\n")[0]
    return next((n for n, line in enumerate(lines) if line.endswith(first)), len(lines))


def hinted(context: LetterContext, rest: Rest) -> list[str]:
    """The orders that a letter without any speaks of, as far as they would work here."""
    match = context.match(context.home) if context.home is not None else None
    running = match is not None and match.status is Status.RUNNING
    invited = match is not None and match.status is Status.CHALLENGE
    draws = match is not None and running and is_playing(context, match.id)
    works = {
        "resign": running,
        "undo": running,
        "board": match is not None,
        "history": match is not None,
        "offer draw": draws,
        "accept": invited,
        "decline": invited,
        "rematch": match is not None and match.status is Status.ENDED,
        "say": match is not None,
        "claim": running,
        "help move": running,
        "help board": match is not None,
    }
    asked = dict.fromkeys((*rest.wanted, *rest.mentioned))
    known = [order for order in asked if works.get(order, True)]
    return list(dict.fromkeys(_WHOLE.get(order, order) for order in known))[:_HINTS]


def written(word: str, words: Vocabulary, game: AnyGame | None) -> list[str]:
    """How an order is written, by examples; those with moves have moves of the game."""
    examples = words.verbs[word].examples[:_EXAMPLES]
    move, answer = map(game.notation, first_moves(game)) if game else ("MOVE", "MOVE")
    return [example.format(move=move, answer=answer) for example in examples]


def _tell(txn: Transaction, typed: str, outcome: str, facts: Facts | None = None) -> None:
    result = OrderResult(
        typed=typed, status="refused", outcome=outcome, facts=facts or {}, of_seat=True
    )
    if all(typed != known.typed for known in txn.results):
        txn.results.append(result)
