"""What is known while a letter is read: its writer, their language, and which match is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.legacy.delivery.records import LISTED
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.legacy.mail.authentication import Proof
from pbem.legacy.mail.free_text import TypedOrder
from pbem.legacy.mail.verbs.playing import HalfIf, If, Move, Standing, Try, Why
from pbem.legacy.mail.verbs.talking import Comment, Say
from pbem.legacy.matches.match import Match, Status, require_not_gone
from pbem.legacy.matches.steps import OPEN
from pbem.names import MatchId, PlayerId
from pbem.legacy.players import decide
from pbem.legacy.players.wishes import wished
from pbem.legacy.store import views
from pbem.legacy.store.mails.outbox import OutboxRow
from pbem.legacy.store.people import rates, roster
from pbem.legacy.transaction.timers import window_of
from pbem.legacy.transaction.working_copy import Lookup

if TYPE_CHECKING:
    from pbem.games.game import Ply
    from pbem.legacy.mail.letter import Unsure
    from pbem.legacy.matches.match import Match
    from pbem.names import PlayerId
    from pbem.legacy.store.people.rates import Question
    from pbem.legacy.store.views import MatchRow
    from pbem.legacy.transaction.transaction import Transaction


# --- letter context ------------------------------------------------------------------------------
# What is known while a letter is read: who writes, what is answered, which matches there are.

_WORD: Final = re.compile(r"\w+")

AT_LEAST: Final = timedelta(minutes=5)
"""So long the move of a letter that may be somebody else's can be taken back."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Consulted:
    """The facts that a letter was read by: what it says may be another thing once they change.

    `versions` has every match that was looked at (0 where there is none), `matches` the lists of
    the writer's matches, by status, and `questions` the keys of those that were open.
    """

    versions: tuple[tuple[MatchId, int], ...] = ()
    matches: tuple[tuple[tuple[str, ...], tuple[MatchId, ...]], ...] = ()
    questions: tuple[str, ...] | None = None


@dataclass(kw_only=True, slots=True)
class LetterContext:
    """What is known of a letter while it is read, and while its orders are carried out.

    `matches` is where matches are looked up: as the log has them while the letter is read, as the
    letter has made them so far while it is carried out. `actor` is whose letter it is, `home` the
    match that it answers, `answered` the mail of ours that it replies to; `window` is how long its
    moves are held. `proof` is how surely the letter is the actor's; `own_token`: it came to the
    very address that was made for the mail that it answers.

    `digest` is the letter's, which draws are bound to, and `unsure` what is not sure of that;
    `held` are the letters of before that its `yes` may carry out; `consent`: it is a plain yes;
    `of_page`: it is what a page's form sent. `resumed`: until now mail to its sender came back.
    `unasked`: it is known that no question to the writer waits, as long as nothing is carried out.
    """

    matches: Lookup
    actor: PlayerId | None = None
    home: MatchId | None = None
    answered: OutboxRow | None = None
    window: timedelta = timedelta(0)
    proof: Proof = Proof.NAME
    own_token: bool = False
    digest: str = ""
    unsure: Unsure = ""
    held: Mapping[str, Orders] = field(default_factory=dict)
    consent: bool = False
    resumed: bool = False
    unasked: bool = False
    of_page: bool = False
    _listed: dict[tuple[str, ...], tuple[MatchId, ...]] = field(default_factory=dict)
    _questions: tuple[str, ...] | None = None
    _pending: list[Question] | None = None

    @property
    def sender(self) -> PlayerId:
        """Whose letter it is. Raises LookupError where nobody is known for its writer."""
        if self.actor is None:
            raise LookupError("nobody is known for the writer of this letter")
        return self.actor

    def own_matches(self, statuses: tuple[str, ...]) -> list[MatchRow]:
        """The writer's matches with one of these statuses."""
        rows = views.matches_of(self.matches.conn, self.sender, statuses)
        self._listed[statuses] = tuple(row.id for row in rows)
        return rows

    def pending_questions(self) -> list[Question]:
        """The questions to the writer that wait for an answer, the newest first."""
        pending = (
            []
            if self.unasked
            else rates.pending(self.matches.conn, self.sender, now=self.matches.now)
        )
        self._questions = tuple(question.key for question in pending)
        self._pending = pending
        return pending

    def questions_before(self) -> list[Question]:
        """Those that waited when they were last looked at: before anything is carried out."""
        return self.pending_questions() if self._pending is None else self._pending

    def names(self, match: Match) -> frozenset[str]:
        """The words of the names of those who play in a match, and its own, in small letters."""
        found = roster.players(self.matches.conn, match.table.players).values()
        named = [match.id, *(row.name for row in found)]
        return frozenset(word for name in named for word in _WORD.findall(name.casefold()))

    @property
    def consulted(self) -> Consulted:
        """What has been looked at until now."""
        return Consulted(
            versions=self.matches.versions,
            matches=tuple(self._listed.items()),
            questions=self._questions,
        )

    def still(self, consulted: Consulted) -> bool:
        """Whether all that another context has looked at is as it was."""
        for name, version in consulted.versions:
            found = self.matches.found(name)
            if (found.head.version if found is not None else 0) != version:
                return False
        for statuses, names in consulted.matches:
            if tuple(row.id for row in self.own_matches(statuses)) != names:
                return False
        if consulted.questions is None:
            return True
        return tuple(question.key for question in self.pending_questions()) == consulted.questions


