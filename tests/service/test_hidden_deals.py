"""A player tries all deals of Logan Stones against everything that they got before the end.

Bob knows the upper face of each stone and both faces of his own eight. The lower faces of the other
ten can be three symbols each: 3^10 = 59,049 deals, which a computer tries in a second. So a hash of
the deal in an email or a record tells Bob the deal, unless something is hashed with it that he can
neither read nor guess. Here he is even told which of several equal stones lies where.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pbem import fairness
from pbem.fairness import netstrings
from pbem.games.logan_stones.stones import Symbol, list_faces
from pbem.match.events import ChanceSealed
from pbem.names import MatchId
from pbem.service import unit_of_work
from pbem.store import event_log
from pbem.store.database import Database
from pbem.store.event_log import hash_events
from tests.conversations.service import begin

SCRIPT = """# Bob reads all that he can get before the end
match logan stones ann bob
play taps 2 times
bob replies
    record
play taps 2 times
bob replies
    verify
bob replies
    record
"""

STONES = 18
SYMBOLS: tuple[Symbol, ...] = ("R", "P", "S")
HIDDEN_PLACES = (*range(8), 16, 17)  # the hand of seat 1, and the two stones in the middle
HEX = re.compile(rb"\b[0-9a-f]{32,}\b")
DIGITS = 32  # of a head in an email

Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass
class Evidence:
    """What Bob got: the newest record, and all texts as bytes; and the deal, to help him."""

    record: list[dict[str, Any]]
    texts: bytes
    deal: tuple[int, ...]
    stone_set: str

    def list_hex(self, digits: int) -> list[bytes]:
        return sorted({found for found in HEX.findall(self.texts) if len(found) == digits})


async def play(folder: Path) -> Evidence:
    conversation = begin(SCRIPT, folder)
    await conversation.play()
    emails = [email for email in conversation.received if email.recipient == "bob@example.net"]
    attachments = [data for email in emails for data in email.attachments.values()]
    assert len(attachments) == 2
    texts = [text.encode() for email in emails for text in (email.headers, email.text, email.html)]
    record = [json.loads(line) for line in attachments[-1].splitlines()]
    with closing(Database(f"sqlite:///{folder / 'pbem.db'}")) as database:
        match = MatchId(record[0]["match"])
        log = database.run(lambda conn: event_log.load_events(conn, match))
    [sealed] = [caused.event for caused in log if isinstance(caused.event, ChanceSealed)]
    return Evidence(
        record=record,
        texts=b"\n".join([*texts, *attachments]),
        deal=sealed.values,
        stone_set=record[0]["data"]["options"]["stone_set"],
    )


def list_deals(evidence: Evidence, places: Sequence[int]) -> Iterator[bytes]:
    """List the values of a deal, as JSON, for each way in which the faces at some places can be."""
    faces = list_faces(evidence.stone_set)
    ways = {
        (pair[up - 1], pair[2 - up]): (stone, up)
        for stone, pair in enumerate(faces)
        for up in (1, 2)
    }
    which, ups = [*evidence.deal[:STONES]], [*evidence.deal[STONES:]]
    choices = []
    for place in places:
        pair, up = faces[which[place]], ups[place]
        top, under = pair[up - 1], pair[2 - up]
        choices.append(
            [(which[place], up) if symbol == under else ways[top, symbol] for symbol in SYMBOLS]
        )
    for chosen in product(*choices):
        for place, (stone, up) in zip(places, chosen, strict=True):
            which[place], ups[place] = stone, up
        yield ",".join(map(str, (*which, *ups))).encode()


def find_deal(evidence: Evidence, places: Sequence[int]) -> bytes | None:
    """Try all deals against all that Bob got, with all salts and links that he can guess."""
    published = {bytes.fromhex(found[:DIGITS].decode()) for found in HEX.findall(evidence.texts)}
    [sealed] = [line for line in evidence.record if line["type"] == "ChanceSealed"]
    assert (sealed["data"]["values"], sealed["salt"]) == ([], "")
    version = sealed["version"]
    head = evidence.record[version - 2]["hash"]
    begin = json.dumps(sealed["data"], sort_keys=True, separators=(",", ":"))[:-2].encode()
    fields = netstrings(head, sealed["match"], str(version), "ChanceSealed")
    salts = [b"%d:%s," % (len(salt), salt) for salt in guess_salts(evidence, version)]
    seals = [
        hashlib.sha256(salt + b'{"index":1,"link":"%s","values":[' % link)
        for link in (b"", *evidence.list_hex(64))
        for salt in {b"", fairness.sealing_salt(link.decode())}
    ]
    for deal in list_deals(evidence, places):
        end = deal + b"]}"
        data = begin + end
        event = hashlib.sha256(fields + b"%d:%s," % (len(data), data))
        for state, rest in [(event, salt) for salt in salts] + [(seal, end) for seal in seals]:
            tried = state.copy()
            tried.update(rest)
            if tried.digest()[: DIGITS // 2] in published:
                return deal
    return None


def guess_salts(evidence: Evidence, version: int) -> list[bytes]:
    """Return all that could be the salt of an event: what Bob has read, and keys made of it."""
    keys = [b"", bytes(32), *(bytes.fromhex(text.decode()) for text in evidence.list_hex(64))]
    made = [hmac.digest(key, b"pbem salt %d" % version, "sha256").hex()[:32] for key in keys]
    heads = {text[:DIGITS] for text in evidence.list_hex(64)}
    read = [text for text in evidence.list_hex(32) if text not in heads]
    return [b"", *read, *(text.encode() for text in made)]


async def test_no_deal_can_be_guessed_before_the_end(tmp_path: Path) -> None:
    evidence = await play(tmp_path)
    assert len({*list_deals(evidence, HIDDEN_PLACES)}) == 3 ** len(HIDDEN_PLACES)
    assert find_deal(evidence, HIDDEN_PLACES) is None


def leave_out_salts(patch: pytest.MonkeyPatch) -> None:
    compute = event_log.compute_hash
    patch.setattr(event_log, "compute_hash", lambda *fields: compute(*fields[:-1], ""))


def make_salts_of_a_known_key(patch: pytest.MonkeyPatch) -> None:
    def hash_with_known_key(*args: Any, secret: bytes, **named: Any) -> Any:
        return hash_events(*args, secret=bytes(len(secret)), **named)

    patch.setattr(unit_of_work, "hash_events", hash_with_known_key)


def seal_without_link(patch: pytest.MonkeyPatch) -> None:
    seal = fairness.sealed_digest
    patch.setattr(fairness, "sealing_salt", lambda _link: b"")
    patch.setattr(fairness, "sealed_digest", lambda proof: seal(replace(proof, link="")))


@pytest.mark.parametrize("plant", [leave_out_salts, make_salts_of_a_known_key, seal_without_link])
async def test_a_deal_that_can_be_guessed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plant: Plant
) -> None:
    """The test above can fail: with each of these faults Bob finds the deal.

    Four places are enough to show it.
    """
    plant(monkeypatch)
    evidence = await play(tmp_path)
    found = find_deal(evidence, HIDDEN_PLACES[-4:])
    assert found == ",".join(map(str, evidence.deal)).encode()
