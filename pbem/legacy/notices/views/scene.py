"""What is seen: who reads, the scene that notices speak of, and the views that templates get."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from pbem.legacy.bots.lessons import Lesson
from pbem.errors import Facts
from pbem.games.game import Style
from pbem.legacy.matches.events import ChanceDrawn
from pbem.legacy.matches.match import Match
from pbem.names import Digest, MatchId, PlayerId
from pbem.legacy.notices.codec import KINDS
from pbem.legacy.notices.notice import Ask, Notice
from pbem.legacy.notices.views.match_parts import AnalysisPart, Line, MatchView, PlanLine, Sight, Told
from pbem.legacy.notices.views.standings import RoundView, TableView
from pbem.legacy.standing.book import Change, Inviter
from pbem.legacy.tournaments.at_table import AtTable

if TYPE_CHECKING:
    from pbem.legacy.bots.analysis import Analysis

SHORT_HASH: Final = 16
"""Hex digits of a hash that a footer shows: 64 bits."""

_CAPITAL: Final = re.compile(r"(?<=[a-z])([A-Z])")

MARKER: Final = "=== write your move above this line ==="
"""What a reply is written above; short enough that no mailer wraps it."""


# --- who reads, and what there is to see ---------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Wishes:
    """How a reader wants mails. `spoken`: the board as a list; `tz`: an IANA time zone.

    `pictures`: on, or off, as where nothing can draw them.
    `replays`: the match as a page beside the mail that tells of its end.
    `thread`: one thread for each match; `chosen` has every wish of the table with its value.
    """

    style: Style = Style.ASCII
    spoken: bool = False
    width: int = 72
    html: bool = True
    pictures: str = "off"
    replays: bool = False
    lang: str = "en"
    tz: str = "UTC"
    thread: bool = True
    chosen: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Reader:
    """Whom a mail is for, and how; `leave` are the days of leave left, where they count.

    `newcomer`: no answer has come yet from the address. `turns_elsewhere`: how many turns they
    have had in other matches of the game of a match.
    """

    player: PlayerId
    name: str
    wishes: Wishes = Wishes()
    leave: int | None = None
    newcomer: bool = False
    turns_elsewhere: Mapping[MatchId, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """Who sends: the service's name, and its public address, to which anybody may write."""

    title: str
    address: str


@dataclass(frozen=True, kw_only=True, slots=True)
class VerbHelp:
    """An order that exists, for footers and help; what it does, templates/orders.txt.j2 says."""

    name: str
    also: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    needs_match: bool = False


@dataclass(frozen=True, slots=True)
class Holding:
    """One kind of what is held on a player: how much of it, and as JSON what fits into a mail."""

    name: str
    count: int
    lines: tuple[str, ...]

    @property
    def more(self) -> int:
        """How much is only counted."""
        return self.count - len(self.lines)


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """What the notices of one mail speak of.

    `heads` has the hash chains' heads, in hex; `sealed` the texts of messages, as far as they are
    kept; `names` everybody whom a notice or match names. `order_words` are what orders begin with;
    `token_line` brings the reply address back in a quote; `files` names the records that the mail
    brings beside its words; `seated` has the names by which the seats of matches that have begun
    were taken, but for players who have been forgotten; `spans` when matches that are over began
    and ended, and those began whose records are shown; `page` is where a browser shows
    what the mail is about, empty where there are no pages; `link` is the invitation that its reader
    passes on; `analyses` are those of matches that are shown; `standing` is what matches that are
    over have made of the reader's ratings, and what is told of who invites; `at_tables` is what
    matches of tournaments mean there for the reader; `still` are the matches that stand still,
    though whose turn it is may be known.
    """

    matches: Mapping[MatchId, Match]
    names: Mapping[PlayerId, str]
    site: Site
    reply_address: str
    now: datetime
    heads: Mapping[MatchId, str] = field(default_factory=dict)
    sealed: Mapping[Digest, str] = field(default_factory=dict)
    verbs: tuple[VerbHelp, ...] = ()
    order_words: frozenset[str] = frozenset()
    token_line: str = ""
    held: tuple[Holding, ...] = ()
    files: Mapping[MatchId, str] = field(default_factory=dict)
    seated: Mapping[MatchId, Mapping[int, str]] = field(default_factory=dict)
    spans: Mapping[MatchId, tuple[datetime, ...]] = field(default_factory=dict)
    page: str = ""
    link: str = ""
    analyses: Mapping[MatchId, Analysis] = field(default_factory=dict)
    standing: Mapping[MatchId, Change | Inviter] = field(default_factory=dict)
    at_tables: Mapping[MatchId, AtTable] = field(default_factory=dict)
    still: frozenset[MatchId] = frozenset()


# --- what a template sees ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Link:
    """A mail that is already written: what it says, and the mailto address that makes it."""

    text: str
    href: str


def snake_case(name: str) -> str:
    """The name of a class as words: `turn_prompt`."""
    return _CAPITAL.sub(r"_\1", name).lower()


TEMPLATES: Final[Mapping[type[Notice], str]] = {
    kind: snake_case(name) for name, kind in KINDS.items()
}
"""The name of the templates of each kind of notice: its class in snake_case."""