def choose_window(context: LetterContext, wishes: Mapping[str, str]) -> None:
    """Hold the letter's moves as its player wishes; longer where little proves that it is theirs.

    MAIL 3: what only the Message-ID of a mail of ours proves is held, whatever the window.
    """
    window = window_of(context.matches.house, wishes)
    context.window = max(window, AT_LEAST) if context.proof is Proof.MAIL else window


# --- letter orders -------------------------------------------------------------------------------
# What a letter orders, as values: so that one process may read it and another carry it out.


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveAsked:
    """A move that only may be meant: its writer is asked, and it is played when they say yes.

    `near`: it is a move but for mistyped words. `unread` is what nothing accounts for beside it.
    """

    match: MatchId
    text: str
    notation: str
    ply: Ply
    version: int
    near: bool = False
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Orders:
    """What is to be carried out, in order, or the rejection that its first order meets.

    `asked` is what has to be asked first. `elsewhere` is the same in further matches that the
    letter was addressed to.
    """

    todo: tuple[TypedOrder, ...] = ()
    rejection: Rejection | None = None
    asked: tuple[MoveAsked, ...] = ()
    elsewhere: tuple[tuple[TypedOrder, ...], ...] = ()


# --- languages -----------------------------------------------------------------------------------
# In which language somebody is written to who has not chosen one.


def speak(txn: Transaction, player: PlayerId, lang: str | None) -> None:
    """Write to somebody who has chosen none in this language; None is no language."""
    wishes = txn.player(player).wishes
    if lang is None or "lang" in wishes or wished(wishes, "lang") == lang:
        return
    _choose(txn, player, lang)


def speak_as_written(txn: Transaction, player: PlayerId, lang: str | None) -> None:
    """Write to somebody new in the language of their first answer, whoever invited them."""
    if lang is not None and wished(txn.player(player).wishes, "lang") != lang:
        _choose(txn, player, lang)


def _choose(txn: Transaction, player: PlayerId, lang: str) -> None:
    chosen = txn.decide_player(player, decide.choose_wish, name="lang", value=lang).wishes
    roster.keep_wishes(txn.conn, player, chosen)


def speak_as_sender(txn: Transaction, player: PlayerId) -> None:
    """Write to somebody new in the language of who invites them."""
    if not txn.player(player).confirmed:
        speak(txn, player, wished(txn.player(txn.sender).wishes, "lang"))


# --- which match ---------------------------------------------------------------------------------
# Which match an order is about.

_ABOUT_MOVES: Final = (
    Move, Try, Why, Standing, If, HalfIf,
)  # fmt: skip
"""Orders that a game may refuse, in words of its own."""


def match_of(context: LetterContext, typed: TypedOrder) -> MatchId:
    """The match that an order is about: named, answered, or the only one there is."""
    match = typed.match or context.home
    if match is None:
        rows = context.own_matches(OPEN)
        if len(rows) != 1:
            raise Rejection("which_match", matches=[row.id for row in rows][:LISTED])
        match = rows[0].id
    found = context.matches.match(match)
    if context.actor in found.table.players:
        return match
    if context.actor in found.table.watchers:
        _require_watching(found, typed)
        return match
    if context.actor is not None:
        require_not_gone(context.actor, found)
    # A stranger to a match learns no more of it than that it is not theirs.
    raise Rejection("no_such_match", match=match)


def refused_in(context: LetterContext, typed: TypedOrder) -> MatchId | None:
    """The match in which an order was refused, as far as it was about one."""
    match = typed.match or context.home
    if match is None and isinstance(typed.order, _ABOUT_MOVES):
        with suppress(Rejection):
            return match_of(context, typed)
    return match


def _require_watching(match: Match, typed: TypedOrder) -> None:
    """PLAY 2: who watches sees what is public, and may not write to players before the end."""
    if typed.order.public:
        return
    if not isinstance(typed.order, Say | Comment):
        raise Rejection("only_watching", match=match.id)
    if match.status is not Status.ENDED:
        raise Rejection("watch_in_silence")


def for_another(context: LetterContext, asked: Iterable[TypedOrder]) -> TypedOrder | None:
    """The first order of a page's form that is for another match than the page's, if one is.

    The page of a match that its reader watches has no seat: what it sends names the match.
    """
    named = ((order, order.match or getattr(order.order, "match", None)) for order in asked)
    other = (order for order, match in named if match not in (None, context.home))
    return next(other, None) if context.of_page and context.home is not None else None


def game_of(context: LetterContext, match: MatchId) -> AnyGame | None:
    """The game of a match, if there is one of that name."""
    loaded = context.matches.found(match)
    return loaded.match.game if loaded is not None and loaded.match.terms.ruleset else None
