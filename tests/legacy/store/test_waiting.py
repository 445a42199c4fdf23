"""Timers, questions, rates, sealed texts, chains, runners' signs of life: the small tables."""

from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from pbem.fairness import LINKS, Draws, commitment
from pbem.games.chance import Dice, Draw
from pbem.names import Digest, MatchId
from pbem.legacy.store import runner_state, timers
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import sealed
from pbem.legacy.store.people import rates
from tests.legacy.store.given import ANN, BOB, DAY, MINUTE, NOW, SECRET, read, write

A = MatchId("A")

# --- timers --------------------------------------------------------------------------------------


def set_timer(db: Database, key: str, minutes: int) -> None:
    due_at = NOW + minutes * MINUTE
    facts = {"match": "A", "plies": [1, 2], "seat": None}
    write(db, lambda conn: timers.set_timer(conn, key, due_at, "match-A", "forced", facts))


def due(db: Database, minutes: int) -> list[str]:
    found = read(db, lambda conn: timers.due(conn, NOW + minutes * MINUTE, 10))
    return [timer.key for timer in found]


def test_timers_are_due_in_their_order_and_fire_once(db: Database) -> None:
    set_timer(db, "late", 9)
    set_timer(db, "early", 5)
    assert read(db, timers.next_due) == NOW + 5 * MINUTE
    assert [due(db, 4), due(db, 5), due(db, 10)] == [[], ["early"], ["early", "late"]]
    (timer, _) = read(db, lambda conn: timers.due(conn, NOW + DAY, 10))
    assert timer.facts == {"match": "A", "plies": [1, 2], "seat": None}
    assert (timer.stream, timer.kind, timer.due_at) == ("match-A", "forced", NOW + 5 * MINUTE)
    assert not write(db, lambda conn: timers.fire(conn, "early", NOW))  # put off since
    assert write(db, lambda conn: timers.fire(conn, "early", NOW + DAY))
    assert not write(db, lambda conn: timers.fire(conn, "early", NOW + DAY))
    assert due(db, 10) == ["late"]
    assert read(db, lambda conn: timers.due(conn, NOW + DAY, 0)) == []


def test_a_timer_can_be_set_anew_and_taken_back(db: Database) -> None:
    set_timer(db, "a", 5)
    set_timer(db, "a", 9)
    assert [due(db, 5), due(db, 9)] == [[], ["a"]]
    write(db, lambda conn: timers.fire(conn, "a", NOW + DAY))
    set_timer(db, "a", 20)
    assert due(db, 20) == ["a"]
    assert write(db, lambda conn: timers.cancel(conn, "a"))
    assert not write(db, lambda conn: timers.cancel(conn, "a"))
    assert read(db, timers.next_due) is None


# --- questions -----------------------------------------------------------------------------------


def ask(db: Database, key: str, *, days: int = 14) -> None:
    write(
        db,
        lambda conn: rates.ask(
            conn, key, player=ANN, kind="resign", facts={"of": key}, expires_at=NOW + days * DAY
        ),
    )


def test_the_newest_question_is_answered_first_and_once(db: Database) -> None:
    ask(db, "z")
    ask(db, "a", days=2)
    ask(db, "z", days=99)  # the same letter again
    pending = read(db, lambda conn: rates.pending(conn, ANN, now=NOW))
    assert [question.key for question in pending] == ["a", "z"]
    assert (pending[0].kind, pending[0].facts, pending[0].player) == ("resign", {"of": "a"}, ANN)
    assert pending[1].expires_at == NOW + 14 * DAY
    assert read(db, lambda conn: rates.pending(conn, BOB, now=NOW)) == []
    assert write(db, lambda conn: rates.answer(conn, "a", NOW))
    assert not write(db, lambda conn: rates.answer(conn, "a", NOW))
    (left,) = read(db, lambda conn: rates.pending(conn, ANN, now=NOW))
    assert left.key == "z"


def test_a_question_expires(db: Database) -> None:
    ask(db, "a", days=2)
    before, at = NOW + 2 * DAY - MINUTE, NOW + 2 * DAY
    assert len(read(db, lambda conn: rates.pending(conn, ANN, now=before))) == 1
    assert read(db, lambda conn: rates.pending(conn, ANN, now=at)) == []


# --- rates ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [1, 3, 7, 10])
def test_a_bucket_takes_what_it_holds_and_no_more(db: Database, capacity: int) -> None:
    def take(key: str = "a", after: timedelta = timedelta()) -> bool:
        now = NOW + after
        return write(db, lambda conn: rates.take(conn, key, now=now, capacity=capacity, per=DAY))

    assert [take() for _ in range(capacity + 2)] == [*[True] * capacity, False, False]
    assert take("b")
    # One leaks out in a part of the day; what was refused does not count.
    assert take(after=DAY / capacity)
    assert not take(after=DAY / capacity)
    assert [take(after=9 * DAY) for _ in range(capacity + 1)] == [*[True] * capacity, False]


