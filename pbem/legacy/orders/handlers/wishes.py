"""Orders about one's own mails and times: how they look, which come, when clocks stand still."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from pbem.legacy.delivery.digests import drop_page_moves, reset_digest
from pbem.legacy.delivery.records import LISTED, list_games
from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.legacy.mail.verbs.own import (
    Away,
    Back,
    ChooseWish,
    LooksBad,
    QuietHours,
    RestDays,
    ShowSettings,
    StartMails,
    TestMail,
)
from pbem.legacy.mail.verbs.playing import Undo
from pbem.legacy.matches.match import Status
from pbem.legacy.notices.news import Invitation
from pbem.legacy.notices.personal import AwaySpan, SampleShown, SettingsShown
from pbem.legacy.notices.replies import BoardShown
from pbem.legacy.orders.context import LetterContext, choose_window
from pbem.legacy.orders.handlers.second_thoughts import undo
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power, is_language
from pbem.legacy.orders.reply_context import open_questions
from pbem.legacy.players import decide
from pbem.legacy.players.player import A_DAY
from pbem.legacy.players.typed_times import LONGEST, read_period, read_quiet_hours, read_rest_days
from pbem.legacy.players.wishes import BY_NAME, NARROWEST, stops_all, wished
from pbem.legacy.store import still, views
from pbem.legacy.store.people import rates, roster
from pbem.legacy.transaction.timers import QUESTIONS_LIVE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.errors import Facts
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.transaction.transaction import Transaction


# --- absence -------------------------------------------------------------------------------------
# Orders about times that do not count: leave, rest days, quiet hours.


@carries_out(RestDays, Power.WISHES)
def choose_rest_days(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: RestDays
) -> None:
    """Let clocks stand on some days of the week."""
    days = read_rest_days(order.text)
    txn.decide_player(txn.sender, decide.choose_rest_days, days=days)
    txn.done(typed.typed, "rest_days", {"days": list(days)})


@carries_out(QuietHours, Power.WISHES)
def choose_quiet_hours(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: QuietHours
) -> None:
    """Let clocks stand in some hours of each day."""
    hours = read_quiet_hours(order.text)
    txn.decide_player(txn.sender, decide.choose_quiet_hours, hours=hours)
    txn.done(typed.typed, "quiet_hours", {"hours": list(hours)})


@carries_out(Back, Power.WISHES)
def come_back(txn: Transaction, context: LetterContext, typed: TypedOrder, _: Back) -> None:
    """End a leave, and what is planned; who was not away takes back the move that is held."""
    standing = [one for one in txn.player(txn.sender).leave if one.end > txn.now]
    match = context.matches.match(context.home) if context.home is not None else None
    if not standing and match is not None and match.seat_of(txn.sender) in match.pending.held:
        undo(txn, context, typed, Undo())
        return
    if not standing:
        txn.done(typed.typed, "not_away")
        return
    back = txn.decide_player(txn.sender, decide.end_leave)
    planned = [one for one in standing if one.begin > txn.now]
    facts: Facts = {
        "left": back.leave_left(txn.now),
        "away": len(planned) < len(standing),
        "cancelled": [[one.begin.isoformat(), one.end.isoformat()] for one in planned],
    }
    txn.done(typed.typed, "back", facts)


@carries_out(Away, Power.WISHES)
def go_away(txn: Transaction, _: LetterContext, typed: TypedOrder, order: Away) -> None:
    """Begin a leave, or plan one."""
    try:
        begin, end, days = _plan(txn, order.text)
    except Rejection as rejection:
        said = " ".join(typed.typed.split()[1:])[:LONGEST]  # and no words of ours for theirs
        raise Rejection(rejection.code, **{**rejection.facts, "typed": said}) from None
    away = txn.decide_player(txn.sender, decide.plan_leave, begin=begin, end=end, days=days)
    facts: Facts = {
        "begin": begin.isoformat(),
        "end": end.isoformat(),
        "days": days,
        "left": away.leave_left(txn.now),
        "begun": begin <= txn.now,
    }
    txn.done(typed.typed, "away", facts)


def _plan(txn: Transaction, text: str) -> tuple[datetime, datetime, int]:
    """Whole days of the player's time zone; what begins today begins now."""
    zone = ZoneInfo(wished(txn.player(txn.sender).wishes, "tz"))
    period = read_period(text, txn.now.astimezone(zone).date())
    if isinstance(period, int):
        return txn.now, txn.now + period * A_DAY, period
    first, last = period
    begin, end = max(txn.now, _midnight(first, zone)), _midnight(last + timedelta(days=1), zone)
    return begin, end, (last - first).days + 1


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)


# --- wishes --------------------------------------------------------------------------------------
# Orders about one's own mails: how they look, which of them come, what was chosen so far.

TEST: Final = "test"
"""The kind of the question that a test mail asks."""


