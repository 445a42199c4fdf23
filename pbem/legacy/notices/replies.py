"""Notices that answer what a letter asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pbem.errors import Facts
from pbem.games.game import Ply, Seat
from pbem.names import MatchId, PlayerId
from pbem.legacy.notices.checks import Signed
from pbem.legacy.notices.notice import Notice, Place, Traits


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderRefused(Notice):
    """An order was not carried out: the code and facts of the Rejection, and what was typed.

    `game` is the key of the game whose rule refused it, or None for the platform's own; `partly`:
    other orders of the same letter were carried out. `last`: no other refusal is answered before
    this time (ISO text). `of_seat` as in OrderResult.
    """

    traits = Traits(on_page=True)

    match: MatchId | None
    typed: str
    code: str
    facts: Facts
    game: str | None = None
    partly: bool = False
    last: str = ""
    of_seat: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class NoOrderFound(Notice):
    """A letter had no order: where its writer stands, and what they can write.

    `text`: something was typed; `mentioned` are orders that it speaks of, `asked` words of a
    question; `waits`: it answers one of ours; `card` are the words that work here. `brief`: all
    this has been told since the last move. `last`: until then (ISO text) no other is answered.
    """

    traits = Traits(on_page=True)

    match: MatchId | None
    text: bool
    mentioned: tuple[str, ...]
    card: tuple[str, ...]
    waits: bool = False
    brief: bool = False
    last: str = ""
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderResult:
    """One line of an account: what was typed and what became of it.

    done: carried out; refused: not, see the OrderRefused beside it; skipped: not looked at, because
    an earlier one failed. `outcome` names the sentence for a thing done (templates/results.txt.j2).
    `of_seat`: nothing of it concerns more than its writer's seat in the match that was written to.
    """

    typed: str
    status: Literal["done", "refused", "skipped"]
    outcome: str = ""
    facts: Facts = field(default_factory=dict)
    of_seat: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Account(Notice):
    """What became of every order of the letter, in its order; it stays in its match's thread."""

    traits = Traits(lasts=True, place=Place.ACCOUNT, on_page=True)

    results: tuple[OrderResult, ...]
    match: MatchId | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionAsked(Notice):
    """Something needs a `yes`: the question's name (templates/questions.txt.j2) and its facts."""

    traits = Traits(asks="yes", answers=("yes",), on_page=True)

    question: str
    match: MatchId | None
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class AddressShown(Notice):
    """Your letter went to others of the match as well, so your seat has a new reply address.

    `players` are those of them who play in it. Without a match it is the address outside of all.
    """

    traits = Traits()

    match: MatchId | None
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MovePreviewed(Notice):
    """The board as it would be after a move, tried after `ply` plies; nothing was played."""

    traits = Traits(on_page=True)

    match: MatchId
    seat: Seat
    ply: Ply
    notation: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardShown(Notice):
    """The board, now or after an earlier ply; `whole`: all of it, in words."""

    traits = Traits(on_page=True)

    match: MatchId
    ply: Ply
    whole: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangesShown(Notice):
    """What changed between two plies."""

    traits = Traits(on_page=True)

    match: MatchId
    first: Ply
    last: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionsShown(Notice):
    """What the reader decided in a match for the case that the others play so."""

    traits = Traits(on_page=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class MessagesShown(Notice):
    """What has been said in a match, by those who are muted too."""

    traits = Traits(on_page=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class NotesShown(Notice):
    """What the reader noted in a match."""

    traits = Traits(on_page=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryShown(Notice):
    """All plies of a match in order."""

    traits = Traits(on_page=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class ClocksShown(Notice):
    """What all seats of a match have left, until when, and by which rules."""

    traits = Traits(on_page=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordShown(Notice):
    """The record of a match: tags, numbered moves, result; `checkpoint` is the log's newest."""

    traits = Traits()

    match: MatchId
    checkpoint: tuple[Signed, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplayShown(Notice):
    """A match as a page that its reader can step through, or as a picture that moves."""

    traits = Traits()

    match: MatchId
    moving: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class AnalysisShown(Notice):
    """Who led when in a match that is over, and what decided it; or that it `failed`."""

    traits = Traits()
    match: MatchId
    failed: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class LetterUnbound(Notice):
    """Draws are not bound to the reader's letter, or its Message-ID is not among the sent mails.

    It lacks Message-ID or Date, or a provider has put another Message-ID in place of its own.
    """

    traits = Traits(lasts=True, on_page=True)

    match: MatchId
    lacks: Literal["id", "date", "both", "rewritten"]


@dataclass(frozen=True, kw_only=True, slots=True)
class GamesListed(Notice):
    """The reader's matches, the longest waited-for first; `boards`: with the boards that wait.

    `since` says as of when each waits (ISO text); `watched`: of others; `resumed`: after a stop.
    """

    traits = Traits(teaches=True)

    matches: tuple[MatchId, ...]
    boards: bool
    resumed: bool = False
    since: Mapping[str, str] = field(default_factory=dict)
    watched: tuple[MatchId, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class CalendarShown(Notice):
    """The reader's deadlines as a file.

    `matches` are those with clocks, whoever is to move, the nearest deadlines first.
    """

    traits = Traits()

    matches: tuple[MatchId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class BotsShown(Notice):
    """The programs that one can play against, and how good each is (bots/measured.py)."""

    traits = Traits()


@dataclass(frozen=True, kw_only=True, slots=True)
class PageShown(Notice):
    """The address of the page of the reader's boards, made when the mail is written."""

    traits = Traits(of_account=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenSeat:
    """A match in which a seat is open, and since when, as ISO text."""

    match: MatchId
    since: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenSeatsListed(Notice):
    """The matches in which the reader may take a seat, the longest waiting first."""

    traits = Traits()

    seats: tuple[OpenSeat, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatMissed(Notice):
    """The seat of a link in the match `named` is taken, or the invitation over; what is open.

    Its reader has nothing to do with that match: it stands in no mail of it.
    """

    traits = Traits()

    named: MatchId
    taken: bool
    seats: tuple[OpenSeat, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class DailyDigest(Notice):
    """The boards that wait for the reader, the most urgent first; other news come after it.

    `checkpoint` is the newest of the log, if there is one, and `packed` its note for a header.
    """

    traits = Traits(teaches=True)

    matches: tuple[MatchId, ...]
    checkpoint: tuple[Signed, ...] = ()
    packed: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class RulesShown(Notice):
    """A game in brief, and how its orders are written; or the one `rule` with that number.

    `match`: the one that its reader is invited to, if it was asked there; `options`: of any such.
    """

    traits = Traits(on_page=True)

    game: str
    rule: str = ""
    match: MatchId | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class HelpShown(Notice):
    """The orders, or one topic of them; `ALL` is all of them, and None the few of `card`.

    `game` is that of the match asked in, if any.
    """

    traits = Traits(on_page=True)

    topic: str | None
    game: str | None = None
    card: tuple[str, ...] = ()
