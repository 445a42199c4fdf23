"""The view of a match: its parts, by what templates need together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from pbem.errors import Facts
from pbem.games.cells import Cells
from pbem.games.game import Word
from pbem.legacy.matches.events import ChanceDrawn
from pbem.names import MatchId
from pbem.legacy.notices.courtesies import PauseAsked
from pbem.legacy.standing.book import Change, Inviter

Drawing: TypeAlias = Callable[[Word], str]
"""Draws a board as an SVG document, the words in it said as the function says them."""

# --- accounts ------------------------------------------------------------------------------------
# What views tell of: steps with their proofs, positions, remarks, and what may still come.


@dataclass(frozen=True, slots=True)
class Told:
    """One step: a ply with the game's facts, a draw with its proof, a seat that left, or news.

    `event` is the kind of news, in snake_case, and `facts` are its own then. `undone`: it was
    taken back. `names` are those who sat there then, by seat.
    """

    kind: str
    ply: int
    seat: int
    name: str
    you: bool
    notation: str
    facts: Facts
    forced: bool
    standing: bool
    proof: ChanceDrawn | None
    event: str = ""
    undone: bool = False
    condition: bool = False
    names: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sight:
    """A position as the reader may see it: the picture (empty if told instead) and its facts.

    `cells` are what HTML shows of it, None where cells cannot say it or nobody would see them;
    `picture` draws what it shows rather, None where the reader gets none.
    """

    ply: int
    lines: tuple[str, ...]
    facts: Facts
    cells: Cells | None = None
    picture: Drawing | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What the reader decided for the case that the others play so, as lines that can be typed.

    `void` says why it is void, if it became so since the reader's last move, and `answer` which
    answer could not be played.
    """

    orders: tuple[str, ...] = ()
    void: str = ""
    answer: str = ""


NO_PLAN: Final = Plan()


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A condition or an answer, told if it is known to be possible.

    `word` is what it begins with: if, and, whatever, after (that, if), whatever_after, then,
    resign.
    """

    word: str
    text: str
    name: str
    told: Told | None = None
    anything: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody said or noted after a ply; `text` is empty if it is no longer kept."""

    ply: int
    name: str
    text: str


# --- match parts ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player at the table; `seat` is 0 as long as seats are not fixed."""

    seat: int
    name: str
    you: bool
    to_act: bool
    left: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """A secret draw after the end: number and link, by which it can be checked, and what it was."""

    index: int
    link: str
    text: str


@dataclass(frozen=True, slots=True)
class Rank:
    """A place and who shares it; `you`: the reader does; `points`: theirs, if the game has any."""

    place: int
    names: tuple[str, ...]
    you: bool
    points: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """The reader's own move in the correction window, and when (ISO text) it goes out.

    One that is `asked` about does not go out by itself.
    """

    notation: str
    until: str
    asked: bool = False


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of a seat: seconds left, and until when, as ISO text, where it runs.

    `paused` has the reasons for which it stands still, `away` until when its player is on leave;
    `credited` are seconds that were given back in this turn. Of the reader's own clock: on which
    weekdays (0 is Monday) and from which to which hour it does not count from the next turn on.
    """

    name: str
    you: bool
    left: int
    due: str
    paused: tuple[str, ...]
    late: bool
    away: str
    credited: int = 0
    rest_days: tuple[int, ...] = ()
    quiet: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class TimeView:
    """The time control in seconds, the clocks of a match that runs, the reader's days of leave."""

    bank: int
    increment: int
    cap: int
    seats: tuple[SeatClock, ...] = ()
    leave: int | None = None


Unbound: TypeAlias = Literal["", "bots", "letters"]
"""Why nothing binds the first draws of a match."""


@dataclass(frozen=True, slots=True)
class ColoursView:
    """Who has chosen which colour, as (name, colour), and those that the reader may have."""

    chosen: tuple[tuple[str, str], ...]
    free: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class TermsView:
    """What was agreed on before the start. `open_seats` are for anybody.

    `link_until`: or for whoever has the link of the one, until then (ISO text). `colours` is there
    before the start, where players choose them. `vacant` says what becomes of a seat whose player
    goes, where others play on then; a `lesson` teaches the challenger. `rated`, before the start.
    """

    options: tuple[tuple[str, str], ...]
    challenger: str
    rematch_of: MatchId | None = None
    tournament: str = ""
    private: bool = False
    open_seats: int = 0
    link_until: str = ""
    colours: ColoursView | None = None
    vacant: Literal["", "bot", "leave"] = ""
    lesson: bool = False
    rated: bool = False
    inviter: Inviter | None = None
    asks: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class EndingView:
    """How it ended. `lasted`: the seconds that it took, if that is known.

    `change`: what it has made of the reader's rating, as far as that is known.
    """

    ranking: tuple[Rank, ...] = ()
    termination: str = ""
    lasted: int | None = None
    change: Change | None = None