def test_a_bucket_that_holds_nothing_takes_nothing(db: Database) -> None:
    assert not write(db, lambda conn: rates.take(conn, "a", now=NOW, capacity=0, per=DAY))


def test_empty_buckets_are_forgotten(db: Database) -> None:
    write(db, lambda conn: rates.take(conn, "a", now=NOW, capacity=2, per=DAY))
    assert write(db, lambda conn: rates.prune(conn, NOW + DAY / 2 - MINUTE)) == 0
    assert write(db, lambda conn: rates.prune(conn, NOW + DAY / 2)) == 1


# --- sealed texts --------------------------------------------------------------------------------


def test_a_sealed_text_is_read_by_its_digest_until_it_is_forgotten(db: Database) -> None:
    salts = [bytes([number]) * 16 for number in (1, 2)]
    one, other = (write(db, partial(sealed.seal, text="Glück", salt=salt)) for salt in salts)
    assert one != other
    assert one == sealed.digest_of("Glück", salts[0])
    both = {one: "Glück", other: "Glück"}
    absent = Digest("0" * 64)
    assert read(db, lambda conn: sealed.unseal(conn, [one, other, absent])) == both
    assert read(db, lambda conn: sealed.unseal(conn, [])) == {}
    assert write(db, lambda conn: sealed.forget(conn, one))
    assert not write(db, lambda conn: sealed.forget(conn, one))
    assert read(db, lambda conn: sealed.unseal(conn, [one, other])) == {other: "Glück"}


def test_sealing_the_same_again_changes_nothing(db: Database) -> None:
    digests = {write(db, lambda conn: sealed.seal(conn, "x", salt=b"s" * 16)) for _ in range(2)}
    assert len(digests) == 1


@pytest.mark.parametrize("salt", [b"", b"short", b"s" * 17])
def test_a_salt_has_its_length(db: Database, salt: bytes) -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        write(db, lambda conn: sealed.seal(conn, "x", salt=salt))


# --- chains --------------------------------------------------------------------------------------


def chain(conn: Connection) -> Draws:
    draws = sealed.draws(conn, A)
    assert draws is not None
    return draws


def test_a_chain_goes_on_where_it_was(db: Database) -> None:
    write(db, lambda conn: sealed.open_chain(conn, "match-A", SECRET, LINKS))
    draws = read(db, chain)
    assert (draws.match, draws.next_index, draws.links) == (A, 1, LINKS)
    first, _ = draws.draw(Draw("dice", (Dice(1, 6),)), "d")
    write(db, lambda conn: sealed.advance(conn, A, 2))
    second, _ = read(db, chain).draw(Draw("x", (Dice(1, 6),)), "d")
    assert (first.index, second.index) == (1, 2)


def test_a_chain_never_goes_back(db: Database) -> None:
    write(db, lambda conn: sealed.open_chain(conn, "match-A", SECRET, LINKS))
    write(db, lambda conn: sealed.advance(conn, A, 3))
    for back in (3, 2, 1):
        with pytest.raises(ValueError, match="already"):
            write(db, partial(sealed.advance, match=A, next_index=back))
    assert read(db, chain).next_index == 3


def test_a_match_has_one_chain(db: Database) -> None:
    write(db, lambda conn: sealed.open_chain(conn, "match-A", SECRET, LINKS))
    with pytest.raises(IntegrityError):
        write(db, lambda conn: sealed.open_chain(conn, "match-A", bytes(32), LINKS))
    assert commitment(SECRET, LINKS) != commitment(bytes(32), LINKS)


# --- runners -------------------------------------------------------------------------------------


def test_a_runner_says_what_it_did_last(db: Database) -> None:
    write(db, lambda conn: runner_state.note(conn, "letters", NOW, "waiting"))
    write(db, lambda conn: runner_state.note(conn, "send", NOW, "3 mails"))
    write(db, lambda conn: runner_state.note(conn, "letters", NOW + MINUTE, "1 letter"))
    assert [(one.runner, one.last_at, one.what) for one in read(db, runner_state.states)] == [
        ("letters", NOW + MINUTE, "1 letter"),
        ("send", NOW, "3 mails"),
    ]


def test_bots_are_asked_by_timers_that_are_nobody_elses(db: Database) -> None:
    set_timer(db, "a", 5)
    facts = {"match": "A"}
    write(db, lambda conn: timers.set_timer(conn, "bot:A", NOW, "match-A", timers.BOT, facts))
    assert due(db, 9) == ["a"]
    [bot] = read(db, lambda conn: timers.due(conn, NOW, 10, of_bots=True))
    assert (bot.key, bot.facts) == ("bot:A", facts)
    assert read(db, lambda conn: timers.next_due(conn, of_bots=True)) == NOW
    assert read(db, timers.next_due) == NOW + 5 * MINUTE
