"""Orders about one's own mails: how they look, which of them come, what was chosen so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail import orders
from pbem.matches.match import Status
from pbem.notices.personal import AwaySpan, SettingsShown
from pbem.players import commands
from pbem.players.wishes import BY_NAME, wished
from pbem.runners.digests import reset_digest
from pbem.runners.held_timers import window_of
from pbem.runners.showing import list_games
from pbem.runners.which_match import LISTED
from pbem.store import roster, views

if TYPE_CHECKING:
    from pbem.mail.order_lines import TypedOrder
    from pbem.runners.taking import Taking


def about_wishes(taking: Taking, typed: TypedOrder) -> None:
    """Carry out an order about wishes. Raises Rejection."""
    match typed.order:
        case orders.ChooseWish("everything", "off"):
            _stop(taking, typed)
        case orders.StartMails():
            choose(taking, "everything", "on")
            list_games(taking, boards=True)
            taking.done(typed.typed, "started")
        case orders.ChooseWish(name, value):
            chosen = choose(taking, name, value)
            facts = {"wish": name, "value": chosen, "typed": BY_NAME[name].written(chosen)}
            taking.done(typed.typed, "wish_chosen", facts)
        case orders.ShowSettings():
            _show_settings(taking)
            taking.done(typed.typed, "shown")
        case _:
            raise TypeError(f"{typed.order} is no wish")


def _stop(taking: Taking, typed: TypedOrder) -> None:
    """No mail any more but answers. PLAY 3: clocks go on, and `stop` says so."""
    choose(taking, "everything", "off")
    running = views.matches_of(taking.conn, taking.sender, (Status.RUNNING.value,))
    taking.done(typed.typed, "stopped", {"matches": [row.id for row in running][:LISTED]})


def _show_settings(taking: Taking) -> None:
    player = taking.player(taking.sender)
    standing = [one for one in player.leave if one.end > taking.now]
    taking.answer(
        SettingsShown(
            wishes=player.wishes,
            rest_days=player.rest_days,
            quiet_hours=player.quiet_hours,
            leave=tuple(
                AwaySpan(begin=one.begin.isoformat(), end=one.end.isoformat()) for one in standing
            ),
            leave_left=player.leave_left(taking.now),
        )
    )


def choose(taking: Taking, name: str, value: str) -> str:
    """Let a wish have this value from now on; its canonical form. Raises Rejection `bad_wish`."""
    if name == "lang":
        value = _spoken(taking, value)
    command = commands.ChooseWish(name=name, value=value)
    wishes = taking.decide_player(taking.sender, command).wishes
    roster.keep_wishes(taking.conn, taking.sender, wishes)
    if name in ("digest", "tz"):
        reset_digest(taking, taking.sender, wishes)
    taking.window = window_of(taking.house, wishes)
    return wished(wishes, name)


def _spoken(taking: Taking, typed: str) -> str:
    """The code of a language that there is a catalogue for, by its code or its own name."""
    languages = taking.house.words.languages
    if typed.casefold() not in languages:
        may = [f"lang {code}" for code in dict.fromkeys(languages.values())]
        raise Rejection("bad_wish", wish="lang", value=typed, may=may, near=[])
    return languages[typed.casefold()]
