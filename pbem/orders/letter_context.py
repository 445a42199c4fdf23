"""What is known while a letter is read: who writes, what is answered, which matches there are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from pbem.mail.proof import Proof
from pbem.names import MatchId, PlayerId
from pbem.store import views
from pbem.store.mails.outbox import OutboxRow
from pbem.store.people import questions, roster
from pbem.transaction.lookup import Lookup
from pbem.transaction.window_timers import window_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.mail.bond import Unsure
    from pbem.matches.match import Match
    from pbem.orders.letter_orders import Orders
    from pbem.store.people.questions import Question
    from pbem.store.views import MatchRow
    from pbem.transaction.installation import Installation, Loaded

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
    def conn(self) -> Connection:
        """The connection of the unit of work."""
        return self.matches.conn

    @property
    def house(self) -> Installation:
        """What it takes to understand a letter, beside the database."""
        return self.matches.house

    @property
    def now(self) -> datetime:
        """The time of the unit of work."""
        return self.matches.now

    @property
    def sender(self) -> PlayerId:
        """Whose letter it is. Raises LookupError where nobody is known for its writer."""
        if self.actor is None:
            raise LookupError("nobody is known for the writer of this letter")
        return self.actor

    def match(self, match: MatchId) -> Match:
        """A match as `matches` has it. Raises Rejection `no_such_match`."""
        return self.matches.match(match)

    def found(self, match: MatchId) -> Loaded | None:
        """A match as it was before this letter; None if there is none."""
        return self.matches.found(match)

    def own_matches(self, statuses: tuple[str, ...]) -> list[MatchRow]:
        """The writer's matches with one of these statuses."""
        rows = views.matches_of(self.conn, self.sender, statuses)
        self._listed[statuses] = tuple(row.id for row in rows)
        return rows

    def pending_questions(self) -> list[Question]:
        """The questions to the writer that wait for an answer, the newest first."""
        pending = [] if self.unasked else questions.pending(self.conn, self.sender, now=self.now)
        self._questions = tuple(question.key for question in pending)
        self._pending = pending
        return pending

    def questions_before(self) -> list[Question]:
        """Those that waited when they were last looked at: before anything is carried out."""
        return self.pending_questions() if self._pending is None else self._pending

    def names(self, match: Match) -> frozenset[str]:
        """The words of the names of those who play in a match, and its own, in small letters."""
        found = roster.players(self.conn, match.players).values()
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
            found = self.found(name)
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
    window = window_of(context.house, wishes)
    context.window = max(window, AT_LEAST) if context.proof is Proof.MAIL else window
