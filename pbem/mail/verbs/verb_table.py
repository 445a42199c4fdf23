"""The table of verbs, which feeds the grammar, the help mail, the footers and the tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from pbem.mail.verbs.arguments import (
    address,
    any_text,
    bare,
    board,
    changes,
    comment,
    delete_me,
    games,
    give,
    invitations,
    looks_bad,
    name,
    pause,
    profile,
    proof,
    ratings,
    rename,
    report,
    resign,
    set_wish,
    settings,
    shaped,
    start,
    statistics,
    stop,
    topic,
    wish,
)
from pbem.mail.verbs.courtesy_orders import Resume
from pbem.mail.verbs.if_lines import condition, queue
from pbem.mail.verbs.orders import (
    Block,
    Claim,
    Help,
    Hint,
    ListOpen,
    MyData,
    Now,
    OfferDraw,
    Order,
    Rematch,
    Say,
    ShowAnalysis,
    ShowBots,
    ShowCalendar,
    ShowClocks,
    ShowGif,
    ShowHistory,
    ShowPage,
    ShowRecord,
    ShowReplay,
    ShowRules,
    Try,
    Unblock,
    Undo,
    Unwatch,
    Verify,
    Watch,
    Why,
    Yes,
)
from pbem.mail.verbs.own_orders import (
    Away,
    Back,
    ChooseWish,
    Mute,
    Note,
    QuietHours,
    RestDays,
    ShowMessages,
    TestMail,
    Unmute,
)
from pbem.mail.verbs.seat_arguments import accept, decline, join, learn, link, match_named, new
from pbem.mail.verbs.tournament_orders import (
    Enter,
    ShowStandings,
    ShowTournaments,
    Withdraw,
    tournament,
)
from pbem.players.typed_times import DAYS_SHAPE, HOURS_SHAPE
from pbem.players.typed_times import SHAPE as PERIOD_SHAPE
from pbem.players.wishes import BY_NAME


@dataclass(frozen=True, kw_only=True, slots=True)
class Verb:
    """One row: the verb, its other names, and how the rest of the line becomes an order.

    `order` gets the rest as typed and returns None where the line is none after all ("yes, I think
    so"). `examples` are shown in help and tested to be read; the words that explain a verb stand in
    templates/orders.txt.j2. `takes_paragraph`: the rest runs on to the next blank line.
    `moves`: the rest are moves, or words between them. `behind` is what else the rest may be:
    a name in one word, somebody (an address, or nobody), or words of the writer's own.
    """

    name: str
    also: tuple[str, ...] = ()
    order: Callable[[str], Order | None]
    examples: tuple[str, ...]
    needs_match: bool = False
    takes_paragraph: bool = False
    over_game: bool = False
    moves: bool = False
    behind: Literal["name", "somebody", "words"] | None = None

    @property
    def takes(self) -> bool:
        """Whether it knows its arguments: text, moves and names may be anything."""
        return self.order("?") is None


def _wish(name: str, *also: str) -> Verb:
    return Verb(name=name, also=also, order=wish(name), examples=BY_NAME[name].examples)


VERBS: Final = (
    Verb(name="try", also=("preview",), order=any_text(Try), examples=("try {move}",),
         needs_match=True, moves=True),
    Verb(name="if", order=condition,
         examples=("if {move} then {answer}", "if any then {move}", "if any then resign yes"),
         needs_match=True, moves=True),
    Verb(name="queue", also=("premove",), order=queue,
         examples=("queue", "queue clear", "premove {move}"), needs_match=True, moves=True),
    Verb(name="board", also=("show",), order=board, examples=("board", "board 12", "board all"),
         needs_match=True, over_game=True),
    Verb(name="why", order=any_text(Why), examples=("why {move}",), needs_match=True,
         moves=True),
    Verb(name="hint", also=("give me a hint",), order=bare(Hint()), examples=("hint",),
         needs_match=True),
    Verb(name="undo", also=("takeback",), order=bare(Undo()), examples=("undo",),
         needs_match=True),
    Verb(name="now", also=("send now", "send it now"), order=bare(Now()),
         examples=("now",), needs_match=True),
    Verb(name="history", also=("moves",), order=bare(ShowHistory()), examples=("history",),
         needs_match=True),
    Verb(name="time", also=("clock",), order=bare(ShowClocks()), examples=("time",),
         needs_match=True),
    Verb(name="diff", also=("changes",), order=changes, examples=("diff 3 7",),
         needs_match=True),
    Verb(name="say", behind="words", also=("chat", "press"), order=any_text(Say),
         examples=("say Well played!",), needs_match=True, takes_paragraph=True),
    Verb(name="messages", order=bare(ShowMessages()), examples=("messages",), needs_match=True),
    Verb(name="mute", behind="name", order=name(Mute), examples=("mute", "mute Bob"),
         needs_match=True),
    Verb(name="unmute", behind="name", order=name(Unmute), examples=("unmute",), needs_match=True),
    Verb(name="report", behind="name", order=report, examples=("report Bob",),
         needs_match=True),
    Verb(name="note", behind="words", also=("diary", "notes"), order=any_text(Note),
         examples=("note He never guards the corner.", "note"), needs_match=True,
         takes_paragraph=True),
    Verb(name="comment", behind="words", order=comment,
         examples=("comment 12: That was the move.", "comment: What a match!"),
         needs_match=True, takes_paragraph=True),
    Verb(name="resign", also=("concede", "i resign", "i give up"), order=resign,
         examples=("resign",), needs_match=True, over_game=True),
    Verb(name="yes", also=("ok",), order=bare(Yes()), examples=("yes",)),
    Verb(name="record", also=("export",), order=bare(ShowRecord()), examples=("record",),
         needs_match=True),
    Verb(name="replay", order=bare(ShowReplay()), examples=("replay",), needs_match=True),
    Verb(name="gif", order=bare(ShowGif()), examples=("gif",),
         needs_match=True),
    Verb(name="analysis", also=("analyze",), order=bare(ShowAnalysis()),
         examples=("analysis",), needs_match=True),
    Verb(name="verify", order=bare(Verify()), examples=("verify",), needs_match=True),
    Verb(name="proof", order=proof, examples=("proof",), needs_match=True),
    Verb(name="rematch", order=bare(Rematch()), examples=("rematch",), needs_match=True),
    Verb(name="offer draw", also=("draw", "offer a draw", "i offer a draw"),
         order=bare(OfferDraw()), examples=("offer draw",), needs_match=True),
    Verb(name="accept", behind="words", also=("i accept",), order=accept,
         examples=("accept", 'accept "any words of mine"'), needs_match=True),
    Verb(name="decline", also=("leave", "no", "no thanks"), order=decline,
         examples=("decline",), needs_match=True),
    Verb(name="claim", order=bare(Claim()), examples=("claim",), needs_match=True),
    Verb(name="give", order=give, examples=("give Bob 3 days", "give Bob 12 hours"),
         needs_match=True),
    Verb(name="pause", order=pause, examples=("pause", "pause 10 days"), needs_match=True),
    Verb(name="resume", also=("unpause",), order=bare(Resume()), examples=("resume",),
         needs_match=True),
    Verb(name="new", also=("challenge",), order=new,
         examples=("new logger with bob@example.org", "new logger with Bob, Cleo tree_limit=20",
                   "new logger with bot", "new address")),
    Verb(name="learn", also=("teach me",), order=learn, examples=("learn logger",)),
    Verb(name="open", order=bare(ListOpen()), examples=("open", "new logger open")),
    Verb(name="link", order=link, examples=("link", "link off", "new logger link"),
         needs_match=True),
    Verb(name="join", order=join, examples=("join K7QX2",)),
    Verb(name="watch", also=("observe",), order=match_named(Watch), examples=("watch K7QX2",)),
    Verb(name="unwatch", order=match_named(Unwatch), examples=("unwatch", "unwatch K7QX2")),
    Verb(name="games", also=("status",), order=games, examples=("games", "games next")),
    Verb(name="calendar", also=("deadlines",), order=bare(ShowCalendar()), examples=("calendar",)),
    Verb(name="bots", also=("robots",), order=bare(ShowBots()), examples=("bots",)),
    Verb(name="ratings", also=("ranking",), order=ratings, examples=("ratings", "ratings logger")),
    Verb(name="stats", also=("statistics",), order=statistics, examples=("stats", "stats logger")),
    Verb(name="profile", behind="name", order=profile,
         examples=("profile", "profile Bob", "profile off")),
    Verb(name="tournaments", order=bare(ShowTournaments()), examples=("tournaments",)),
    Verb(name="enter", behind="name", order=tournament(Enter), examples=("enter spring-league",)),
    Verb(name="withdraw", behind="name", order=tournament(Withdraw),
         examples=("withdraw spring-league",)),
    Verb(name="standings", behind="name", order=tournament(ShowStandings),
         examples=("standings", "standings spring-league")),
    Verb(name="page", also=("my page",), order=bare(ShowPage()), examples=("page",)),
    Verb(name="rules", order=topic(ShowRules), examples=("rules", "rules logger")),
    Verb(name="help", order=topic(Help), examples=("help", "help say"), over_game=True),
    Verb(name="name", behind="name", order=rename, examples=("name Ann",)),
    Verb(name="address", also=("addresses",), order=address,
         examples=("address list", "address add ann@work.example",
                   "address remove ann@work.example")),
    Verb(name="settings", order=settings, examples=("settings",)),
    Verb(name="set", order=set_wish, examples=("set width 60",)),
    _wish("mail"),
    Verb(name="ascii", order=bare(ChooseWish("glyphs", "ascii")), examples=("ascii",)),
    Verb(name="unicode", order=bare(ChooseWish("glyphs", "unicode")), examples=("unicode",)),
    _wish("pictures"),
    _wish("replays"),
    _wish("width"),
    _wish("lang", "language"),
    _wish("tz"),
    _wish("thread"),
    _wish("digest"),
    _wish("remind"),
    _wish("receipts"),
    _wish("window"),
    _wish("limit"),
    Verb(name="away", also=("vacation", "absence", "holiday"), order=shaped(PERIOD_SHAPE, Away),
         examples=("away 5 days", "away 2026-12-24 2027-01-02")),
    Verb(name="back", order=bare(Back()), examples=("back",)),
    Verb(name="rest", order=shaped(DAYS_SHAPE, RestDays), examples=("rest sat sun", "rest off")),
    Verb(name="quiet", order=shaped(HOURS_SHAPE, QuietHours), examples=("quiet 22-7", "quiet off")),
    Verb(name="test", order=bare(TestMail()), examples=("test",)),
    Verb(name="bad", order=looks_bad, examples=("bad glyphs", "bad width", "bad html")),
    Verb(name="stop", also=("unsubscribe",), order=stop,
         examples=("stop", "stop chat", "stop news")),
    Verb(name="start", order=start, examples=("start", "start chat")),
    Verb(name="block", behind="somebody", order=any_text(Block),
         examples=("block bob@example.org",)),
    Verb(name="unblock", behind="somebody", order=any_text(Unblock),
         examples=("unblock bob@example.org",)),
    Verb(name="invitations", order=invitations, examples=("invitations off",)),
    Verb(name="my data", order=bare(MyData()), examples=("my data",)),
    Verb(name="delete me", order=delete_me, examples=("delete me",)),
)  # fmt: skip
"""Every platform order, in the order of the help mail."""

BY_WORD: Final = {word: verb for verb in VERBS for word in (verb.name, *verb.also)}
"""Every verb by each of its names."""
