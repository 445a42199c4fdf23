"""What is known while a letter is read: who writes, what is answered, which matches there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail.proof import Proof
from pbem.matches.match import Match
from pbem.names import MatchId, PlayerId
from pbem.store import views
from pbem.store.mails.outbox import OutboxRow
from pbem.store.people import questions
from pbem.transaction.installation import Installation, Loaded, find_match

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.store.people.questions import Question
    from pbem.store.views import MatchRow


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
    """The facts by which a letter is read, looked up once and noted.

    `actor` is whose letter it is (None for a timer), `home` the match that it answers, `answered`
    the mail of ours that it replies to; `window` is how long its moves are held. `proof` is how
    surely the letter is the actor's; `own_token`: it came to the very address that was made for the
    mail that it answers.
    """

    conn: Connection
    house: Installation
    now: datetime
    actor: PlayerId | None = None
    home: MatchId | None = None
    answered: OutboxRow | None = None
    window: timedelta = timedelta(0)
    proof: Proof = Proof.NAME
    own_token: bool = False
    _found: dict[MatchId, Loaded] = field(default_factory=dict)
    _missing: set[MatchId] = field(default_factory=set)
    _listed: dict[tuple[str, ...], tuple[MatchId, ...]] = field(default_factory=dict)
    _questions: tuple[str, ...] | None = None

    @property
    def sender(self) -> PlayerId:
        """Whose letter it is. Timers have no sender, and carry out no orders."""
        if self.actor is None:
            raise LookupError("a timer has no sender")
        return self.actor

    def match(self, match: MatchId) -> Match:
        """A match as it stands. Raises Rejection `no_such_match`."""
        loaded = self.found(match)
        if loaded is None:
            raise Rejection("no_such_match", match=match)
        return loaded.match

    def found(self, match: MatchId) -> Loaded | None:
        """A match as it was before this letter, read once; None if there is none."""
        if match not in self._found:
            loaded = find_match(self.conn, match, self.house.cache)
            if loaded is None:
                self._missing.add(match)
                return None
            self._found[match] = loaded
        return self._found[match]

    def know(self, loaded: Loaded) -> None:
        """What has been read in this unit already need not be read again."""
        self._found[loaded.match.id] = loaded

    def own_matches(self, statuses: tuple[str, ...]) -> list[MatchRow]:
        """The writer's matches with one of these statuses."""
        rows = views.matches_of(self.conn, self.sender, statuses)
        self._listed[statuses] = tuple(row.id for row in rows)
        return rows

    def pending_questions(self) -> list[Question]:
        """The questions to the writer that wait for an answer, the newest first."""
        pending = questions.pending(self.conn, self.sender, now=self.now)
        self._questions = tuple(question.key for question in pending)
        return pending

    @property
    def loaded(self) -> Iterable[Loaded]:
        """The matches that were looked at, as they are in the log."""
        return self._found.values()

    @property
    def consulted(self) -> Consulted:
        """What has been looked at until now."""
        versions = {name: loaded.head.version for name, loaded in self._found.items()}
        missing = dict.fromkeys(self._missing - versions.keys(), 0)
        return Consulted(
            versions=tuple({**versions, **missing}.items()),
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
