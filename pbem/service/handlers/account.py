"""Commands about a player's own account.

Commands that change who may act for a player (`address add`, `address remove`, `new
address`) or that cannot be undone (`delete me`) first ask for confirmation at the player's
main address. The functions `carry_out_...` are executed after the player has answered yes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final
from zoneinfo import available_timezones

from pbem.errors import Rejection
from pbem.games import find_newest
from pbem.mail.addresses import remove_tags
from pbem.mail.commands import Argument
from pbem.mail.headers import read_sender
from pbem.mail.outbound import is_mail_address
from pbem.match.setup import decline_invitation
from pbem.names import MatchId, PlayerId
from pbem.service import digests, questions
from pbem.service.handlers.looking import view_open_matches
from pbem.service.leaving import delete_player
from pbem.service.links import link_player
from pbem.service.naming import require_free_name, require_removable
from pbem.service.registry import N_, Group, Request, command
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import matches, messages, outbox, players, ratings, tournaments, waiting
from pbem.store.tables import PlayerRow, QuestionRow

LANGUAGES: Final = {"en": "en", "english": "en", "de": "de", "deutsch": "de", "german": "de"}

MAX_WINDOW: Final = 60  # minutes of the longest undo window
HOURS: Final = 24  # hours of a day, of which a player chooses one for the digest
MAX_ADDRESSES: Final = 5  # email addresses of a player

_ADDRESS_WORDS: Final = {"hinzufügen": "add", "entfernen": "remove", "liste": "list"}
_HOUR: Final = re.compile(r"(\d{1,2})(?::00)?(?: ?uhr)?")


# --- name and preferences ------------------------------------------------------------------------


@command(
    "name",
    group=Group.ACCOUNT,
    usage=N_("name NAME"),
    help=N_("change your name"),
    details=N_("A name has at most 30 characters and must not look like another player's name."),
    argument=Argument.REQUIRED,
)
def change_name(request: Request) -> None:
    """Change the sender's name, and reply with their settings.

    Raises:
        Rejection: `bad_name` or `name_taken`.
    """
    conn = request.uow.conn
    name = " ".join(remove_tags(request.uow.app.keys, request.argument).split())
    require_free_name(request.uow, name, besides=request.player_id)
    players.update_player(conn, request.player_id, name=name)
    request.player.name = name
    show_settings(request)


@command(
    "settings",
    german=("einstellungen",),
    group=Group.ACCOUNT,
    help=N_("show your settings"),
)
def show_settings(request: Request) -> None:
    """Reply with the sender's name and settings."""
    request.reply("answer", topic="settings", settings=list_settings(request.uow, request.player))


@command(
    "set",
    german=("einstellung",),
    group=Group.ACCOUNT,
    usage=N_("set SETTING VALUE"),
    help=N_("change a setting"),
    details=N_(
        'Language: "set language de" or "set language en". Time zone: "set timezone '
        'Europe/Berlin". Minutes to undo a move before it goes out, from 0 to 60: "set window 10". '
        'One email a day instead of many: "set digest 18:00"; to end that, "set digest off". No '
        'pictures: "set pictures off". Boards described in words, for screen readers: "set format '
        'spoken"; to end that, "set format board". No reminders before deadlines: "set reminder '
        'off".'
    ),
    argument=Argument.REQUIRED,
)
def set_preference(request: Request) -> None:
    """Change one of the sender's settings, and reply with all of them.

    Raises:
        Rejection: `unknown_setting`, `unknown_language`, `unknown_timezone`, `bad_window`,
            `bad_digest` or `bad_choice`.
    """
    key, _, value = request.argument.partition(" ")
    values = read_setting(key, value.strip().lstrip("=: "))
    players.update_player(request.uow.conn, request.player_id, **values)
    for name, new in values.items():
        setattr(request.player, name, new)
    if not values.keys().isdisjoint(("digest_hour", "timezone")):
        digests.reschedule_digest(request.uow, request.player)
    show_settings(request)


def read_setting(key: str, value: str) -> dict[str, Any]:
    """Return the columns of a player's row that a typed setting changes, with their new values.

    `key` is the name of the setting as typed, and `value` its new value as typed.

    Raises:
        Rejection: See `set_preference`.
    """
    read = _SETTINGS.get(_SETTING_WORDS.get(key.casefold(), key.casefold()))
    if read is None:
        raise Rejection("unknown_setting", typed=key, settings=[*_SETTINGS])
    return read(value)


def _read_language(value: str) -> dict[str, Any]:
    language = LANGUAGES.get(value.casefold())
    if language is None:
        raise Rejection("unknown_language", typed=value, languages=sorted(set(LANGUAGES.values())))
    return {"language": language}


