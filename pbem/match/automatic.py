"""Automatic steps of a match: its start, random draws, forced moves and its end.

Steps are made until a player has a choice. Each random draw is bound to the actions of the players:
a digest (hash) of these actions is an input of its computation (docs/fairness.md). The draws at the
start are bound to the accepting emails. Every later draw is bound to the moves before the unit of
work that makes the draw. The move that causes a draw is excluded, so that no player can try out
moves until a draw suits them. All draws of one unit of work therefore share one digest, which the
caller computes from the match before that unit. `is_bound_to_unit` explains the exception after a
restore from a backup.

Each draw uses one link of a hash chain. A match has chains of two kinds, all derived from its
secret. Public chains are for the draws that all players see. Before the links of a public chain are
used up, the server commits to the next one. Sealed chains are for sealed draws, which are disclosed
when the match has ended. After a restore from a backup, `renew_draws` replaces the chains of both
kinds, because players may already have seen the links that would be used next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from typing import Final

from pbem import fairness
from pbem.games.chance import Draw, Permutation, parse_draw
from pbem.games.game import Chance, GameOver, Ply, Seats
from pbem.match.events import (
    ChanceCommitted,
    ChanceDrawn,
    ChanceRenewed,
    ChanceRevealed,
    ChanceSealed,
    MatchEnded,
    MatchEvent,
    MatchStarted,
    MovePlayed,
    Source,
)
from pbem.match.setup import Commitments, list_players, seat_options
from pbem.match.state import Match, Status, apply
from pbem.match.timing import bank_after_move

MAX_STEPS: Final = 500  # most steps in one unit of work, against games that loop forever
MIN_LINKS_LEFT: Final = 512  # with no more links left, the next chain is committed; more than
# MAX_STEPS, so that players move between the commitment and the first draw from that chain

_PUBLIC: Final = "public"
_SEALED: Final = "sealed"


def commit_draws(secret: bytes) -> Commitments:
    """Return the commitments to the random draws of a new match with this secret."""
    return Commitments(public=_commit(secret, _PUBLIC, 1), sealed=_commit(secret, _SEALED, 1))


def _commit(secret: bytes, kind: str, number: int) -> str:
    chain = fairness.chain_secret(secret, kind, number)
    return fairness.commitment(chain, fairness.LINKS).hex()


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawSource:
    """The hash chains and the digest from which one unit of work computes its random draws.

    `secret` is the secret of the match, from which further chains are derived. `public_chain` is
    the chain for the next public draw, and `sealed_chain` the one for the next sealed draw.
    `moves_digest` is the digest of the moves before this unit of work. It is empty until the match
    starts, because the draws at the start depend on the acceptances instead. If `is_bound_to_unit`
    is True, draws also depend on the moves in this unit of work (see the function
    `is_bound_to_unit`).
    """

    secret: bytes = field(repr=False)
    public_chain: fairness.DrawChain
    sealed_chain: fairness.DrawChain
    moves_digest: str = ""
    is_bound_to_unit: bool = False


def open_draws(match: Match, secret: bytes) -> DrawSource:
    """Return the source of random draws for a unit of work that begins with `match`.

    `secret` is the secret of the match.
    """
    return DrawSource(
        secret=secret,
        public_chain=_open_chain(match, secret, _PUBLIC, next_draw_index(match)),
        sealed_chain=_open_chain(match, secret, _SEALED, len(match.sealed_draws) + 1),
        moves_digest=moves_digest(match),
        is_bound_to_unit=is_bound_to_unit(match),
    )


def _open_chain(match: Match, secret: bytes, kind: str, index: int) -> fairness.DrawChain:
    """Return the hash chain from which draw number `index` comes, in its state before that draw.

    `kind` is _PUBLIC or _SEALED.
    """
    following: fairness.DrawChain | None = None
    for first, links, number in reversed(_list_chains(match, kind)):
        following = fairness.DrawChain(
            match.id,
            fairness.chain_secret(secret, kind, number),
            links,
            next_index=first,
            first=first,
            next_chain=following,
        )
        if first <= index:
            break
    if following is None:
        raise ValueError(f"match {match.id} has no chain")
    return following.advance(index - 1)


def _list_chains(match: Match, kind: str) -> list[tuple[int, int, int]]:
    """Return the hash chains of a kind, in the order of their draws, as tuples of numbers.

    Args:
        match: The match.
        kind: _PUBLIC or _SEALED.

    Returns:
        For each chain: the index of its first draw, the count of its links, and the number that
        `fairness.chain_secret` needs to derive its secret.
    """
    chains, number = [], 0
    commitments = match.commitments if kind == _PUBLIC else match.sealed_commitments
    for first, event in commitments.items():
        number = event.number if isinstance(event, ChanceRenewed) else number + 1
        chains.append((first, event.links, number))
    return chains or [(1, fairness.LINKS, 1)]


def renew_draws(
    match: Match, secret: bytes, *, number: int, restored_to: datetime, now: datetime
) -> list[MatchEvent]:
    """Return the event that replaces the hash chains of a match after a restore from a backup.

    Args:
        match: A challenge or a running match.
        secret: The secret of the match.
        number: A random number, from which the secrets of the new chains are derived. If it were
            a count, two restores of one backup would make the same chains. Players might then
            know links of the new chains already.
        restored_to: The time at which the backup was made.
        now: The time of the event.
    """
    sealed = _commit(secret, _SEALED, number)
    return [
        ChanceRenewed(
            at=now,
            commitment=_commit(secret, _PUBLIC, number),
            sealed_commitment=sealed if match.terms.sealed_commitment else "",
            links=fairness.LINKS,
            number=number,
            restored_to=restored_to,
        )
    ]


def next_draw_index(match: Match) -> int:
    """Return the number of the next public random draw, which is also the number of its link."""
    return len(match.draws) + 1


def start_digest(match: Match) -> str:
    """Return the digest of a match's acceptances, in hex, on which draws at the start depend."""
    accepted = [(player, "", message_hash) for player, message_hash in match.accepted]
    return fairness.start_digest(accepted)


