"""The lines of a letter that are no order: PLAY 2, the answer accounts for every one."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail.free_text import rest_of
from pbem.mail.reply_text import TYPED
from pbem.matches.match import Status
from pbem.notices.replies import OrderResult
from pbem.notices.views.examples import first_moves
from pbem.orders.handlers.draw_offers import is_playing

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.games import AnyGame
    from pbem.mail.free_text import Reading, Rest
    from pbem.mail.verbs.vocabulary import Vocabulary
    from pbem.matches.match import Match
    from pbem.names import MatchId
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


_MATCHES, _LINES, _LONGEST = 10, 5, 80
"""How many matches and lines are looked at for a move, and the characters of a line."""

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


def rest_here(context: LetterContext, reading: Reading) -> Rest:
    """What of a letter is no order, in the match that it answers."""
    match = context.match(context.home) if context.home is not None else None
    to_move = match is not None and match.seat_of(context.sender) in match.to_act
    return rest_of(
        reading,
        context.house.words,
        unnamed=_unnamed_move(context, reading) if not reading.orders else None,
        to_move=match.game if match is not None and to_move else None,
        names=partial(context.names, match) if match is not None else tuple,
    )


def _unnamed_move(context: LetterContext, reading: Reading) -> Rejection | None:
    """Which matches may be meant, if a line is a move, but none in the match that is answered.

    A digest of several matches is answered so, and who takes one mail for another writes so.
    """
    rows = context.own_matches((Status.RUNNING.value,))
    waits = (row for row in rows if context.sender in row.to_act and row.id != context.home)
    asked_of = [context.match(row.id) for row in waits][:_MATCHES]
    for line in reading.comments[:_LINES]:
        meant: list[MatchId] = [one.id for one in asked_of if _is_move(context, one, line)]
        if meant:
            return Rejection("which_match", matches=meant, move=line)
    return None


def _is_move(context: LetterContext, match: Match, line: str) -> bool:
    seat = match.seat_of(context.sender)
    if seat is None or len(line) > _LONGEST:
        return False
    text = context.house.words.game_text(match.game, line)
    with suppress(Rejection):
        match.game.parse(text, match.position, seat)
        return True
    return False