def _read_timezone(value: str) -> dict[str, Any]:
    timezone = _timezones().get(value.casefold().replace(" ", "_"))
    if timezone is None:
        place = value.casefold().rpartition("/")[2].replace(" ", "_")
        near = [name for folded, name in _timezones().items() if folded.endswith(f"/{place}")]
        raise Rejection("unknown_timezone", typed=value, near=sorted(near)[:3])
    return {"timezone": timezone}


def _read_window(value: str) -> dict[str, Any]:
    if value.casefold() in ("default", "üblich"):
        return {"undo_minutes": None}
    minutes = value.casefold().removesuffix("minutes").removesuffix("minuten").strip()
    if not (minutes.isascii() and minutes.isdigit()) or int(minutes) > MAX_WINDOW:
        raise Rejection("bad_window", typed=value, most=MAX_WINDOW)
    return {"undo_minutes": int(minutes)}


def _read_digest(value: str) -> dict[str, Any]:
    word = value.casefold()
    if word in ("on", "an", "off", "aus"):
        return {"digest_hour": digests.DEFAULT_HOUR if word in ("on", "an") else None}
    hour = _HOUR.fullmatch(word)
    if hour is None or int(hour[1]) >= HOURS:
        names = [name for name in _SETTINGS if name != "digest"]
        raise Rejection("bad_digest", typed=value, others=names)
    return {"digest_hour": int(hour[1])}


def _choose(column: str, choices: Mapping[str, bool], value: str) -> dict[str, Any]:
    """Return a dict of `column` and its new value, for a setting that allows only certain words.

    Args:
        column: The column of the player's row.
        choices: The allowed words in lower case, with the values that they set.
        value: The word that was typed.

    Raises:
        Rejection: `bad_choice`.
    """
    chosen = choices.get(value.casefold())
    if chosen is None:
        raise Rejection("bad_choice", typed=value, choices=[*choices][:2])
    return {column: chosen}


_ON_OFF: Final = {"on": True, "off": False, "an": True, "ein": True, "aus": False}
_FORMATS: Final = {"board": False, "spoken": True, "brett": False, "gesprochen": True}

# The functions that convert a typed value to columns of a player's row.
_SETTINGS: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = {
    "language": _read_language,
    "timezone": _read_timezone,
    "window": _read_window,
    "digest": _read_digest,
    "reminder": partial(_choose, "has_reminders", _ON_OFF),
    "pictures": partial(_choose, "has_pictures", _ON_OFF),
    "format": partial(_choose, "is_spoken", _FORMATS),
}

_SETTING_WORDS: Final = {
    "sprache": "language",
    "zeitzone": "timezone",
    "wartezeit": "window",
    "tagesbericht": "digest",
    "erinnerung": "reminder",
    "reminders": "reminder",
    "bilder": "pictures",
    "picture": "pictures",
}


@cache
def _timezones() -> Mapping[str, str]:
    return {name.casefold(): name for name in sorted(available_timezones())}


def list_settings(uow: UnitOfWork, player: PlayerRow) -> dict[str, str]:
    """Return a player's name and settings as texts, by the name of the setting."""
    minutes = player.undo_minutes
    if minutes is None:
        minutes = int(uow.app.site.undo_window.total_seconds()) // 60
    return {
        "name": player.name,
        "language": player.language,
        "timezone": player.timezone,
        "window": str(minutes),
        "digest": "off" if player.digest_hour is None else f"{player.digest_hour:02}:00",
        "reminder": "on" if player.has_reminders else "off",
        "pictures": "on" if player.has_pictures else "off",
        "format": "spoken" if player.is_spoken else "board",
    }


# --- whether we write to them --------------------------------------------------------------------


@command(
    "stop",
    german=("stopp",),
    group=Group.ACCOUNT,
    help=N_("get no more emails, except answers to yours"),
    details=N_('Your clocks keep running. To get emails again, write "start".'),
)
def stop(request: Request) -> None:
    """Stop all emails to the sender except answers to their own emails."""
    stop_emails(request.uow, request.player)
    request.reply("answer", topic="stopped")


@command(
    "never",
    german=("nie",),
    group=Group.ACCOUNT,
    help=N_("get no more emails, and no invitations from anyone"),
    details=N_('Only you can undo this, by writing "start" from your address.'),
)
def never(request: Request) -> None:
    """Stop all emails to the sender, including invitations, until they write `start`.

    If their email answers an invitation, the invitation is declined.
    """
    uow = request.uow
    if request.match_id is not None and request.player_id in request.match().waiting_for:
        events = decline_invitation(request.match(), request.player_id, now=uow.now)
        uow.append(request.match_id, events)
    for address in players.list_addresses(uow.conn, request.player_id):
        players.refuse_mail(uow.conn, address, uow.now)
    stop(request)