def moves_digest(match: Match) -> str:
    """Return the digest of all moves so far, in hex, on which the next random draws depend.

    The digest is empty before the match starts.
    """
    if match.status is Status.CHALLENGE:
        return ""
    moves = [
        (int(event.seat), int(event.ply), event.notation, event.message_hash)
        for event in match.moves
    ]
    return fairness.moves_digest(moves, start_digest(match))


def is_bound_to_unit(match: Match) -> bool:
    """Return whether random draws in a unit of work also depend on moves in the same unit.

    Usually draws depend only on moves before the unit. After a restore from a backup, the server
    makes new hash chains of random draws. It knows all earlier moves at that time, so it could
    choose chains that give the results it wants. Therefore the result is True from the restore
    until a player has sent a move. It is False for a challenge, because the draws at the start
    depend on the last acceptance, which is newer than the chains.

    Args:
        match: The match before the unit of work.
    """
    return match.is_renewed and match.status is not Status.CHALLENGE


def apply_unit(
    match: Match, events: Sequence[MatchEvent], secret: bytes, now: datetime
) -> tuple[Match, list[MatchEvent]]:
    """Apply events to a match, and then the automatic events that follow from them.

    This does in memory what a unit of work does in the database. `secret` is the secret of the
    match.

    Returns:
        The match after all these events, and a list of all of them in order.
    """
    draws = open_draws(match, secret)
    match = reduce(apply, events, match)
    following = run_automatic_steps(match, draws, now)
    return reduce(apply, following, match), [*events, *following]


def run_automatic_steps(match: Match, draws: DrawSource, now: datetime) -> list[MatchEvent]:
    """Return the events that follow in a match without a player's choice; empty if none follow.

    Args:
        match: The match after the events of the unit of work so far.
        draws: The source of random draws, made from the match before the unit of work.
        now: The time of the events.
    """
    events: list[MatchEvent] = []
    digest = draws.moves_digest or start_digest(match)
    for _ in range(MAX_STEPS):
        event: MatchEvent | None
        request = due_draw(match)
        if request is None:
            event = _next_step(match, draws, now)
        else:
            if draws.is_bound_to_unit:
                digest = moves_digest(match)
            event, draws = _draw(match, draws, request, digest, now)
        if event is None:
            return events
        events.append(event)
        match = apply(match, event)
    raise RuntimeError(f"match {match.id} has more than {MAX_STEPS} automatic steps")


# --- draws ---------------------------------------------------------------------------------------


def due_draw(match: Match) -> Draw | None:
    """Return the random draw that the match needs next, or None if it needs none now."""
    if match.status is Status.CHALLENGE:
        return seats_draw(match.seats) if _is_full(match) and _is_seat_draw_due(match) else None
    if match.status is not Status.RUNNING or match.verdict is not None:
        return None
    turn = match.game.turn(match.position)
    return turn.draw if isinstance(turn, Chance) else None


def _is_full(match: Match) -> bool:
    return not match.waiting_for and not match.open_seats


def _is_seat_draw_due(match: Match) -> bool:
    """Return whether the seats are assigned at random and have not been drawn yet."""
    is_drawn = not match.terms.seat_order and match.game.is_seat_order_drawn(match.terms.options)
    return is_drawn and not match.draws


