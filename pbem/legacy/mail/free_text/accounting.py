"""What of a letter its turn and its orders leave over: nothing, chat, or something strong (MAIL 1).

What was typed beside the turn is divided into sentences without rest. A sentence of nothing but
courtesy is accounted for. One that may change what the turn means is strong: it takes back, puts
off, chooses, makes a condition or names places and pieces; in the turn's own sentence a question, a
negation or a `would` is enough. Any other is chat: it slows a move, unless it plainly tells a
story of something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pbem.legacy.mail.free_text.courtesies import (
    CLAUSE,
    is_said,
    is_small_talk,
    is_usual,
    plain,
    says_yes,
    without_no,
    words_of,
)
from pbem.legacy.mail.free_text.message_text import is_contact
from pbem.legacy.mail.free_text.near_moves import game_words
from pbem.legacy.mail.free_text.plain_answers import accepted
from pbem.legacy.mail.free_text.retractions import breaks_off, is_for_later, keeps, takes_back
from pbem.legacy.mail.free_text.rival_moves import Rivals, rivals
from pbem.legacy.mail.free_text.sentences import Sentence, Unread, asked_in, sentences
from pbem.legacy.mail.free_text.stories import (
    asks_on,
    is_bare_no,
    is_elsewhere,
    is_judged,
    is_of_game,
    is_reported,
    is_story,
    is_weak,
    leads_to_turn,
    playing,
    puts_off_turn,
    takes_no_time,
    undescribed,
)
from pbem.legacy.mail.lines import letters
from pbem.legacy.mail.phrases.lists import spoken, words_in
from pbem.legacy.mail.phrases.patterns import patterns
from pbem.legacy.mail.reply_text import begins_notice, is_sign_off
from pbem.legacy.mail.verbs.agreeing import COLOURS

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text.readings import Readings
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_TOKEN: Final = re.compile(r"[^\W_]+")
_PLACE: Final = re.compile(r"(?<![\w#])-?[a-z]{1,2}-?[0-9]{1,3}(?!\w)", re.IGNORECASE)
_MATCH: Final = re.compile(
    r"(?<!\w)(?=[a-z]*[2-9])(?=[2-9]*[a-z])[2-9a-hj-km-np-tv-z]{5}(?!\w)", re.IGNORECASE
)
_SIGN: Final = re.compile(r"(?<![\w.])[A-Z](?= [a-z])")
"""The sign of a piece in a sentence (`and then M climbs`); an initial is none."""

_ARTICLE: Final = re.compile(r"(?<!\w)[Dd]as (?=[A-ZÄÖÜ])")
"""What points at nothing but the noun behind it (`Wie war das Treffen?`)."""

_COLOURS: Final = frozenset(COLOURS)

_NEAR: Final = 2
"""Unknown words that stand right behind a turn and may be meant as a part of it, at most."""

_LISTED: Final = re.compile(r"\s*[;+&]\s*\w")
"""What goes on with the list that a turn is."""

_QUOTES: Final = ("'", '"', "„", "“", "”", "»", "«", "‘", "’", "‚")
"""What may stand before a turn that somebody quotes."""

_SORRY, _SHORT = 4, 5
"""Words behind a turn among which one is polite, and of a sentence that may say how it is made."""

_MANY: Final = 3
"""Unknown words of a clause that is about something else, at least."""

_LONGEST: Final = 200
"""Characters of a text that may be the turn, said again."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What a letter is read by beside its turn: `move` is the turn, as read and as typed.

    `names` tells the words of the names of those who play, and of the match, in small letters,
    `elsewhere` those of the writer's other matches alone. `replaces`: a move of theirs is held in
    the match, or asked about, and this one comes in its place; `answers`: a `yes` is to a draw or
    a takeback that somebody asked for.
    """

    tried: Readings
    words: Vocabulary
    move: str
    typed: str
    names: Callable[[], frozenset[str]] = frozenset
    elsewhere: Callable[[], frozenset[str]] = frozenset
    replaces: bool = False
    answers: bool = False

    def unread(self, before: str, after: str) -> Unread:
        """What is left of the texts above and below a turn, each as it was typed."""
        strong, chat, part = [], [], False
        found = list(sentences(before, after, self.names))
        first = [word for word in self.typed.split()[:1] if is_usual(word.casefold())]
        own = " ".join([*first, *(sentence.text for sentence in found if sentence.own)])
        puts_off = is_for_later(patterns().partings.sub("", own))
        for before_it, sentence in zip([None, *found], found, strict=False):
            part = part or (sentence.own and self._has_game_word(sentence.text))
            asks = asks_on(before_it, sentence) and not self._has_game_word(sentence.text)
            if asks and not self.names_a_place(sentence.text, own=True):
                chat.append(sentence.text)
            elif self._is_strong(sentence) or (sentence.own and puts_off):
                strong.append(sentence.text)
            elif not (self._is_accounted(sentence) or takes_no_time(sentence, self.names())):
                chat.append(sentence.text)
        return Unread(tuple(strong), tuple(chat), part)

    def told(self, text: str, names: frozenset[str]) -> Unread:
        """What is left of a text that tells of a turn in prose, naming such places and numbers.

        It is doubtful where the sentences that name them may be of somebody else's, or of before.
        """
        strong, chat = [], []
        for part in sentences("", f"\n\n{text}", self.names):
            sentence = part.text
            rest = _TOKEN.sub(lambda found: self._untold(found[0], names), sentence)
            named = rest != sentence
            if (
                (named and self._is_doubtful(rest))
                or takes_back([rest])
                or self._names_a_match(rest)
                or self.tried.game.words.search(rest.casefold()) is not None
                or (named and (_PLACE.search(rest) is not None or self._names_a_colour(rest)))
            ):
                strong.append(sentence)
            elif not self._is_accounted(Sentence(rest, named, part.signed, behind=named)):
                chat.append(sentence)
        return Unread(tuple(strong), tuple(chat))

    def _untold(self, word: str, names: frozenset[str]) -> str:
        """A word, or nothing where it is one that names the turn."""
        said = self._in_english(word).casefold()
        is_game = said in self.tried.game.keywords and not is_usual(word.casefold())
        return "" if is_game or said in names else word

    def _is_doubtful(self, text: str) -> bool:
        """Whether a sentence that names a turn may be no turn of its writer's."""
        said = set(words_of(text))
        unknown = [word for word in said if not is_said(word, self.names())]
        mine = not said.isdisjoint(spoken().own) or not unknown
        first = [*words_of(text), ""][0]
        others = first not in spoken().own and not spoken().of_others.isdisjoint(said)
        others = others or is_reported(said)
        wanders = self._has_many(words_of(text)) and playing(self.tried.game).isdisjoint(said)
        return is_weak(text) or not mine or others or wanders

    def is_plain(self, before: str, after: str) -> bool:
        """Whether the turn's own sentence is nothing but courtesy, and no other doubts it."""
        own = (one for one in sentences(before, after, self.names) if one.own)
        return not self.unread(before, after).strong and all(map(self._is_accounted, own))

    def is_apart(self, before: str, after: str) -> bool:
        """Whether what is around the turn is of other sentences, and chat at most."""
        unread = self.unread(before, after)
        found = sentences(before, after, self.names)
        open_ = (one for one in found if not (self._is_story(one) or self._is_of_others(one)))
        part = (one.own or self._has_game_word(one.text) for one in open_)
        return not (unread.strong or unread.part or any(part))

    def others(self, before: str, after: str) -> Rivals:
        """The other moves in them, legal or not; an address below a sign-off has none."""
        said = [
            one
            for one in sentences(before, after, self.names)
            if not one.signed and not is_sign_off(one.text)
        ]
        found = self._rivals(said)
        if found.moves or not found.unclear:
            return found
        # What is only a part of a move means none in a story of something else.
        return self._rivals([one for one in said if not self._is_story(one)])

    def _rivals(self, said: Iterable[Sentence]) -> Rivals:
        lines = (one.text for one in said)
        return rivals(lines, self.move, self.typed, self.tried, self.words)

    # --- strong ----------------------------------------------------------------------------------

    def _is_strong(self, sentence: Sentence) -> bool:
        text = without_no(sentence.text) if self.answers else sentence.text
        if self.answers and (says_yes(text) or accepted(spoken()).are(words_in(text))):
            return True
        if self.replaces and (self._corrects(sentence, text) or keeps(text)):
            return False
        of_turn = self._says_the_same(text) or leads_to_turn(sentence, self.names())
        if of_turn or is_bare_no(sentence, answers=self.replaces or self.answers):
            return False
        if is_sign_off(text) and not takes_back([text]):
            return False
        if sentence.signed and not takes_back([text]):
            move = self.tried.move(self.words.game_text(self.tried.game, text.strip(" .!")))
            return move is not None and move != self.move
        if self._names_a_match(text) or self._leaves_a_choice(sentence):
            return True
        elsewhere = self._is_of_others(sentence) or self._is_story(sentence)
        elsewhere = elsewhere or is_elsewhere(sentence, self.names())
        if self.names_a_place(text, own=sentence.own) and not elsewhere:
            return True
        said = text if sentence.own else patterns().partings.sub(" ", text)
        if takes_back([said]) and (breaks_off(said) or not self._is_of_another(sentence)):
            return True
        if puts_off_turn(sentence) or (sentence.own and self._is_doubted(sentence, text)):
            return True
        told = self._is_story(sentence) and takes_no_time(sentence, self.names())
        return (sentence.own or (sentence.beside and not told)) and self._has_game_word(text)

    def _is_doubted(self, sentence: Sentence, text: str) -> bool:
        """Whether the turn's own sentence, without a no before it, may change it."""
        changed = is_weak(text) or self._is_changed(sentence)
        return changed or (sentence.beside and self._is_of_something_else(sentence))

    def _corrects(self, sentence: Sentence, text: str) -> bool:
        """Whether it has this turn replace another; an error that is told below may be of this."""
        told = sentence.above or (sentence.own and not breaks_off(text)) or not takes_back([text])
        return told and self._only_replaces(text)

    def _only_replaces(self, text: str) -> bool:
        """Whether a sentence says no more than that this turn comes in place of another."""
        rest, found = patterns().replacing.subn(" ", plain(text))
        return found > 0 and all(
            is_said(clause, self.names() | spoken().lead) for clause in CLAUSE.split(rest)
        )

    def _says_the_same(self, text: str) -> bool:
        """Whether a text is the turn, said again (`also c5 M`)."""
        if len(text) > _LONGEST:
            return False
        said = self._in_english(text).strip(" .!,:")
        if self.tried.move(said) == self.move:
            return True
        parts = [one.strip(" .!,:") for one in said.split(",")]
        return all(self.tried.move(one) == self.move for one in map(self._without_lead, parts))

    def _without_lead(self, said: str) -> str:
        return " ".join(one for one in said.split() if one.casefold() not in spoken().lead)

    def _names_a_match(self, text: str) -> bool:
        """Whether a text has the name of a match, but for this one's."""
        return any(found[0].casefold() not in self.names() for found in _MATCH.finditer(text))

    def names_a_place(self, text: str, *, own: bool) -> bool:
        """Whether a text names another place of the board than those of the turn and of late.

        In the turn's `own` sentence one off the board may be a part of it, too.
        """
        known = letters(self.move) + letters(self.typed)
        return any(
            letters(place) not in known
            and (own or self.tried.is_on_board(place))
            and not self.tried.was_just_played(place)
            for place in {found[0] for found in _PLACE.finditer(text)}
        )

    def _leaves_a_choice(self, sentence: Sentence) -> bool:
        """Whether a sentence begins with another choice, asks about the turn, or changes it."""
        found = words_of(sentence.text)
        if not found or sentence.signed:
            return False
        near = sentence.own or len(found) <= _SHORT
        if found[0] in spoken().alternatives or (near and self._is_modified(found)):
            return True
        asked = _ARTICLE.sub("", asked_in(sentence.text))
        points = not spoken().pointing.isdisjoint(words_of(asked))
        return points and (is_weak(asked) or is_judged(words_of(asked)))

    def _names_a_colour(self, text: str) -> bool:
        """Whether a text has a colour that is no word of its game: whose piece it is may matter."""
        said = _COLOURS.intersection(words_of(self.words.phrases.english(text)))
        return any(one not in self.tried.game.keywords for one in said)

    def _is_modified(self, found: Iterable[str]) -> bool:
        """Whether words do something with a piece that the game itself has no word for."""
        known = self.tried.game.keywords
        return any(word in spoken().modifiers and word not in known for word in found)

    def _is_of_others(self, sentence: Sentence) -> bool:
        """Whether a sentence of its own tells, without a doubt, what somebody else does."""
        found = words_of(sentence.text)
        others = not spoken().of_others.isdisjoint(found) or not self.names().isdisjoint(found)
        doubted = is_weak(sentence.text) or is_reported(found)
        return others and not sentence.own and not doubted

    def _is_story(self, sentence: Sentence) -> bool:
        return is_story(sentence, self.names(), playing(self.tried.game))

    def _is_of_another(self, sentence: Sentence) -> bool:
        """Whether a sentence of its own is about another match, and takes back nothing here."""
        said = words_of(sentence.text)
        others = self.elsewhere()
        called = bool(others) and not (others | spoken().other).isdisjoint(said)
        return (called or is_of_game(sentence, self.tried.game.key)) and not sentence.own

    def _is_changed(self, sentence: Sentence) -> bool:
        """Whether words in the turn's own sentence do something to it that its game may not know.

        One of them is a way to do it (`flipped`), a verb behind a turn judges it (`was a mistake`),
        or a mistyped word of the game stands alone beside it.
        """
        said = plain(self._in_english(sentence.text))
        found = words_of(said)
        known = self.tried.game
        signs = (
            one.casefold() in known.keywords
            or known.words.search(f"{one.casefold()} n") is not None
            for one in _SIGN.findall(sentence.text)
        )
        if sentence.behind and any(signs):
            return True
        if not sentence.behind and found and found[0] in spoken().asking:
            return True  # `Is c1 plant c2 my best move`
        if self._names_a_colour(said) or self._is_modified(found):
            return True
        judging = spoken().judging
        judges = found[:1] if sentence.behind else found  # `it was e4; plant e5`
        return not judging.isdisjoint(judges) or not spoken().reports.isdisjoint(found)

    def _is_of_something_else(self, sentence: Sentence) -> bool:
        """Whether the turn's own sentence has many words that are not about it, or quotes it.

        `The train at platform d4`, `d4, as the referee called`, `Bob wrote "d4`.
        """
        if not sentence.behind and sentence.text.rstrip()[-1:] in _QUOTES:
            return any(map(str.isalpha, sentence.text))
        *_, near = re.split("[:;]", sentence.text)
        found = words_of(plain(near))
        if sentence.behind and not (spoken().sorry | spoken().please).isdisjoint(found[:_SORRY]):
            return False
        first = [*found, ""][0]
        mine = first in spoken().own and not playing(self.tried.game).isdisjoint(found)
        others = first not in spoken().own and not spoken().of_others.isdisjoint(found)
        many = self._has_many(found, above=not sentence.behind)
        return many and (others or sentence.behind or not mine)

    def _has_many(self, found: Collection[str], *, above: bool = True) -> bool:
        """Whether words say more than that they are a turn, and more than everyday talk."""
        unknown = [one for one in found if not is_said(one, self.names(), above=above)]
        return len(unknown) >= _MANY and not is_small_talk(" ".join(unknown))

    def _has_game_word(self, text: str) -> bool:
        """Whether words of the game stand in a text that people do not say anyway."""
        game, text = self.tried.game, undescribed(text)
        rare = [one for one in text.split() if not all(map(is_usual, words_of(one)))]
        said = self._in_english(" ".join(rare)).casefold()
        own = (
            word
            for word in set(words_of(said)) - set(words_of(self.move))
            if word in game.keywords and not is_usual(word)
        )
        if _LISTED.match(text) and any(len(one) == 1 for one in words_of(text)[:1]):
            return True  # `S n; L e; M`
        short = len(words_of(text)) <= _NEAR and not self.names().issuperset(words_of(text))
        slips = game_words(text, game, self.words) if short else ()
        return bool(slips) or game.words.search(said) is not None or next(own, None) is not None

    def _in_english(self, text: str) -> str:
        return self.words.game_text(self.tried.game, text)

    # --- courtesy --------------------------------------------------------------------------------

    def _is_accounted(self, sentence: Sentence) -> bool:
        text = without_no(sentence.text) if self.answers else sentence.text
        if sentence.signed or is_sign_off(text) or begins_notice(text) or is_contact(text):
            return True
        if self.replaces and self._only_replaces(text):
            return True
        if self._says_the_same(text) or leads_to_turn(sentence, self.names()):
            return True
        said = self._in_english(text)
        known = self.tried.game.keywords
        if not sentence.own and is_small_talk(text, self.names(), known):
            return True
        if not self.elsewhere().isdisjoint(words_of(text)) and self._is_of_another(sentence):
            return not is_weak(text) and _PLACE.search(text) is None
        above = sentence.own and not sentence.behind

        def is_beside(clause: str) -> bool:
            """Whether a clause says nothing of the turn: `d5 M, wir haben hier Besuch aus Ulm`."""
            talk = sentence.behind and is_small_talk(clause, self.names(), known)
            return talk or is_said(clause, self.names(), above=above)

        return any(all(map(is_beside, CLAUSE.split(plain(one)))) for one in (said, text))