def stop_emails(uow: UnitOfWork, player: PlayerRow) -> None:
    """Stop all emails to a player except replies, and delete queued emails to them."""
    players.update_player(uow.conn, PlayerId(player.id), stopped_at=uow.now)
    outbox.drop_unsent(uow.conn, player=player.id)


@command(
    "start",
    group=Group.ACCOUNT,
    help=N_('get emails again after "stop" or "never"'),
)
def start(request: Request) -> None:
    """Resume emails to the sender, and reply with the matches in which it is their turn."""
    uow = request.uow
    players.update_player(uow.conn, request.player_id, stopped_at=None)
    for address in players.list_addresses(uow.conn, request.player_id):
        players.allow_mail(uow.conn, address)
    views = view_open_matches(uow, request.player)
    waiting_matches = [view for view in views if view.is_reader_to_move]
    request.reply("answer", topic="started", matches=waiting_matches)


@command(
    "page",
    german=("seite",),
    group=Group.LOOK,
    help=N_("get a link to a page with all your games"),
    details=N_(
        "You can play there without writing emails. Anyone who has the link can play for you; to "
        'replace it, write "new address".'
    ),
)
def send_page(request: Request) -> None:
    """Reply with a link to the page that shows all of the sender's boards.

    Raises:
        Rejection: `no_pages` if the service has no web pages.
    """
    address = link_player(request.uow.app, request.player)
    if not address:
        raise Rejection("no_pages")
    replace(request, match_id=None).reply("answer", topic="page", address=address)


# --- addresses -----------------------------------------------------------------------------------


@command(
    "address",
    german=("adresse",),
    group=Group.ACCOUNT,
    usage=N_("address [add or remove ADDRESS]"),
    help=N_("list your email addresses, or change them"),
    details=N_(
        'For example: "address add ann@example.com". We ask you to confirm, first at your main '
        "address and then at the new one. You can have five addresses."
    ),
    argument=Argument.OPTIONAL,
)
def change_addresses(request: Request) -> None:
    """List the sender's addresses, or ask them to confirm that an address is added or removed.

    Raises:
        Rejection: `unclear_address`, `bad_address`, `too_many_addresses`, `address_unavailable`,
            `address_known`, `no_such_address` or `last_address`.
    """
    word, _, typed = request.argument.partition(" ")
    verb = _ADDRESS_WORDS.get(word.casefold(), word.casefold())
    if verb in ("", "list"):
        addresses = players.list_addresses(request.uow.conn, request.player_id)
        request.reply("answer", topic="addresses", addresses=addresses)
    elif verb == "add":
        address = _read_address(typed)
        _require_free(request, address)
        questions.ask_at_main_address(request, questions.ADD_ADDRESS, account_address=address)
    elif verb == "remove":
        address = _read_address(typed)
        require_removable(request.uow, request.player_id, address)
        questions.ask_at_main_address(request, questions.REMOVE_ADDRESS, account_address=address)
    else:
        raise Rejection("unclear_address", typed=request.argument)


def _read_address(typed: str) -> str:
    address = read_sender(typed.strip("'"))[0] or ""
    if not is_mail_address(address):
        raise Rejection("bad_address", typed=typed)
    return address


def _require_free(request: Request, address: str) -> None:
    """Refuse an address that the sender cannot add, without revealing whose address it is.

    Raises:
        Rejection: `address_known`, `too_many_addresses` or `address_unavailable`.
    """
    conn = request.uow.conn
    own = players.list_addresses(conn, request.player_id)
    if address in own:
        raise Rejection("address_known", address=address)
    if len(own) >= MAX_ADDRESSES:
        raise Rejection("too_many_addresses", most=MAX_ADDRESSES)
    is_ours = request.uow.app.site.find_tag(address) is not None
    is_taken = players.find_by_address(conn, address) is not None
    if is_ours or is_taken or players.has_refused_mail(conn, address):
        raise Rejection("address_unavailable", address=address)


def ask_new_address(request: Request, question: QuestionRow) -> None:
    """Ask at the new address for confirmation, after a yes from the player's main address.

    Raises:
        Rejection: The address can no longer be added.
    """
    address = str(question.payload["account_address"])
    _require_free(request, address)
    questions.ask(
        request.uow,
        questions.CONFIRM_ADDRESS,
        address,
        player=request.player,
        payload={"account_address": address},
    )


def carry_out_address_add(request: Request, question: QuestionRow) -> None:
    """Add an address to a player, after a yes from both their main and the new address.

    Raises:
        Rejection: The address can no longer be added.
    """
    address = str(question.payload["account_address"])
    _require_free(request, address)
    players.add_address(request.uow.conn, request.player_id, address, request.uow.now)
    main = players.list_addresses(request.uow.conn, request.player_id)[0]
    _email_change(request, "address_added", address=address, main=main)


