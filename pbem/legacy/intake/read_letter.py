"""From bytes to an intent: a letter is read by the facts as they are, and nothing is changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.legacy.intake.answers import rest_here, shows_what_is_asked_for
from pbem.legacy.intake.doubtful_orders import doubted_lines, registration_lines
from pbem.legacy.intake.doubts import as_of, held_lines, says_no
from pbem.legacy.intake.intent import Intent
from pbem.legacy.intake.letters import for_each_seat, with_request
from pbem.legacy.intake.move_reading import (
    Findings,
    completed_move,
    labels_of,
    one_move,
    plain_move,
    said_move,
    whole_moves,
    with_misreading,
)
from pbem.legacy.intake.sender import Known, Sender, Stranger, identify, seats_written_to
from pbem.legacy.mail.authentication import Proof
from pbem.legacy.mail.automatic import COMPLAINT, read_bounce, read_complaint
from pbem.legacy.mail.free_text import (
    Answer,
    Reading,
    Rest,
    TypedOrder,
    answer_of,
    game_named,
    is_order,
    plain_answer,
    read_orders,
    typed_subject,
    without_language,
)
from pbem.legacy.mail.letter import Letter, UnreadableLetter, read_letter
from pbem.legacy.mail.lines import OwnText
from pbem.legacy.mail.reply_text import Typed, all_of, typed_text
from pbem.legacy.mail.verbs.agreeing import Accept, Yes
from pbem.legacy.mail.verbs.playing import Move, Try, Why
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import OPEN
from pbem.names import PlayerId
from pbem.legacy.orders.context import LetterContext, Orders, choose_window, for_another, game_of, match_of
from pbem.legacy.orders.handlers.accepting import agreed, friendly, moves_first
from pbem.legacy.orders.handlers.seats import watched_match
from pbem.legacy.orders.powers import refuses
from pbem.legacy.orders.reply_context import open_questions
from pbem.legacy.store.mails.waiting_mails import Quotable, quotable
from pbem.legacy.transaction.installation import Installation
from pbem.legacy.transaction.working_copy import Lookup

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.store.mails.inbox import InboxRow
    from pbem.legacy.store.mails.outbox import OutboxRow

_NAME: Final = re.compile(r"\w+")

MOST_ORDERS: Final = 40
"""Orders that one letter may have; each may be answered at length."""

_FEW_WORDS: Final = 3
"""Words of a text of which one may tell its language."""


def read_row(conn: Connection, house: Installation, row: InboxRow, now: datetime) -> Intent:
    """Understand a letter of the inbox. Raises UnreadableLetter."""
    letter = read_letter(
        row.raw,
        envelope_to=row.envelope_to,
        authserv_id=house.settings.site.authserv_id or None,
        own_addresses=(house.settings.site.address,),
    )
    brief = replace(letter, text=None, html=None)  # they may be long, and are not needed again
    if letter.is_bounce:
        return Intent(letter=brief, bounce=read_bounce(row.raw))
    if letter.automatic == COMPLAINT:
        return Intent(letter=brief, complaint=read_complaint(row.raw))
    if letter.automatic is not None and not letter.unsubscribes:
        return Intent(letter=brief)
    sender = identify(conn, house, letter, now)
    intent = Intent(letter=brief, sender=sender.fact)
    context = LetterContext(matches=Lookup(conn=conn, house=house, now=now), of_page=bool(row.page))
    match sender:
        case Stranger():
            return _of_stranger(context, letter, intent)
        case Known():
            intent = _of_player(context, letter, sender, intent)
            house.cache.keep_all(context.matches.loaded)
            return intent
        case _:
            return intent


def place(context: LetterContext, sender: Known, answered: OutboxRow | None) -> Known:
    """Fill in who writes and which mail is answered; the sender, with the match they are about."""
    context.actor = sender.player.id
    context.home, context.proof = sender.home, sender.proof
    context.own_token = sender.own_token
    choose_window(context, sender.player.wishes)
    if sender.loaded is not None:
        context.matches.know(sender.loaded)
    if sender.facts is not None:
        context.unasked = sender.facts.questions == 0
    context.answered = sender.mail or answered
    if sender.home is None and sender.doubt is None:
        # Spectators answer the news of a match in which they have no address.
        context.home = watched_match(context, context.answered)
        return replace(sender, home=context.home)
    return sender


def _of_stranger(context: LetterContext, letter: Letter, intent: Intent) -> Intent:
    """Nobody knows what a stranger may have to do with us: only what they order is kept."""
    typed = _typed(context, letter, frozenset(), None)
    words = context.matches.house.words
    kept = registration_lines(read_orders(typed.lines, None, words=words), words)
    language = words.language_of(" ".join(typed.lines))
    return replace(
        intent,
        lines=kept.held,
        shown=kept.shown,
        more=kept.more,
        game=game_named(typed.lines),
        language=language,
        left_out=typed.left_out,
    )


def _of_player(context: LetterContext, letter: Letter, sender: Known, intent: Intent) -> Intent:
    words = context.matches.house.words
    ours = _quotable(context, letter, sender.player.id)
    sender = place(context, sender, ours.answered)
    game = _game(context)
    typed = _typed(context, letter, ours.fingerprints, game)
    lines = with_request(words, letter, typed.lines, game)
    intent = replace(intent, lines=lines, conflict=typed.conflict, left_out=typed.left_out)
    known = sender.doubt is None and sender.new_address is None and sender.player.confirmed
    whole = not typed.conflict and not typed.left_out
    if known and whole and (move := plain_move(context, lines)) is not None:
        todo = _in_each_seat(context, letter, sender, lines, Orders(todo=(move,)))
        intent = replace(intent, orders=todo, rest=Rest(lines=lines))
    else:
        intent = _of_prose(context, letter, sender, typed, intent)
    answered = replace(ours.answered, data=None) if ours.answered is not None else None
    return replace(intent, answered=answered, consulted=context.consulted)


def _of_prose(
    context: LetterContext,
    letter: Letter,
    sender: Known,
    typed: Typed,
    intent: Intent,
) -> Intent:
    """What a letter says that is more than a move, or something else."""
    words, lines, game = context.matches.house.words, intent.lines, _game(context)
    answer = read_orders(lines, game, partial(game_of, context), words)
    invited = sender.home is not None and not sender.player.confirmed
    alone = without_language(lines, answer) if invited else lines
    said = answer_of(alone, words, letter.display_name, typed.behind)
    intent = replace(
        intent,
        answer=Answer.OTHER if typed.conflict or typed.left_out else said,
        says_no=says_no(answer),
    )
    if sender.doubt is not None:
        kept = doubted_lines(context, answer)
        return replace(intent, lines=kept.held, shown=kept.shown, more=kept.more)
    if sender.new_address is None and not typed.conflict:
        return _with_orders(context, letter, sender, game, intent)
    return intent


def _with_orders(
    context: LetterContext, letter: Letter, sender: Known, game: AnyGame | None, intent: Intent
) -> Intent:
    newcomer = not sender.player.confirmed
    reading = _reading(context, letter, intent.lines, game)
    settled = _settled(context, reading)
    settled = _in_each_seat(context, letter, sender, intent.lines, settled)
    alone = newcomer and sender.proof is Proof.TOKEN and len(settled.todo) <= 1
    friendly = alone and _agrees(context, letter, intent)
    return replace(
        intent,
        language=_language(context, sender, intent.lines) if newcomer else None,
        answer=Answer.AGREED if friendly else intent.answer,
        says_no=intent.says_no or any(refuses(typed.order) for typed in settled.todo),
        orders=settled,
        rest=rest_here(context, reading),
        held=_held(context, settled, game),
    )


def _in_each_seat(
    context: LetterContext, letter: Letter, sender: Known, lines: tuple[str, ...], here: Orders
) -> Orders:
    """What a letter orders in its match, and in those whose addresses it names beside."""
    if sender.proof is not Proof.TOKEN or sender.home is None:
        return here
    seats = seats_written_to(
        context.matches.conn,
        context.matches.house,
        letter,
        sender.player.id,
        home=sender.home,
        now=context.matches.now,
    )
    others = tuple(match for match in seats if match != sender.home)
    return for_each_seat(
        context, others, here, lambda _: settled_lines(context, lines, _game(context))
    )


def _agrees(context: LetterContext, letter: Letter, intent: Intent) -> bool:
    """Whether a newcomer agrees in friendly words to what a token of ours asked them (MAIL 3)."""
    if intent.answer is not Answer.OTHER or context.home is None:
        return False
    names = context.names(context.matches.match(context.home))
    known = {*names, *_NAME.findall((letter.display_name or "").casefold())}
    said = plain_answer(intent.lines, context.matches.house.words, known, beside=True)
    return isinstance(said, Accept)


# --- what is typed -------------------------------------------------------------------------------


def _game(context: LetterContext) -> AnyGame | None:
    """The game whose words count: that of the match answered, or of all matches there are."""
    if context.home is not None:
        return game_of(context, context.home)
    rulesets = {row.ruleset for row in context.own_matches(OPEN)}
    return GAMES[rulesets.pop()] if len(rulesets) == 1 else None


def _quotable(context: LetterContext, letter: Letter, player: PlayerId) -> Quotable:
    """The mail to this player that the letter says it answers, and what of ours it may quote."""
    answered = letter.in_reply_to or next(reversed(letter.references), None)
    return quotable(context.matches.conn, player, answered=answered, named=letter.references)


def _typed(
    context: LetterContext, letter: Letter, quoted: frozenset[str], game: AnyGame | None
) -> Typed:
    """What was typed; `quoted` are the fingerprints of lines that are ours."""
    if context.of_page:
        return all_of(letter.text or "")
    site, words = context.matches.house.settings.site, context.matches.house.words
    in_match = game is not None and context.home is not None
    own = OwnText(
        addresses=frozenset(address.casefold() for address in (site.address, *letter.recipients)),
        display_name=f"{game.title} {context.home} ({site.title})"
        if in_match and game
        else site.title,
        fingerprints=quoted,
        markers=words.markers,
    )
    return typed_text(
        letter.text, letter.html, own, is_order=partial(is_order, game=game, words=words)
    )


def _language(context: LetterContext, sender: Known, lines: Sequence[str]) -> str | None:
    """The language of somebody new, whoever invited them.

    It may be a single word: who was asked for `accept` and writes `annehmen` reads German.
    """
    if sender.home is None:
        return None
    text = " ".join(lines)
    least = 1 if len(text.split()) <= _FEW_WORDS else 2
    return context.matches.house.words.language_of(text, least)


# --- orders --------------------------------------------------------------------------------------


def _reading(
    context: LetterContext, letter: Letter, lines: tuple[str, ...], game: AnyGame | None
) -> Reading:
    reading = _read(context, lines, game)
    moves = not reading.orders or isinstance(reading.orders[0].order, Move)
    if moves and (whole := completed_move(context, reading)) is not None:
        return replace(reading, orders=(whole,), near_misses=(), pieces=())
    if reading.orders:
        return reading
    return (
        said_move(context, reading)
        or friendly(context, reading)
        or agreed(context, reading)
        or shows_what_is_asked_for(context, reading)
        or _from_subject(context, letter, game, reading)
        or reading
    )


def _read(context: LetterContext, lines: Sequence[str], game: AnyGame | None) -> Reading:
    """The orders in lines; no text goes on in a line that is a whole move."""
    words = context.matches.house.words
    is_move = whole_moves(context)
    labels, known = cache(partial(labels_of, context)), partial(game_of, context)
    return read_orders(lines, game, known, words, is_move=is_move, labels=labels)


def _from_subject(
    context: LetterContext, letter: Letter, game: AnyGame | None, body: Reading
) -> Reading | None:
    """What stands in the subject, if the player changed it and the body has no order."""
    sent = ""
    if context.answered is not None and context.answered.data:
        with suppress(UnreadableLetter):
            sent = read_letter(context.answered.data).subject
    typed = typed_subject(letter.subject, sent)
    if typed is None or context.answered is None:
        return None
    reading = _read(context, [typed], game)
    if not reading.orders:
        return None
    # What the body says may take it back, or be another move.
    return replace(reading, pieces=(*reading.pieces, *body.pieces))


def settled_lines(context: LetterContext, lines: Sequence[str], game: AnyGame | None) -> Orders:
    """What lines alone order, as it is to be carried out."""
    reading = _read(context, lines, game)
    said = None if reading.orders else said_move(context, reading)
    return _settled(context, said or reading)


def _settled(context: LetterContext, reading: Reading) -> Orders:
    """The orders as they are to be carried out: one move a match, and in which order."""
    if (other := for_another(context, reading.orders)) is not None:
        return Orders(todo=(replace(other, match=None),), rejection=Rejection("another_match"))
    findings = Findings()
    try:
        _require_few(reading.orders)
        todo = moves_first(context, one_move(context, reading, findings))
    except Rejection as rejection:
        return Orders(todo=reading.orders[:1], rejection=rejection)
    return Orders(
        todo=tuple(_tried(context, order) for order in todo),
        asked=findings.asked,
    )


def _require_few(typed: Sequence[TypedOrder]) -> None:
    if len(typed) > MOST_ORDERS:
        raise Rejection("too_many_orders", most=MOST_ORDERS)


def _tried(context: LetterContext, typed: TypedOrder) -> TypedOrder:
    """A move that is only asked about, with what to say of it if it cannot be read."""
    match typed.order:
        case Try(text) | Why(text) if text:
            with suppress(Rejection):
                found = context.matches.match(match_of(context, typed))
                if found.status is Status.RUNNING:
                    return with_misreading(context, found, typed, text)
    return typed


def _held(context: LetterContext, said: Orders, game: AnyGame | None) -> dict[str, Orders]:
    """What the letters of before say that a `yes` in this one may let pass."""
    if not any(isinstance(typed.order, Yes) for typed in said.todo):
        return {}
    questions = [one for one in open_questions(context)[:1] if one.facts.get("lines")]
    read: dict[str, Orders] = {}
    for question in questions:
        lines = held_lines(question.facts)
        held = settled_lines(context, lines, game)
        todo = (as_of(context, typed, question.facts) for typed in without_yes_in(held.todo))
        read[question.key] = replace(held, todo=tuple(todo))
    return read


def without_yes_in(typed: Iterable[TypedOrder]) -> Iterable[TypedOrder]:
    """The orders but for `yes`: no held letter answers for its writer."""
    return (one for one in typed if not isinstance(one.order, Yes))


def still_so(context: LetterContext, sender: Sender, intent: Intent) -> bool:
    """Whether a letter would be read in the same way now."""
    if intent.sender != sender.fact:
        return False
    return intent.consulted is None or context.still(intent.consulted)
