"""Notices about players, their addresses and what reaches them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pbem.names import Digest, MatchId, PlayerId
from pbem.legacy.notices.notice import Notice, Traits
from pbem.legacy.standing.statistics import Statistics


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfirmationAsked(Notice):
    """A stranger wrote: answer this mail to become a player; `lines` is what is done then.

    `more`: the letter said more, which is not kept.
    """

    traits = Traits(asks="confirmation", unproved=True, though_bounced=True)

    lines: tuple[str, ...] = ()
    more: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerUnreachable(Notice):
    """Mail to somebody with whom you play these matches comes back.

    `until`: their clocks stand still no longer, as ISO text; empty: they run, or leave is spent.
    `times`: how often mail to them has come back for good.
    """

    traits = Traits(wish="news", waits=True)

    player: PlayerId
    matches: tuple[MatchId, ...]
    until: str = ""
    times: int = 1

    @property
    def match(self) -> MatchId | None:
        """The one match that it is about, if it is one."""
        return self.matches[0] if len(self.matches) == 1 else None


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerBack(Notice):
    """Somebody with whom you play these matches, and whose mail came back, has written again."""

    traits = Traits(wish="news", waits=True)

    player: PlayerId
    matches: tuple[MatchId, ...]

    @property
    def match(self) -> MatchId | None:
        """The one match that it is about, if it is one."""
        return self.matches[0] if len(self.matches) == 1 else None


@dataclass(frozen=True, kw_only=True, slots=True)
class AddressAsked(Notice):
    """You want to write from this address, too: answer this mail from it."""

    traits = Traits(asks="claim", unproved=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class AddressesListed(Notice):
    """The addresses that you may write from; the first one gets the mail."""

    traits = Traits()

    addresses: tuple[str, ...]
    waiting: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class WhyTold(Notice):
    """Whether a move would be legal now, and if so in its canonical form; nothing was played."""

    traits = Traits(on_page=True)

    match: MatchId
    typed: str
    notation: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AwaySpan:
    """From when to when somebody is away, as ISO text."""

    begin: str
    end: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SettingsShown(Notice):
    """How you wanted your mails: the wishes that you chose, by name; others have their default.

    And when your clocks do not count: weekdays from Monday, 0, hours from and to, spans of leave,
    and the days of leave that are left.
    """

    traits = Traits()

    wishes: Mapping[str, str]
    rest_days: tuple[int, ...] = ()
    quiet_hours: tuple[int, ...] = ()
    leave: tuple[AwaySpan, ...] = ()
    leave_left: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class SampleShown(Notice):
    """A test mail: a board of a game (by its key) in both kinds of signs, and lines of widths."""

    traits = Traits()

    game: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Rated:
    """Where somebody stands in a game; `place` in its list, 0 for who is not in it.

    `rating` and `give_or_take`, its deviation, are in whole points.
    """

    game: str
    player: PlayerId
    place: int
    rating: int
    give_or_take: int
    played: int
    won: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RatingsShown(Notice):
    """The list of a `game`, or with none the heads of all lists; `own` are those of the reader.

    `most`: so many stand in a list that is shown.
    """

    traits = Traits()

    player: PlayerId
    game: str
    listed: tuple[Rated, ...]
    own: tuple[Rated, ...]
    most: int

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Whom it names."""
        return tuple(one.player for one in self.listed)


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """A match that somebody has ended, and when, as ISO text; `rating` after it, 0: not rated."""

    match: MatchId
    ended: str
    rating: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ProfileShown(Notice):
    """How a player plays; `own`: it is the reader, who is shown what is private, too.

    `since` is when they came, as ISO text; `over` are the matches of the last twelve months by
    which it is told how reliable they are, unless `new`: `turns` in them, `late` ones, and matches
    `lost` on time; `last` are the last ones that ended.
    """

    traits = Traits()

    player: PlayerId
    own: bool
    since: str
    ratings: tuple[Rated, ...]
    over: int
    in_time: int
    lost: int
    new: bool
    last: tuple[Result, ...]

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Whom it names."""
        return (self.player,)

    @property
    def matches(self) -> tuple[MatchId, ...]:
        """The matches that it names."""
        return tuple(one.match for one in self.last)


@dataclass(frozen=True, kw_only=True, slots=True)
class Welcome(Notice):
    """You are a player now: how to begin, unless the same letter has asked for a match.

    `game`: the one that your first letter spoke of, or none. `unread`: another letter came before
    your answer, and nothing in it was done.
    """

    traits = Traits(asks="start")

    match: MatchId | None = None
    game: str = ""
    unread: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class DataShown(Notice):
    """All that is held on you; what it is, is read when the mail is written, and kept nowhere."""

    traits = Traits()


@dataclass(frozen=True, kw_only=True, slots=True)
class Banned(Notice):
    """The operator has excluded you, and why; `wishes` is how you wanted mails."""

    traits = Traits(asks="nothing", says="reason")

    reason: Digest
    wishes: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorDecided(Notice):
    """The operator has done something about you, and why; `name` is what you are called now."""

    traits = Traits(says="reason")

    act: Literal["pardoned", "renamed"]
    reason: Digest
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Farewell(Notice):
    """You are forgotten, and this is the last mail; `wishes` is how you wanted mails."""

    traits = Traits(asks="nothing")

    by: Literal["player", "operator"]
    wishes: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class SendingCapNear(Notice):
    """For the operator: most of what the provider lets us send in this time is used."""

    traits = Traits(asks="nothing")

    period: Literal["hour", "day"]
    used: int
    most: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportReceived(Notice):
    """For the operator: a player reports another, and what they have said in the match `about`.

    `said` are the newest of their messages there, sealed.
    """

    traits = Traits(asks="nothing")

    about: MatchId
    game: str
    reporter: PlayerId
    reported: PlayerId
    said: tuple[Digest, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class LettersWait(Notice):
    """More letters of yours have come than `limit` in an hour; the first waits `until` then.

    `until` is ISO text; empty: so many wait that the newest are not taken.
    """

    traits = Traits()

    match: MatchId | None
    until: str
    limit: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SenderDoubted(Notice):
    """A letter with your reply address came from elsewhere; was it you? `lines` are its orders.

    `more`: it said more, which is neither shown nor carried out: whoever forged it wrote it.
    `suspended`: mail to you came back, and the answer lets it come again.
    `seen`: it came to a reply address of yours that others have seen.
    """

    traits = Traits(
        asks="yes", answers=("yes",), own_address=True, unproved=True, though_bounced=True
    )

    match: MatchId | None
    orders: str
    lines: tuple[str, ...] = ()
    suspended: bool = False
    more: bool = False
    seen: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchesStandStill(Notice):
    """Matches of yours, by names, stand still: the rules of a game, by its title, are away."""

    traits = Traits()

    names: tuple[str, ...]
    title: str


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchesGoOn(Notice):
    """Matches of yours that stood still go on."""

    traits = Traits()

    matches: tuple[MatchId, ...]
    title: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Reminder(Notice):
    """A quarter of your time is left; the matches that wait for you, the most urgent first."""

    traits = Traits(teaches=True)

    matches: tuple[MatchId, ...]


Became: TypeAlias = Literal["away", "back", "cancelled"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerAway(Notice):
    """Somebody with whom you play these matches is away, from and to times as ISO text.

    `back`: was away, and is back before the leave was over; `cancelled`: it had not begun, and
    will not be.
    """

    traits = Traits(wish="news", waits=True)

    player: PlayerId
    matches: tuple[MatchId, ...]
    begin: str
    end: str
    became: Became = "away"


AboutSomebody: TypeAlias = PlayerAway | PlayerBack | PlayerUnreachable
"""What concerns all matches that two people share, and is told once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StatisticsShown(Notice):
    """What has come of the matches of a `game`, or with none of each, by the number of seats."""

    traits = Traits()

    game: str
    told: tuple[Statistics, ...]


AboutStanding: TypeAlias = RatingsShown | ProfileShown | StatisticsShown
"""Who stands where."""