@dataclass(frozen=True, slots=True)
class ReasonView:
    """Of what there was more or less for a seat, as `bots.reasons.Reason` has it, for words."""

    term: str
    seat: int
    had: int
    has: int


@dataclass(frozen=True, kw_only=True, slots=True)
class HintView:
    """A move that the reader is told, and why: as `HintGiven` has it.

    `now` are changes by the move itself, `later` those after `replies`; `whom` is the name of who
    is kept from winning; `left` hints are left.
    """

    choice: Choice
    why: str
    now: tuple[ReasonView, ...]
    later: tuple[ReasonView, ...]
    replies: tuple[str, ...]
    whom: str
    left: int


@dataclass(frozen=True, slots=True)
class WishView:
    """A wish of the reader: its name, its value as it is typed, and other values as typed."""

    name: str
    typed: str
    others: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultView:
    """A match that is over: who came where, the best first; see `personal.Result`."""

    label: str
    ended: str
    placed: tuple[tuple[int, str], ...]
    rating: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that a reader can make: as it is typed, and what it would bring about."""

    notation: str
    facts: Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class LessonPart:
    """Where a lesson stands, before a turn of who learns.

    `offered` is the move that is asked for, as it is typed, if there is one; `missed` the one that
    was, where another was made; `whom` the name of who moved last, for whom the stage has reasons.
    `facts` are those of what is asked for, `came` those of the learner's last turn.
    """

    stage: Lesson
    offered: tuple[str, ...]
    missed: str
    facts: Facts
    came: Facts
    whom: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardPart:
    """The board of a notice, and what is told of it.

    `sight` is None where the mail shows the board elsewhere, or the reader has none to see;
    `earlier` is the position that it is compared with. `draws` are those that it shows besides the
    steps. `explains`: the aim of the game and every sign of the board are told, since the reader is
    new to the game or has asked; `defines`: so is each word of the moves that are offered;
    `whole`: so is all of the board in words, in place of the picture. `first`: the reader has not
    had a turn of the game. `lesson` is there for who learns it by the match.
    """

    sight: Sight | None = None
    earlier: Sight | None = None
    draws: tuple[ChanceDrawn, ...] = ()
    explains: bool = False
    defines: bool = False
    first: bool = False
    whole: bool = False
    lesson: LessonPart | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedPart:
    """What a notice lists.

    `remarks` is what was said or noted, `plan` what the reader decided in advance, `file` what the
    mail brings beside it, `results` matches that are over, `analysis` a match that was looked at,
    `tables` and `rounds` those of a tournament, `at_table` what a match means in its tournament.
    """

    lines: tuple[str, ...] = ()
    remarks: tuple[Line, ...] = ()
    plan: tuple[PlanLine, ...] = ()
    verbs: tuple[VerbHelp, ...] = ()
    games: tuple[tuple[str, str], ...] = ()
    held: tuple[Holding, ...] = ()
    wishes: tuple[WishView, ...] = ()
    samples: tuple[tuple[str, ...], ...] = ()
    results: tuple[ResultView, ...] = ()
    file: str = ""
    analysis: AnalysisPart | None = None
    tables: tuple[TableView, ...] = ()
    rounds: tuple[RoundView, ...] = ()
    at_table: AtTable | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ForeseenPart:
    """What a move that is tried or held would bring about; `theirs`: what `person` would read.

    `hint` is the move that the reader is told.
    """

    coming: str = ""
    theirs: NoticeView | None = None
    hint: HintView | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeView:
    """One notice: `name` is that of its templates, `notice` its facts with every text clean.

    `prefix` is what an answer to it has to begin with. `last` is the last move, where no list of
    steps has it.
    """

    name: str
    notice: Notice
    reader: str
    spoken: bool
    html: bool
    site: Site
    match: MatchView | None = None
    board: BoardPart = field(default_factory=BoardPart)
    listed: ListedPart = field(default_factory=ListedPart)
    foreseen: ForeseenPart = field(default_factory=ForeseenPart)
    since: tuple[Told, ...] = ()
    told: Told | None = None
    last: Told | None = None
    choices: tuple[Choice, ...] = ()
    links: tuple[Link, ...] = ()
    person: str = ""
    text: str = ""
    matches: tuple[NoticeView, ...] = ()
    prefix: str = ""
    newcomer: bool = False

    @property
    def examples(self) -> tuple[str, ...]:
        """The moves that it names, as they are typed."""
        return tuple(choice.notation for choice in self.choices)


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """A mail. `thread` is the match in whose thread it belongs; `sender` the name it comes from.

    `verbs` are those that work in an answer, `order_words` the first words of all orders,
    `unfinished` the verbs that say nothing alone, `proofs`
    the draws that the mail shows, by the label of their match, `wishes` those that shape the mail.
    """

    notices: tuple[NoticeView, ...]
    reader: str
    site: Site
    sender: str
    thread: MatchId | None
    match: MatchView | None
    ask: Ask
    reply_address: str
    verbs: tuple[str, ...]
    order_words: frozenset[str]
    unfinished: frozenset[str]
    token_line: str
    width: int
    html: bool
    lang: str
    tz: str
    proofs: tuple[tuple[str, tuple[ChanceDrawn, ...]], ...] = ()
    wishes: tuple[str, ...] = ()
    newcomer: bool = False
    page: str = ""
