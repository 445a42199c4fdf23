"""What a verb orders with the words behind it, in whatever language these are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.legacy.mail.verbs.agreeing import begun_in
from pbem.legacy.mail.verbs.club import Help, ShowProfile, ShowRatings, ShowRules, ShowStatistics
from pbem.legacy.mail.verbs.own import Away, ChooseWish, QuietHours, RestDays
from pbem.legacy.mail.verbs.playing import HalfIf
from pbem.legacy.mail.verbs.seats import SEATED, NewGame
from pbem.legacy.mail.verbs.verb import Order, Verb
from pbem.legacy.mail.verbs.verb_table import BY_WORD
from pbem.legacy.mail.verbs.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pbem.games import AnyGame


def ordered(verb: Verb, arguments: str, game: AnyGame | None, words: Vocabulary) -> Order | None:
    """The order of a verb, whatever the language of the words behind it."""
    order = _understood(verb, arguments, game, words)
    match order:
        case NewGame(options=options):
            english = words.calendar.english
            said = tuple((english(name), english(value)) for name, value in options)
            return replace(order, options=said)
        case ChooseWish() | Away() | RestDays() | QuietHours():
            said_so = words.calendar.english(words.please.sub("", arguments))
            if verb.name == "lang" and said_so.casefold() not in words.languages:
                return order  # `fr` is no Friday
            return verb.order(said_so) or order
        case ShowProfile():
            wish = verb.order(words.calendar.english(words.please.sub("", arguments)))
            return wish if isinstance(wish, ChooseWish) else order
        case _:
            return order


_ON_A_TOPIC = Help | ShowRules | ShowRatings | ShowProfile | ShowStatistics


def _understood(
    verb: Verb, arguments: str, game: AnyGame | None, words: Vocabulary
) -> Order | None:
    """Where it would be no order, or one on a topic, courtesy is left out."""
    if verb.moves:
        said = words.conditions.english(arguments)
        order = verb.order(words.game_text(game, said))
        half = order is None and verb is BY_WORD["if"]
        return HalfIf() if half and words.speaks(game, arguments) else order
    if verb is BY_WORD["new"]:
        arguments = words.please.sub("", arguments)  # else somebody is `Bob please`
    order = verb.order(arguments)
    if isinstance(order, NewGame) and words.phrases.english(order.game) != order.game:
        order = verb.order(words.phrases.english(arguments)) or order  # no game is `logger mit Bob`
    if verb.takes_paragraph or not (order is None or isinstance(order, _ON_A_TOPIC)):
        return order
    bare = words.please.sub("", arguments)
    phrases, calendar = words.phrases, words.calendar
    english = phrases.english(bare)
    named = words.as_verb(english)
    texts = (bare, english, calendar.english(named), named, calendar.english(bare))
    read = next((found for text in texts if (found := verb.order(text)) is not None), None)
    # What somebody says with `accept` is theirs, and only the words before it are ours.
    if isinstance(read, SEATED):
        return verb.order(begun_in(phrases.english_start, bare)) or read
    return read