NO_ENDING: Final = EndingView()


@dataclass(frozen=True, kw_only=True, slots=True)
class FairnessView:
    """What anybody can check. `chains` are the commitments, `protocol` is that of its draws.

    `was_asked`: the reader has been told of them before the start. `unbound`: nothing that a person
    wrote binds the first draws, since only bots have answered, or no letter has a digest. That and
    `draws`, the first ones, are told where the match begins.
    """

    chains: tuple[str, ...]
    protocol: int
    head: str
    draws: tuple[ChanceDrawn, ...] = ()
    opened: tuple[Opened, ...] = ()
    unbound: Unbound = ""
    was_asked: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class PendingView:
    """What has not been decided. `offer` names who offers a draw, if an offer stands.

    `held` is there for its player alone, and so is `resigns`: when that resignation is final.
    `plan`: what the reader decided in advance. `pause`: one is asked for.
    """

    draw_offers: bool
    offer: str = ""
    offer_is_yours: bool = False
    plan: Plan = NO_PLAN
    held: Waiting | None = None
    resigns: str = ""
    pause: PauseAsked | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CompanyView:
    """Who would read what the reader says: nobody (`alone`), only one player (`other`), or more.

    `watchers` says how many watch, `watching` whether the reader is one of them, `hints` how many
    hints the reader can ask for now.
    """

    alone: bool = False
    other: str = ""
    hints: int = 0
    watchers: int = 0
    watching: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchView:
    """A match in words and numbers, without its board. `names` and `you` are by seat number.

    `subject` are the names in the subject of its mails, which never change. `threaded`: its mails
    share a subject. `playing`: the reader's seat is not out. `stands`: still, since its rules
    are away. `time`: None where nobody can be late.
    """

    id: MatchId
    game: str
    title: str
    label: str
    status: str
    players: tuple[SeatView, ...]
    names: Mapping[int, str]
    subject: tuple[str, ...]
    you: int | None
    ply: int
    your_turn: bool
    playing: bool
    stands: bool
    threaded: bool
    terms: TermsView
    ending: EndingView
    fairness: FairnessView
    pending: PendingView
    company: CompanyView
    time: TimeView | None = None

    @property
    def others(self) -> tuple[str, ...]:
        """Everybody but the reader, in order."""
        return tuple(player.name for player in self.players if not player.you)

    @property
    def acting(self) -> tuple[str, ...]:
        """Who is to act."""
        return tuple(player.name for player in self.players if player.to_act)


# --- analysis ------------------------------------------------------------------------------------
# What is told of a match that was looked at: who led when, and what decided.


@dataclass(frozen=True, slots=True)
class LeadAt:
    """Who led after a ply, and by how many hundredths of a point.

    Nobody where all are alike, several where some are in front of the others. `won`: who led was
    sure to win, as far as was seen. `ending` is how the match was over then: `won`, `shared`,
    `drawn` where all share, `decided` by an operator, `voided`. `luck` is what chance gave to them.
    """

    ply: int
    names: tuple[str, ...]
    lead: int
    won: bool = False
    ending: str = ""
    luck: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """A move as it is typed, the board behind it, and the best answers to it with who gives them.

    `draws` makes its picture, whatever the reader wishes of mails. `chances`: in how many of a
    hundred cases that were looked at its seat wins, or, below nothing, loses. `ends`: the game is
    over with it, `won` by its seat alone, or its seat has `shared` the first place.
    """

    notation: str
    sight: Sight
    draws: Drawing
    replies: tuple[tuple[str, str], ...]
    chances: int
    ends: bool
    won: bool
    shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """A turn that decided: whose, what it lost in hundredths of a point, and what was better.

    `chances`: most of what it lost is chances to win.
    `reasons` and `later` are what is otherwise at once, and behind the answers.
    """

    ply: int
    seat: int
    name: str
    you: bool
    lost: int
    chances: bool
    played: SideView
    better: SideView
    reasons: tuple[Any, ...]
    later: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisPart:
    """A match that was looked at; `you` is the reader's seat, 0 for who has none.

    `course` is who led at some times, `luck` where chance gave most; `most` is what a win counts.
    """

    game: str
    names: Mapping[int, str]
    you: int
    curve: Sight
    draws: Drawing
    course: tuple[LeadAt, ...]
    luck: tuple[LeadAt, ...]
    turns: tuple[TurnView, ...]
    most: int
