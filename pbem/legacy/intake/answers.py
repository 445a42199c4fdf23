"""What is said of what was not read: a letter without an order, and lines that are no order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from pbem.legacy.delivery.records import list_games
from pbem.errors import Rejection
from pbem.legacy.mail.free_text import read_orders, rest_of, shown_for
from pbem.legacy.mail.reply_text import TYPED
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import OPEN
from pbem.legacy.notices.replies import NoOrderFound, OrderRefused, OrderResult, QuestionAsked
from pbem.legacy.notices.views.footer import first_moves
from pbem.legacy.orders.handlers.accepting import is_asked, is_playing
from pbem.legacy.orders.handlers.showing import card_of
from pbem.legacy.orders.powers import Power, require
from pbem.legacy.orders.reply_context import ask_again, open_questions
from pbem.legacy.store.mails import outbox
from pbem.legacy.store.people import rates
from pbem.legacy.transaction.coalescing import BEARINGS
from pbem.legacy.transaction.installation import match_at, match_stream
from pbem.legacy.transaction.limits import answers_no_order
from pbem.legacy.transaction.timers import QUESTIONS_LIVE

if TYPE_CHECKING:
    from pbem.errors import Fact, Facts
    from pbem.games import AnyGame
    from pbem.legacy.mail.free_text import Reading, Rest
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary
    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.transaction.transaction import Transaction


# --- unread lines --------------------------------------------------------------------------------
# The lines of a letter that are no order: PLAY 2, the answer accounts for every one.

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

_BEGUN: Final = (Status.RUNNING, Status.ENDED)

_EXAMPLES: Final = 2
"""Examples of one that are shown at most."""

_WORD: Final = re.compile(r"(?<![^\W_])[^\W\d_]{3,20}(?![^\W_])")
_ASKED: Final = 24
"""Words of a question that are looked at."""


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
    match = context.matches.match(context.home) if context.home is not None else None
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


def shows_what_is_asked_for(context: LetterContext, reading: Reading) -> Reading | None:
    """What a letter asks for in words and nothing else, if all of it only shows something.

    Not where a question of ours is open, or an invitation is answered: it says so once more.
    """
    match = context.matches.match(context.home) if context.home is not None else None
    names = context.names(match) if match is not None else frozenset()
    wanted = shown_for(reading.comments, names)
    if not wanted or (context.answered is not None and open_questions(context)):
        return None
    begun = match is not None and match.status in _BEGUN
    ended = match is not None and match.status is Status.ENDED
    works = {"board": begun, "history": begun, "record": ended, "replay": ended,
             "help board": begun, "help move": begun}  # fmt: skip
    if not all(works.get(order, True) for order in wanted):
        return None
    shown = read_orders(wanted, None, words=context.matches.house.words)
    return replace(reading, orders=shown.orders, near_misses=())


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
    match = context.matches.match(context.home) if context.home is not None else None
    to_move = match is not None and match.seat_of(context.sender) in match.to_act
    return rest_of(
        reading,
        context.matches.house.words,
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
    asked_of = [context.matches.match(row.id) for row in waits][:_MATCHES]
    for line in reading.comments[:_LINES]:
        meant: list[MatchId] = [one.id for one in asked_of if _is_move(context, one, line)]
        if meant:
            return Rejection("which_match", matches=meant, move=line)
    return None


def _is_move(context: LetterContext, match: Match, line: str) -> bool:
    seat = match.seat_of(context.sender)
    if seat is None or len(line) > _LONGEST:
        return False
    text = context.matches.house.words.game_text(match.game, line)
    with suppress(Rejection):
        match.game.parse(text, match.course.position, seat)
        return True
    return False


# --- no order ------------------------------------------------------------------------------------
# What is said of a letter without an order: what may be meant, or where its writer stands.

_ANSWERS: Final[Mapping[str, str]] = {"join": "accept", "yes": "accept"}
"""What is said to an invitation in other words."""

AGAIN: Final = timedelta(days=1)
"""When somebody who writes about no match is told again what they could write."""


def nothing_to_do(txn: Transaction, context: LetterContext, rest: Rest) -> bool:
    """Say what may have been meant; a near miss is never carried out. Whether anything is said."""
    if txn.has_news:
        return True
    if (order := _order_meant(context, rest)) is not None:
        ask_about_order(txn, context, order)
    elif rest.unnamed is not None:
        refuse_letter(txn, context, rest.unnamed)
    elif rest.near_misses:
        ask_again(txn, context)
        _tell_near(txn, context, rest)
    else:
        return _tell_bearings(txn, context, rest)
    return True


def _order_meant(context: LetterContext, rest: Rest) -> str | None:
    """The order that a line ends with, if it could be carried out now."""
    match = context.matches.match(context.home) if context.home is not None else None
    if rest.order is None or match is None:
        return None
    order = _ANSWERS.get(rest.order, rest.order)
    invited = match.status is Status.CHALLENGE and context.sender in match.waiting_for
    plays = match.status is Status.RUNNING and match.seat_of(context.sender) is not None
    works = {
        "accept": invited or (plays and is_asked(context.sender, match)),
        "decline": invited or (plays and is_asked(context.sender, match)),
        "undo": plays,
        "rematch": match.status is Status.ENDED,
        "offer draw": plays and match.game.draw_offers(match.terms.options),
    }
    return order if works[order] else None


def ask_about_order(
    txn: Transaction, context: LetterContext, order: str, unread: Sequence[str] = ()
) -> None:
    """Ask whether an order is meant; `yes` carries it out, while nothing else is played.

    `unread` is what else its letter says (MAIL 1).
    """
    match = txn.match(context.home) if context.home is not None else None
    facts: dict[str, Fact] = {"lines": [order]}
    if match is not None:
        facts |= {"match": match.id, "ply": match.course.ply, "version": match.version}
    rates.ask(
        txn.conn,
        f"{txn.cause}:order",
        player=txn.sender,
        kind="letter",
        facts=facts,
        expires_at=txn.now + QUESTIONS_LIVE,
    )
    txn.code = "order_meant"
    told: Facts = {"order": order, "unread": list(unread)}
    txn.answer(QuestionAsked(question="order", match=context.home, facts=told))


def refuse_letter(txn: Transaction, context: LetterContext, rejection: Rejection) -> None:
    """Refuse a letter as a whole."""
    txn.code = rejection.code
    refused = OrderRefused(
        match=context.home, typed="", code=rejection.code, facts=rejection.facts, of_seat=True
    )
    txn.answer(refused)


def _tell_near(txn: Transaction, context: LetterContext, rest: Rest) -> None:
    words = txn.house.words
    word, near, line = rest.near_misses[0]
    game = txn.match(context.home).game if context.home is not None else None
    how = written(word, words, game) if word in near else []
    if how and line.strip(" .!?:").casefold() == word and not words.answers(word):
        refuse_letter(txn, context, Rejection("order_incomplete", word=word, how=how))
        return
    facts: Facts = {"word": word, "near": list(near), "alone": words.answers(word), "how": how}
    refuse_letter(txn, context, Rejection("unknown_order", **facts))


def _tell_bearings(txn: Transaction, context: LetterContext, rest: Rest) -> bool:
    """Show the board and the words that work, or the list of matches; in short the second time.

    MAIL 4: every letter of a player is answered, but for the fourth of an hour that has no order.
    """
    require(context, Power.READ)
    match = txn.match(context.home) if context.home is not None else None
    if not answers_no_order(txn):
        return False
    brief = not rest.of_game and _told_before(txn, match)
    txn.code = "no_orders"
    txn.answer(
        NoOrderFound(
            match=context.home,
            text=bool(rest.lines),
            mentioned=tuple(hinted(context, rest)),
            waits=ask_again(txn, context),
            card=card_of(txn, context.home),
            brief=brief,
            asked=_asked(rest.lines) if match is not None else (),
        )
    )
    if match is None and not brief and context.own_matches(OPEN):
        list_games(txn, boards=False)
    return True


def _asked(lines: Sequence[str]) -> tuple[str, ...]:
    """The words of a letter that asks something, by which it is found what the rules say of it."""
    if not any("?" in line for line in lines):
        return ()
    words = _WORD.findall(" ".join(lines[:_LINES]).casefold())
    return tuple(dict.fromkeys(words))[:_ASKED]


def tell_wanted(txn: Transaction, context: LetterContext, rest: Rest) -> bool:
    """Tell the order for what a letter asks for in words, whose move is none; False if it is open.

    Whoever asks for their move back may name it, and it is nobody's fault of notation.
    """
    return bool(rest.wanted) and not txn.has_news and _tell_bearings(txn, context, rest)


def _told_before(txn: Transaction, match: Match | None) -> bool:
    """Whether the sender has been told all this, and nothing has been played since."""
    stream = match_stream(match.id) if match is not None else None
    mail = outbox.newest_of_kind(txn.conn, txn.sender, BEARINGS, stream)
    if mail is None:
        return False
    if match is None:
        return abs(txn.now - mail.queued_at) < AGAIN
    then = match_at(txn.conn, match.id, mail.version, txn.house.cache).match
    return (then.status, then.course.ply, then.course.taken_back) == (
        match.status,
        match.course.ply,
        match.course.taken_back,
    )
