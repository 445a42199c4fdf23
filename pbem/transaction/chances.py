"""What a decision draws from, read from the store, and what it used, kept there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pbem.fairness import LINKS, SECRET_BYTES, sealed_text, sealing_salt
from pbem.matches.chances import Chances, secret_proofs
from pbem.matches.events import ChanceCommitted, ChanceDrawn, Event
from pbem.store.log import chance, sealed
from pbem.transaction.installation import match_stream

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
            case _:
                pass
    for proof in secret_proofs(events, chances):
        text = sealed_text(proof)
        texts[sealed.seal(conn, text, salt=sealing_salt(proof.link))] = text
        hidden = proof.index
    if shown:
        chance.advance(conn, match, shown + 1)
    if hidden:
        chance.advance(conn, match, hidden + 1, "secret")
    return texts