@carries_out(ChooseWish, Power.WISHES)
def choose_wish(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: ChooseWish
) -> None:
    """Wish something of one's mails."""
    if (order.name, order.value) == ("everything", "off"):
        _stop(txn, context, typed)
        return
    chosen = choose(txn, context, order.name, order.value)
    facts = {"wish": order.name, "value": chosen, "typed": BY_NAME[order.name].written(chosen)}
    txn.done(typed.typed, "wish_chosen", facts)
    if is_language(order) and context.home is not None:
        # An invitation, or a lesson, that could not be read is there again, to be answered.
        match = txn.match(context.home)
        if match.status is Status.CHALLENGE and txn.sender in match.waiting_for:
            txn.answer(Invitation(match=match.id))
        elif match.terms.lesson and match.seat_of(txn.sender) in match.to_act:
            txn.answer(BoardShown(match=match.id, ply=match.course.ply))


@carries_out(StartMails, Power.WISHES)
def start_mails(txn: Transaction, context: LetterContext, typed: TypedOrder, _: StartMails) -> None:
    """Get mails again, first of all what waits."""
    stopped = stops_all(txn.player(txn.sender).wishes)
    choose(txn, context, "everything", "on")
    list_games(txn, boards=True, resumed=stopped or context.resumed)
    txn.done(typed.typed, "started")


def _stop(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:
    """No mail any more but answers. PLAY 3: clocks go on, and `stop` says so."""
    choose(txn, context, "everything", "off")
    running = [row.id for row in views.matches_of(txn.conn, txn.sender, (Status.RUNNING.value,))]
    stand = {one.match for one in still.standing(txn.conn)}
    txn.done(
        typed.typed, "stopped", {"matches": [one for one in running if one not in stand][:LISTED]}
    )


@carries_out(ShowSettings, Power.READ)
def show_settings(txn: Transaction, _: LetterContext, typed: TypedOrder, __: ShowSettings) -> None:
    """Show all that was wished."""
    player = txn.player(txn.sender)
    standing = [one for one in player.leave if one.end > txn.now]
    txn.answer(
        SettingsShown(
            wishes=player.wishes,
            rest_days=player.rest_days,
            quiet_hours=player.quiet_hours,
            leave=tuple(
                AwaySpan(begin=one.begin.isoformat(), end=one.end.isoformat()) for one in standing
            ),
            leave_left=player.leave_left(txn.now),
        )
    )
    txn.done(typed.typed, "shown")


@carries_out(TestMail, Power.WISHES)
def ask_what_is_seen(txn: Transaction, _: LetterContext, typed: TypedOrder, __: TestMail) -> None:
    """Ask what the sender sees."""
    rows = views.matches_of(txn.conn, txn.sender, (Status.RUNNING.value,))
    game = txn.match(rows[0].id).game if rows else next(iter(GAMES.values()))
    rates.ask(
        txn.conn,
        f"{txn.cause}:test",
        player=txn.sender,
        kind=TEST,
        facts={"match": None},
        expires_at=txn.now + QUESTIONS_LIVE,
    )
    txn.answer(SampleShown(game=game.key))
    txn.done(typed.typed, "shown")


def keep_what_is_seen(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:
    """All of the test mail looked right: mails may have all of it."""
    wishes = {"glyphs": "unicode", "width": BY_NAME["width"].default}
    if wished(txn.player(txn.sender).wishes, "mail") == "text":
        wishes["mail"] = "html"  # who has boards told in words keeps that
    _adapt(txn, context, typed, wishes)


@carries_out(LooksBad, Power.WISHES)
def note_bad_looks(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: LooksBad
) -> None:
    """Let mails have no more of what looked bad.

    Who writes `Bad!` above a move and was asked nothing means no order: the move is carried out.
    """
    if not any(question.kind == TEST for question in open_questions(context)):
        txn.done(typed.typed, "no_test_mail")
        return
    safe = {"glyphs": ("glyphs", "ascii"), "width": ("width", str(NARROWEST)),
            "html": ("mail", "text")}  # fmt: skip
    _adapt(txn, context, typed, dict([safe[order.what]] if order.what else safe.values()))


def _adapt(
    txn: Transaction, context: LetterContext, typed: TypedOrder, wishes: Mapping[str, str]
) -> None:
    for name, value in wishes.items():
        choose(txn, context, name, value)
    lines = [BY_NAME[name].written(value) for name, value in wishes.items()]
    txn.done(typed.typed, "adapted", {"wishes": lines})


def choose(txn: Transaction, context: LetterContext, name: str, value: str) -> str:
    """Let a wish have this value from now on; its canonical form. Raises Rejection `bad_wish`."""
    if name == "lang":
        value = _spoken(txn, value)
    wishes = txn.decide_player(txn.sender, decide.choose_wish, name=name, value=value).wishes
    roster.keep_wishes(txn.conn, txn.sender, wishes)
    if name in ("digest", "tz"):
        reset_digest(txn, txn.sender, wishes)
    if stops_all(wishes):
        drop_page_moves(txn, txn.sender)
    choose_window(context, wishes)
    return wished(wishes, name)


def _spoken(txn: Transaction, typed: str) -> str:
    """The code of a language that there is a catalogue for, by its code or its own name."""
    languages = txn.house.words.languages
    if typed.casefold() not in languages:
        may = [f"lang {code}" for code in dict.fromkeys(languages.values())]
        raise Rejection("bad_wish", wish="lang", value=typed, may=may, near=[])
    return languages[typed.casefold()]
