"""The notices: frozen facts of what somebody must be told, without a word of text.

A mail is an ordered list of notices for one reader; the first one gives it subject and first line.
Who reads stands with the mail, not in the notice; all of them speak of the stream version that the
mail notes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pbem.errors import Facts
from pbem.games.game import Ply, Seat
from pbem.names import Digest, MatchId, PlayerId

# --- the life of a match -------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Invitation:
    """You are asked for a match: accept or decline."""

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeSent:
    """Your challenge went out; what happens next."""

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class InvitationAnswered:
    """Somebody accepted or declined, while others are still asked."""

    match: MatchId
    player: PlayerId
    accepted: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeOff:
    """The challenge will not become a match, since `player` declined or withdrew it."""

    match: MatchId
    player: PlayerId
    reason: Literal["declined", "withdrawn"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchBegan:
    """All have accepted; the seats and how they were drawn."""

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnPrompt:
    """It is your turn: the board, what happened since your last one, what you can do."""

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveReceipt:
    """Your move was played as ply `ply`."""

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatVacated:
    """Somebody resigned and the others play on."""

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawProposed:
    """Somebody offers a draw: accept or decline."""

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawRefused:
    """Somebody declined your draw offer; the match goes on."""

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchOver:
    """The match has ended: placings, the last board, how to verify it, rematch."""

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageReceived:
    """Somebody in the match says something."""

    match: MatchId
    author: PlayerId
    text: Digest


# --- answers to what a letter asked --------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderRefused:
    """An order was not carried out: the code and facts of the Rejection, and what was typed.

    `game` is the key of the game whose rule refused it, or None for the platform's own.
    """

    match: MatchId | None
    typed: str
    code: str
    facts: Facts
    game: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderResult:
    """One line of an account: what was typed and what became of it.

    done: carried out; refused: not, see the OrderRefused beside it; skipped: not looked at, because
    an earlier one failed. `outcome` names the sentence for a thing done (templates/results/).
    """

    typed: str
    status: Literal["done", "refused", "skipped"]
    outcome: str = ""
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Account:
    """What became of every order of the letter, in its order."""

    results: tuple[OrderResult, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionAsked:
    """Something needs a `yes`: the question's name (templates/questions/) and its facts."""

    question: str
    match: MatchId | None
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class MovePreviewed:
    """The board as it would be after a move; nothing was played."""

    match: MatchId
    seat: Seat
    notation: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardShown:
    """The board, now or after an earlier ply."""

    match: MatchId
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryShown:
    """All plies of a match in order."""

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordShown:
    """The record of a match: tags, numbered moves, result."""

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class VerificationShown:
    """What was checked of a match's draws and chain, and what came of it.

    `sealed` counts the secret draws that everybody can check only after the end.
    """

    match: MatchId
    events: int
    draws: int
    head: str
    findings: tuple[str, ...]
    plies: int = 0
    sealed: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class GamesListed:
    """The reader's matches, the longest waited-for first; `boards`: with the boards that wait."""

    matches: tuple[MatchId, ...]
    boards: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class RulesShown:
    """A game in brief, and how its orders are written."""

    game: str


@dataclass(frozen=True, kw_only=True, slots=True)
class HelpShown:
    """The orders, or one topic of them. `game` is that of the match asked in, if any."""

    topic: str | None
    game: str | None = None


# --- people --------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfirmationAsked:
    """A stranger wrote: answer this mail to become a player."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerUnreachable:
    """Mail to somebody in your match comes back; the match waits for them."""

    match: MatchId
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerBack:
    """Somebody whose mail came back has written again."""

    match: MatchId
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class AddressAsked:
    """You want to write from this address, too: answer this mail from it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AddressesListed:
    """The addresses that you may write from; the first one gets the mail."""

    addresses: tuple[str, ...]
    waiting: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class WhyTold:
    """Whether a move would be legal now, and if so in its canonical form; nothing was played."""

    match: MatchId
    typed: str
    notation: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Welcome:
    """You are a player now: how to begin."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SenderDoubted:
    """A letter with your reply address came from elsewhere; was it you? `lines` is all it said."""

    match: MatchId | None
    orders: str
    lines: tuple[str, ...] = ()


Notice: TypeAlias = (
    Invitation
    | ChallengeSent
    | InvitationAnswered
    | ChallengeOff
    | MatchBegan
    | TurnPrompt
    | MoveReceipt
    | SeatVacated
    | DrawProposed
    | DrawRefused
    | MatchOver
    | MessageReceived
    | OrderRefused
    | Account
    | QuestionAsked
    | MovePreviewed
    | BoardShown
    | HistoryShown
    | RecordShown
    | VerificationShown
    | GamesListed
    | RulesShown
    | HelpShown
    | ConfirmationAsked
    | PlayerUnreachable
    | PlayerBack
    | AddressAsked
    | AddressesListed
    | WhyTold
    | Welcome
    | SenderDoubted
)