def carry_out_address_remove(request: Request, question: QuestionRow) -> None:
    """Remove an address of a player, after their yes.

    Raises:
        Rejection: The address can no longer be removed.
    """
    address = str(question.payload["account_address"])
    require_removable(request.uow, request.player_id, address)
    players.remove_address(request.uow.conn, request.player_id, address, request.uow.now)
    _email_change(request, "address_removed", address=address)


@command(
    "new address",
    german=("neue adresse",),
    group=Group.ACCOUNT,
    help=N_("replace your reply addresses, if other people know them"),
    details=N_(
        "We ask you to confirm at your main address. Conditional moves, and moves that haven't "
        "gone out yet, are dropped."
    ),
)
def new_address(request: Request) -> None:
    """Ask the sender to confirm the replacement of all their reply addresses."""
    questions.ask_at_main_address(request, questions.NEW_ADDRESS)


def carry_out_new_address(request: Request, _question: QuestionRow) -> None:
    """Replace all reply addresses of a player, after their yes.

    Scheduled and conditional moves are dropped, because a person who knew an old address may have
    sent these moves. Matches with a dropped move or an unsent email get a new email with the board.
    """
    uow, conn = request.uow, request.uow.conn
    unsent = outbox.list_unsent_matches(conn, request.player_id)
    outbox.drop_unsent(conn, player=request.player_id)
    dropped_moves = []
    for match_id in matches.list_open_matches(conn, request.player_id):
        seat = uow.load_match(match_id).seat_of(request.player_id)
        if seat is None:
            continue
        waiting.drop_conditions(conn, match_id, seat)
        if waiting.drop_scheduled_move(conn, match_id, seat):
            dropped_moves.append(match_id)
    uow.replace_reply_addresses(request.player_id)
    players.note_change(conn, request.player_id, "reply_addresses_replaced", uow.now)
    for match_id in map(MatchId, sorted({*unsent, *dropped_moves})):
        uow.load_match(match_id)
        uow.emails.reply(request.player, "answer", match_id=match_id, topic="board")
    _email_change(request, "reply_addresses_replaced", dropped_moves=dropped_moves)


def _email_change(request: Request, change: str, **facts: Any) -> None:
    """Email the sender, at their main address, that their account has changed.

    `change` names the change, and `facts` are its values for the template.
    """
    replace(request, match_id=None).reply("account", change=change, **facts)


# --- all that we know of a player ----------------------------------------------------------------


@command(
    "my data",
    german=("meine daten",),
    group=Group.ACCOUNT,
    help=N_("get everything we know about you"),
)
def show_data(request: Request) -> None:
    """Reply with all data about the sender, except what other players wrote."""
    uow, conn, player_id = request.uow, request.uow.conn, request.player_id
    blocks = messages.list_blocks(conn, player_id)
    names = players.list_names(conn, {PlayerId(row.other) for row in blocks})
    replace(request, match_id=None).reply(
        "answer",
        topic="my_data",
        joined=request.player.created_at,
        addresses=players.list_addresses(conn, player_id),
        settings=list_settings(uow, request.player),
        played=[
            {
                "id": row.id,
                "game": _find_title(row.ruleset.rpartition("-")[0]),
                "status": row.status,
                "created_at": row.created_at,
            }
            for row in matches.list_all_matches(conn, player_id)
        ],
        own_messages=messages.list_own_messages(conn, player_id),
        blocks=[{"name": names[PlayerId(row.other)], "kind": row.kind} for row in blocks],
        watched=messages.list_watched_matches(conn, player_id),
        ratings=[
            {
                "game": _find_title(game),
                "value": rating.rating.points,
                "matches": rating.matches,
            }
            for game, rating in ratings.list_player_ratings(conn, player_id)
        ],
        tournaments=tournaments.list_entered(conn, player_id),
        changes=players.list_changes(conn, player_id),
    )


def _find_title(key: str) -> str:
    """Return the title of the game with this key, or the key if the game is not installed."""
    game = find_newest(key)
    return key if game is None else game.title


@command(
    "delete me",
    german=("lösche mich",),
    group=Group.ACCOUNT,
    help=N_("delete your account"),
    details=N_(
        "We ask you to confirm at your main address. You resign all your running games. Your moves "
        "stay, but without your name."
    ),
)
def delete_account(request: Request) -> None:
    """Ask the sender to confirm the deletion of their account."""
    questions.ask_at_main_address(request, questions.DELETE)


def carry_out_deletion(request: Request, _question: QuestionRow) -> None:
    """Delete a player's account after their yes, and email a confirmation to their main address."""
    uow, language = request.uow, request.player.language
    main, *_ = players.list_addresses(uow.conn, request.player_id)
    delete_player(uow, request.player_id)
    uow.emails.write_to_address(main, "account", language=language, change="deleted")
