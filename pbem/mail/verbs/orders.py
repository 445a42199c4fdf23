"""The orders: what somebody who writes to us may want, each a frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.games.game import Ply
from pbem.mail.verbs.club_orders import AboutClub
from pbem.mail.verbs.courtesy_orders import AboutOthers
from pbem.mail.verbs.own_orders import AboutHours, AboutWishes, PrivateOrder
from pbem.mail.verbs.tournament_orders import AboutTournaments
from pbem.names import MatchId


@dataclass(frozen=True, slots=True)
class Move:
    """A block of game text; `explicit` where a verb said that it is one."""

    text: str
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Try:
    """Show the board as it would be."""

    text: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take my move back."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What can I play, and, against nobody but bots, what should I?"""


@dataclass(frozen=True, slots=True)
class Now:
    """Let my move go out at once."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up; `sure` where `yes` was typed with it."""

    sure: bool


@dataclass(frozen=True, slots=True)
class Yes:
    """The answer to a question."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Take part; `words` enter the draws of the start, `colour` is the one that is wanted."""

    words: str
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Decline:
    """Not this match."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A challenge: the game as typed, names or addresses of the others, options as typed.

    `seats` is how many play in all where seats are open (0: as few as the game allows), else None.
    `links` is how many seats are for whoever has a link. A `lesson` teaches the game.
    With `anybody` it is the next who looks for such a match.
    """

    game: str
    opponents: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seats: int | None = None
    private: bool = False
    unrated: bool = False
    links: int = 0
    lesson: bool = False
    anybody: bool = False


@dataclass(frozen=True, slots=True)
class ShowLink:
    """The link of an invitation that is to be passed on."""


@dataclass(frozen=True, slots=True)
class CloseLink:
    """Nobody shall take the seat by the link any more."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Be told of every move of a match of others; of which, the line may say otherwise."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Unwatch:
    """Be told no more."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class ListOpen:
    """The seats that anybody may take."""


@dataclass(frozen=True, slots=True)
class Join:
    """Take an open seat, or that of a link by its token; the rest is as in `Accept`."""

    match: MatchId
    words: str = ""
    colour: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class Rematch:
    """The same game with the same players."""


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """A draw by agreement."""


@dataclass(frozen=True, slots=True)
class AnswerDraw:
    """Accept or decline a draw."""

    accept: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """Wait no longer for who is late."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A decision in advance, as the game has them; its text as typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """A message to the others in the match."""

    text: str


@dataclass(frozen=True, slots=True)
class ShowChanges:
    """What changed between two plies."""

    first: Ply
    last: Ply


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """The board, now or after a ply; `whole`: all of it in words."""

    ply: Ply | None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class ShowHistory:
    """The list of plies."""


@dataclass(frozen=True, slots=True)
class ShowClocks:
    """The clocks of all seats, and what they go by."""


@dataclass(frozen=True, slots=True)
class ShowRecord:
    """The whole match as text."""


@dataclass(frozen=True, slots=True)
class ShowReplay:
    """The match as a page to step through."""


@dataclass(frozen=True, slots=True)
class ShowGif:
    """The match as a moving picture."""


@dataclass(frozen=True, slots=True)
class ShowAnalysis:
    """What decided the match."""


@dataclass(frozen=True, slots=True)
class Verify:
    """Check chain and draws."""


@dataclass(frozen=True, slots=True)
class Prove:
    """That the match is in the log as it was signed; and the log as it was at an older size."""

    since: int | None


@dataclass(frozen=True, slots=True)
class ListGames:
    """My matches; with the boards that wait for me."""

    boards: bool


@dataclass(frozen=True, slots=True)
class ShowCalendar:
    """My deadlines, as a file for a calendar."""


@dataclass(frozen=True, slots=True)
class ShowBots:
    """The programs that one can play against, and how good each is."""


@dataclass(frozen=True, slots=True)
class ShowPage:
    """The address of the page of my boards."""


@dataclass(frozen=True, slots=True)
class ShowRules:
    """A game in brief."""

    game: str | None


@dataclass(frozen=True, slots=True)
class Help:
    """The orders, or one of them."""

    topic: str | None


@dataclass(frozen=True, slots=True)
class Rename:
    """Call me so."""

    name: str


@dataclass(frozen=True, slots=True)
class Why:
    """Say whether a move is legal, and by which rule not."""

    text: str


@dataclass(frozen=True, slots=True)
class Addresses:
    """From where I may write."""


@dataclass(frozen=True, slots=True)
class AddAddress:
    """Let me write from there, too."""

    address: str


@dataclass(frozen=True, slots=True)
class RemoveAddress:
    """Nothing from there any more."""

    address: str


@dataclass(frozen=True, slots=True)
class RenewAddress:
    """Fresh reply addresses for all of my matches."""


@dataclass(frozen=True, slots=True)
class MyData:
    """All that is held on me."""


@dataclass(frozen=True, slots=True)
class DeleteMe:
    """Forget me."""


@dataclass(frozen=True, slots=True)
class Block:
    """No invitations from somebody."""

    player: str


@dataclass(frozen=True, slots=True)
class Unblock:
    """Invitations from somebody again."""

    player: str


@dataclass(frozen=True, slots=True)
class Invitations:
    """Whether invitations are welcome at all."""

    welcome: bool


AboutPeople: TypeAlias = (
    Rename
    | Block
    | Unblock
    | Invitations
    | Addresses
    | AddAddress
    | RemoveAddress
    | RenewAddress
    | MyData
    | DeleteMe
)

Order: TypeAlias = (
    Move
    | Try
    | Undo
    | Now
    | Resign
    | Yes
    | Accept
    | Decline
    | NewGame
    | ShowLink
    | CloseLink
    | Watch
    | Unwatch
    | ListOpen
    | Join
    | Rematch
    | OfferDraw
    | AnswerDraw
    | Claim
    | Standing
    | Say
    | AboutOthers
    | ShowChanges
    | ShowBoard
    | ShowHistory
    | ShowClocks
    | ShowRecord
    | ShowReplay
    | ShowGif
    | ShowAnalysis
    | Verify
    | Prove
    | ListGames
    | ShowBots
    | ShowCalendar
    | ShowPage
    | ShowRules
    | Help
    | Why
    | Hint
    | PrivateOrder
    | AboutClub
    | AboutPeople
    | AboutWishes
    | AboutHours
    | AboutTournaments
)
