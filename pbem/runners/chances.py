"""What a decision draws from, read from the store, and what it used, kept there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.fairness import LINKS, SECRET_BYTES, Proof, sealed_text, sealing_salt
from pbem.games.chance import parse_draw
from pbem.matches.decide import Chances
from pbem.matches.events import ChanceCommitted, ChanceDrawn, ChanceSealed, Event
from pbem.runners.house import match_stream
from pbem.store import chance, sealed

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from pbem.names import MatchId

NEARLY_DONE: Final = LINKS // 4
"""Links left below which the next chain is committed: letters before its first draw."""


def chances_of(
    conn: Connection, match: MatchId, digest: str, entropy: Callable[[int], bytes]
) -> Chances | None:
    """The chains of a match where they stand; None before it has any."""
    draws = chance.draws(conn, match)
    if draws is None:
        return None
    return Chances(
        draws=draws,
        digest=digest,
        secret=chance.draws(conn, match, "secret"),
        fresh=entropy(SECRET_BYTES) if draws.left <= NEARLY_DONE and not draws.then else None,
    )


def keep_chances(
    conn: Connection, match: MatchId, events: Sequence[Event], chances: Chances
) -> dict[str, str]:
    """Note which links are used, keep a new chain and what was sealed; the sealed texts."""
    texts: dict[str, str] = {}
    shown, hidden = 0, 0
    for event in events:
        match event:
            case ChanceCommitted(links=links, first=first):
                secret = chances.fresh or b""
                chance.open_chain(conn, match_stream(match), secret, links, first=first)
            case ChanceDrawn(index=index):
                shown = index
            case ChanceSealed(index=index):
                proof = _proof(event, chances)
                texts[event.sealed] = sealed_text(proof)
                sealed.seal(conn, texts[event.sealed], salt=sealing_salt(proof.link))
                hidden = index
            case _:
                pass
    if shown:
        chance.advance(conn, match, shown + 1)
    if hidden:
        chance.advance(conn, match, hidden + 1, "secret")
    return texts


def _proof(event: ChanceSealed, chances: Chances) -> Proof:
    """The secret draw once more: a pure function of the chain and of what was asked."""
    if chances.secret is None:
        raise LookupError("a secret draw, and no second chain")
    chain = replace(chances.secret, next_index=event.index, ahead=())
    proof, _ = chain.draw(parse_draw(event.asked), event.digest)
    return proof
