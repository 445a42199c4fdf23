"""Commands that begin a match: propose, accept, decline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.utils import parseaddr
from typing import Final

from pbem import fairness
from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.mail.commands import Argument
from pbem.mail.outbound import is_mail_address
from pbem.match.automatic import commit_draws
from pbem.match.setup import (
    Proposal,
    accept_invitation,
    decline_invitation,
    issue_challenge,
)
from pbem.names import PlayerId
from pbem.service.registry import N_, Needs, Request, command
from pbem.store import messages, players
from pbem.store.tables import PlayerRow

_OPTION: Final = re.compile(r"(?<!\S)([a-z_]+)=(\S+)", re.IGNORECASE)
_UNRATED: Final = re.compile(r"(?<!\S)unrated(?!\S)", re.IGNORECASE)


@command(
    "new",
    help=N_("propose a match: new logger with bob@example.net"),
    needs=Needs.PLAYER,
    argument=Argument.REQUIRED,
)
def propose_match(request: Request) -> None:
    """Issue a challenge to the players who are named.

    Raises:
        Rejection: An unknown game or player, or what `issue_challenge` refuses.
    """
    uow = request.uow
    argument = _UNRATED.sub("unrated=yes", request.argument)
    text = _OPTION.sub(" ", argument)
    options = {name.lower(): value for name, value in _OPTION.findall(argument)}
    title, _, names = re.sub(r"\s+", " ", text).strip().partition(" with ")
    game = find_game(title)
    opponents = [_find_opponent(request, name) for name in _split_names(names)]
    proposal = Proposal(
        game=game, opponents=[PlayerId(row.id) for row in opponents], options=options
    )
    match_id, secret = uow.app.new_match_id(), uow.app.entropy(fairness.SECRET_BYTES)
    commitments = commit_draws(secret)
    events = issue_challenge(
        proposal,
        request.player_id,
        commitment=commitments.public,
        sealed_commitment=commitments.sealed,
        now=uow.now,
    )
    uow.actor = request.player_id
    uow.create_match(match_id, secret)
    uow.append(match_id, events)


def find_game(title: str) -> AnyGame:
    """Return the game with a title, whatever its capitals, spaces and hyphens.

    Raises:
        Rejection: `no_such_game`.
    """
    wanted = re.sub(r"[\s_-]+", "", title).casefold()
    for game in GAMES.values():
        if re.sub(r"[\s_-]+", "", game.title).casefold() == wanted:
            return game
    titles = [game.title for game in GAMES.values()]
    raise Rejection("no_such_game", game=title, games=titles, near=[])


def named_game(argument: str) -> str:
    """Return the title of the game that the argument of `new` begins with; empty if it has none."""
    try:
        return find_game(_OPTION.sub(" ", argument).partition(" with ")[0]).title
    except Rejection:
        return ""


def _split_names(names: str) -> Iterator[str]:
    for name in re.split(r",| and ", names):
        if name.strip():
            yield name.strip()


def _find_opponent(request: Request, name: str) -> PlayerRow:
    """Return a player by address or name; a person at an unknown address is added."""
    uow = request.uow
    if "@" not in name:
        found = players.find_by_name(uow.conn, name)
        if found is None:
            raise Rejection("unknown_player", typed=name)
        _require_willing(request, found, name)
        return found
    address = parseaddr(name)[1]
    if not is_mail_address(address):
        raise Rejection("bad_address", typed=name)
    if players.wants_no_mail(uow.conn, address):
        raise Rejection("cannot_invite", typed=name)
    found = players.find_by_address(uow.conn, address)
    if found is not None:
        _require_willing(request, found, name)
        return found
    return players.add_player(
        uow.conn,
        uow.app.new_player_id(),
        name=default_name(address),
        address=address,
        now=uow.now,
    )


def _require_willing(request: Request, player: PlayerRow, typed: str) -> None:
    """Refuse to invite a player who has blocked the sender or wants no email, without saying which.

    Raises:
        Rejection: `cannot_invite`.
    """
    conn, player_id = request.uow.conn, PlayerId(player.id)
    has_blocked = messages.has_blocked(conn, player_id, request.player_id)
    addresses = players.list_addresses(conn, player_id)
    if has_blocked or any(players.wants_no_mail(conn, address) for address in addresses):
        raise Rejection("cannot_invite", typed=typed)


def default_name(address: str) -> str:
    """Return a name for somebody whose address is all that we know, as in `Bob`."""
    local = re.split(r"[.+_\d-]", address.partition("@")[0])[0]
    return (local or "Player")[:20].capitalize()


@command("accept", help=N_("accept an invitation"), is_binding=True)
def accept(request: Request) -> None:
    """Take the seat that the sender is invited to.

    Raises:
        Rejection: There is no such invitation any longer.
    """
    uow, match = request.uow, request.match()
    uow.actor = request.player_id
    events = accept_invitation(
        match, request.player_id, message_hash=request.message_hash, now=uow.now
    )
    players.confirm_player(uow.conn, request.player_id, uow.now)
    uow.append(match.id, events)


@command("decline", help=N_("decline an invitation, or withdraw your own"), is_binding=True)
def decline(request: Request) -> None:
    """Refuse an invitation, or withdraw one's own challenge.

    Raises:
        Rejection: There is no such invitation any longer.
    """
    uow, match = request.uow, request.match()
    uow.actor = request.player_id
    uow.append(match.id, decline_invitation(match, request.player_id, now=uow.now))
    request.reply("answer", topic="declined")