def seats_draw(seats: int) -> Draw:
    """Return the request for the random draw of the order of seats.

    The draw will have one value for each seat, in seat order: the index in `list_players` of the
    player who gets the seat.
    """
    return Draw("seats", (Permutation(seats),))


def _draw(
    match: Match, draws: DrawSource, request: Draw, digest: str, now: datetime
) -> tuple[MatchEvent, DrawSource]:
    ply = None if match.status is Status.CHALLENGE else Ply(match.ply + 1)
    if request.is_sealed and ply is not None:
        proof, chain = draws.sealed_chain.draw(request, digest)
        event = ChanceSealed(
            at=now,
            index=proof.index,
            digest=proof.digest,
            request=proof.request,
            seal=fairness.sealed_digest(proof),
            values=proof.values,
            ply=ply,
        )
        return event, replace(draws, sealed_chain=chain)
    committed = _commit_next_chain(match, draws, now)
    if committed is not None:
        return committed, draws
    proof, chain = draws.public_chain.draw(request, digest)
    drawn = ChanceDrawn(
        at=now,
        index=proof.index,
        link=proof.link,
        digest=proof.digest,
        request=proof.request,
        values=proof.values,
        ply=ply,
    )
    return drawn, replace(draws, public_chain=chain)


def _commit_next_chain(match: Match, draws: DrawSource, now: datetime) -> MatchEvent | None:
    """Return the event that commits the server to another public chain of random draws.

    Return None if the newest chain has more than MIN_LINKS_LEFT unused links.
    """
    first, newest = max(match.commitments.items())
    end = first + newest.links
    if end - next_draw_index(match) > MIN_LINKS_LEFT:
        return None
    _, _, number = _list_chains(match, _PUBLIC)[-1]
    commitment = _commit(draws.secret, _PUBLIC, number + 1)
    return ChanceCommitted(at=now, commitment=commitment, links=fairness.LINKS, first=end)


# --- other steps ---------------------------------------------------------------------------------


def _next_step(match: Match, draws: DrawSource, now: datetime) -> MatchEvent | None:
    if match.status is Status.CHALLENGE:
        return decide_start(match, now) if _is_full(match) else None
    if match.status is Status.ENDED:
        return _reveal(match, draws, now)
    if match.status is not Status.RUNNING:
        return None
    turn = match.game.turn(match.position)
    outcome = match.verdict or (turn.outcome if isinstance(turn, GameOver) else None)
    if outcome is not None:
        return MatchEnded(at=now, placings=outcome.placings, termination=outcome.termination)
    return _play_automatic_move(match, now) if isinstance(turn, Seats) and turn.seats else None


def decide_start(match: Match, now: datetime) -> MatchStarted:
    """Return the event that starts a match whose seats are all taken and in their final order."""
    players = list_players(match)
    if match.draws:
        players = tuple(players[index] for index in match.draws[0].values)
    return MatchStarted(at=now, players=players, options=seat_options(match, players))


def _reveal(match: Match, draws: DrawSource, now: datetime) -> ChanceRevealed | None:
    """Return the event that discloses the next sealed draw of an ended match.

    Return None if all have been disclosed.
    """
    if len(match.revealed_draws) == len(match.sealed_draws):
        return None
    sealed = match.sealed_draws[len(match.revealed_draws)]
    chain = _open_chain(match, draws.secret, _SEALED, sealed.index)
    proof, _ = chain.draw(parse_draw(sealed.request), sealed.digest)
    return ChanceRevealed(at=now, index=proof.index, link=proof.link, values=proof.values)


def automatic_move(match: Match) -> tuple[str, Source] | None:
    """Return the move that the server makes for a player who has no choice, or None.

    The result is the notation of the move and its source: FORCED, or STANDING_ORDER if an order of
    the player decides. None means that the player has a choice. The player is that of the first
    seat that is to move; the match must have one.
    """
    [seat, *_] = match.to_move
    move, source = match.game.forced_move(match.position), Source.FORCED
    order = match.standing_orders.get(seat)
    if move is None and order is not None:
        move, source = match.game.apply_standing_order(match.position, order), Source.STANDING_ORDER
    return None if move is None else (match.game.notation(move), source)


def _play_automatic_move(match: Match, now: datetime) -> MovePlayed | None:
    automatic = automatic_move(match)
    if automatic is None:
        return None
    notation, source = automatic
    [seat, *_] = match.to_move
    return MovePlayed(
        at=now,
        seat=seat,
        ply=Ply(match.ply + 1),
        notation=notation,
        source=source,
        received=now,
        message_hash="",
        bank=bank_after_move(match, seat, source, now),
    )
