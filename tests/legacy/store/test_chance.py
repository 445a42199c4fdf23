"""Chains beside the log: their kinds, which links are shown, and what follows."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from pbem.fairness import LINKS, commitment, link, moves_digest, sealed_digest, start_digest
from pbem.games.chance import Dice, Draw
from pbem.games.game import Ply
from pbem.legacy.matches.chance import ChanceCommitted, secret_proofs
from pbem.legacy.matches.events import ChanceDrawn, ChanceSealed, Event
from pbem.legacy.matches.unfolding import Chances
from pbem.names import Digest, MatchId
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import sealed
from pbem.legacy.store.log.exchange import export, import_stream
from pbem.legacy.store.schema import migrate
from pbem.legacy.transaction.working_copy import NEARLY_DONE, chances_of, keep_chances
from tests.legacy.store.given import play_match, read, write

MATCH = MatchId("A")
STREAM = "match-A"
ONE, TWO, HIDDEN = bytes(range(32)), bytes(range(1, 33)), bytes(range(2, 34))
DIE = Draw("die", (Dice(1, 6),))
DECK = Draw("deck", (Dice(1, 52),), secret=True)
NOTHING = moves_digest((), start_digest(()))


def open_two(db: Database, links: int = 3) -> None:
    write(db, lambda conn: sealed.open_chain(conn, STREAM, ONE, links))
    write(db, lambda conn: sealed.open_chain(conn, STREAM, TWO, 5, first=links + 1))


def test_a_match_without_chains_has_nothing_to_draw_from(db: Database) -> None:
    assert read(db, lambda conn: sealed.draws(conn, MATCH)) is None
    assert read(db, lambda conn: chances_of(conn, MATCH, NOTHING, bytes)) is None


def test_kinds_are_kept_apart(db: Database) -> None:
    write(db, lambda conn: sealed.open_chain(conn, STREAM, ONE, 3))
    write(db, lambda conn: sealed.open_chain(conn, STREAM, HIDDEN, 4, kind="secret"))
    write(db, lambda conn: sealed.advance(conn, MATCH, 3, "secret"))
    public = read(db, lambda conn: sealed.draws(conn, MATCH))
    secret = read(db, lambda conn: sealed.draws(conn, MATCH, "secret"))
    assert public is not None
    assert secret is not None
    assert (public.secret, public.left, public.next_index) == (ONE, 3, 1)
    assert (secret.secret, secret.left, secret.next_index) == (HIDDEN, 2, 3)


def test_draws_go_on_from_one_chain_into_the_next(db: Database) -> None:
    open_two(db)
    write(db, lambda conn: sealed.advance(conn, MATCH, 3))
    draws = read(db, lambda conn: sealed.draws(conn, MATCH))
    assert draws is not None
    links = []
    for _ in range(4):
        proof, draws = draws.draw(DIE, NOTHING)
        links.append((proof.index, proof.link))
    assert links == [(3, ONE.hex()), *((n, link(TWO, 5, n - 3).hex()) for n in (4, 5, 6))]


@pytest.mark.parametrize("shown", [1, 2, 3, 4, 5, 7, 8])
def test_what_was_shown_is_shown_for_good(db: Database, shown: int) -> None:
    open_two(db)
    write(db, lambda conn: sealed.advance(conn, MATCH, shown + 1))
    draws = read(db, lambda conn: sealed.draws(conn, MATCH))
    assert draws is not None
    assert draws.used == shown
    assert draws.left == (3 - shown if shown < 3 else 8 - shown)
    with pytest.raises(ValueError, match="or beyond already"):
        write(db, lambda conn: sealed.advance(conn, MATCH, shown + 1))
    with pytest.raises(ValueError, match="or beyond already"):
        write(db, lambda conn: sealed.advance(conn, MATCH, shown))


def test_a_fresh_secret_is_taken_once_and_only_near_the_end(db: Database) -> None:
    taken: list[int] = []

    def entropy(size: int) -> bytes:
        taken.append(size)
        return TWO

    write(db, lambda conn: sealed.open_chain(conn, STREAM, ONE, LINKS))
    early = read(db, lambda conn: chances_of(conn, MATCH, NOTHING, entropy))
    assert early is not None
    assert (early.fresh, taken) == (None, [])
    write(db, lambda conn: sealed.advance(conn, MATCH, LINKS - NEARLY_DONE + 1))
    near = read(db, lambda conn: chances_of(conn, MATCH, NOTHING, entropy))
    assert near is not None
    assert (near.fresh, taken) == (TWO, [32])
    committed = ChanceCommitted(
        commitment=commitment(TWO, LINKS).hex(), links=LINKS, first=LINKS + 1
    )
    write(db, lambda conn: keep_chances(conn, MATCH, [committed], near))
    again = read(db, lambda conn: chances_of(conn, MATCH, NOTHING, entropy))
    assert again is not None
    assert (again.fresh, taken) == (None, [32])
    assert again.draws.then is not None
    assert again.draws.then.secret == TWO


def test_what_was_drawn_in_secret_is_sealed_beside_the_log(db: Database) -> None:
    write(db, lambda conn: sealed.open_chain(conn, STREAM, ONE, 3))
    write(db, lambda conn: sealed.open_chain(conn, STREAM, HIDDEN, 3, kind="secret"))
    chances = read(db, lambda conn: chances_of(conn, MATCH, NOTHING, bytes))
    assert chances is not None
    event = sealed_draw(chances)
    texts = write(db, lambda conn: keep_chances(conn, MATCH, [event], chances))
    assert list(texts) == [event.sealed]
    assert read(db, lambda conn: sealed.unseal(conn, [event.sealed])) == texts
    after = read(db, lambda conn: sealed.draws(conn, MATCH, "secret"))
    assert after is not None
    assert after.used == 1


def sealed_draw(chances: Chances) -> ChanceSealed:
    assert chances.secret is not None
    proof, _ = chances.secret.draw(DECK, NOTHING)
    event = ChanceSealed(
        ply=Ply(0),
        index=proof.index,
        digest=proof.digest,
        asked=proof.asked,
        sealed=Digest(sealed_digest(proof)),
    )
    assert secret_proofs([event], chances) == [proof]
    return event


def test_public_draws_seal_nothing(db: Database) -> None:
    write(db, lambda conn: sealed.open_chain(conn, STREAM, ONE, 3))
    chances = read(db, lambda conn: chances_of(conn, MATCH, NOTHING, bytes))
    assert chances is not None
    proof, _ = chances.draws.draw(DIE, NOTHING)
    events: list[Event] = [
        ChanceDrawn(
            ply=Ply(0), index=1, link=proof.link, digest=NOTHING, asked="die: 1d6", values=(1,)
        )
    ]
    assert write(db, lambda conn: keep_chances(conn, MATCH, events, chances)) == {}
    assert secret_proofs(events, chances) == []


def test_following_chains_leave_the_log_and_come_back(db: Database, tmp_path: Path) -> None:
    write(db, lambda conn: play_match(conn, STREAM))
    write(db, lambda conn: sealed.open_chain(conn, STREAM, TWO, LINKS, first=LINKS + 1))
    write(db, lambda conn: sealed.advance(conn, MATCH, LINKS + 4))
    lines = read(db, lambda conn: list(export(conn, STREAM)))
    kinds = [json.loads(line).get("chance") for line in lines]
    assert kinds[-2:] == ["public", f"public {LINKS + 1}"]
    migrate(tmp_path / "other.db")
    with closing(Database.open(tmp_path / "other.db")) as other:
        write(other, lambda conn: import_stream(conn, lines))
        for log in (db, other):
            draws = read(log, lambda conn: sealed.draws(conn, MATCH))
            assert draws is not None
            assert (draws.secret, draws.first, draws.used) == (TWO, LINKS + 1, LINKS + 3)
