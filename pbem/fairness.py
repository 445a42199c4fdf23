"""Provably fair random draws from a reverse hash chain, and their verification.

docs/fairness.md has the protocol. A match commits to S_0, the start of a chain of hashes that ends
with a secret. Random draw i is computed from S_i, from the request (what is drawn, such as two
dice) and from what the players did before. The email that shows the draw also shows S_i, so that
each player can follow the chain one step back and compute the draw again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, starmap

from pbem.errors import PbemError
from pbem.games.chance import Draw, count_values, parse_draw, sample
from pbem.names import MatchId

LINKS = 4096  # number of links of a new hash chain, one for each random draw

MAX_COMPUTED = 100  # values of a draw that a check computes; a forged request can ask for millions

PROTOCOL = 2  # version of how inputs of draws are hashed; part of the hashes, and of challenges

SECRET_BYTES = 32

_CHAIN = b"pbem chain 1"
_SECRETS = "pbem secrets 1"
_DRAW = "pbem draw 1"
_MESSAGE = "pbem letter 1"
_START = f"pbem start {PROTOCOL}"
_MOVES = f"pbem moves {PROTOCOL}"
_SEAL = b"pbem seal 1"
_SALT_BYTES = 16

_MAX_CACHED_LINKS = 64  # number of links that are computed at once and cached for the next draws


class ChainExhaustedError(PbemError):
    """Raised if all links of a hash chain have been used, so that another chain is needed."""


def netstrings(*texts: str) -> bytes:
    """Return an unambiguous encoding of texts: `<length in UTF-8>:<UTF-8>,` for each.

    For example, `7:e5 stay,` is the encoding of `e5 stay`.
    """
    encoded = (text.encode() for text in texts)
    return b"".join(b"%d:%s," % (len(part), part) for part in encoded)


# --- the chain -----------------------------------------------------------------------------------


def _earlier_link(value: bytes, steps: int) -> bytes:
    """Return the link that is used `steps` draws before the link `value`.

    Each link is the hash of the one that is used after it.
    """
    for _ in range(steps):
        value = hashlib.sha256(_CHAIN + value).digest()
    return value


def link(secret: bytes, links: int, index: int) -> bytes:
    """Return link S_index of the hash chain that ends with S_links = `secret`.

    Raises:
        ValueError: The index is below 0 or above `links`.
    """
    if not 0 <= index <= links:
        raise ValueError(f"link {index} of a chain of {links}")
    return _earlier_link(secret, links - index)


def commitment(secret: bytes, links: int) -> bytes:
    """Return S_0, the first link of the hash chain of `links` links whose last link is `secret`.

    The challenge publishes S_0 before any player has accepted.
    """
    return link(secret, links, 0)


def chain_secret(secret: bytes, kind: str, number: int = 1) -> bytes:
    """Return the secret of a hash chain of a match, derived from the secret of the match.

    Args:
        secret: The secret of the match, which is never shown.
        kind: `public` or `sealed`.
        number: The number of the chain among the chains of its kind, counted from 1. Each chain
            has a secret of its own, because the last link that is revealed is the secret itself.
    """
    return hmac.digest(secret, netstrings(_SECRETS, kind, str(number)), "sha256")


# --- what the players did ------------------------------------------------------------------------


def hash_message(message_id: str, date: str) -> str:
    """Return the hash of an email's Message-ID and Date, in hex; empty if the email has neither.

    The sender finds both in the sent email, and the server could not know them in advance.
    """
    if not message_id and not date:
        return ""
    return hashlib.sha256(netstrings(_MESSAGE, message_id, date)).hexdigest()


def start_digest(accepted: Sequence[tuple[str, str, str]]) -> str:
    """Return the digest of a match's acceptances, in hex, on which the draws at the start depend.

    Args:
        accepted: A triple for each acceptance, oldest first: the player's id, an empty text, and
            the hash of the accepting email or page command. The empty text belongs to the format
            of the protocol; it was once a text that the player wrote.
    """
    return hashlib.sha256(netstrings(_START, *chain.from_iterable(accepted))).hexdigest()


def moves_digest(lines: Sequence[tuple[int, int, str, str]], start: str) -> str:
    """Return the digest of moves, in hex, on which random draws after the start of a match depend.

    Args:
        lines: Seat, ply, notation and message hash of each move, oldest first. The caller leaves
            out the moves in the unit of work that makes the draw, except after a restore from a
            backup (`pbem.match.automatic.is_bound_to_unit`).
        start: The digest of the acceptances, as `start_digest` returns it.
    """
    # Every draw hashes all moves before it, so `_line` caches their encodings.
    return hashlib.sha256(netstrings(_MOVES, start) + b"".join(starmap(_line, lines))).hexdigest()


@lru_cache(maxsize=1 << 15)
def _line(seat: int, ply: int, notation: str, message_hash: str) -> bytes:
    return netstrings(str(seat), str(ply), notation, message_hash)


# --- draws ---------------------------------------------------------------------------------------


def random_bytes(
    link: bytes, *, match: str, index: int, request: str, digest: str
) -> Iterator[int]:
    """Yield endless random bytes for a random draw: HMAC-SHA256 blocks, keyed with its link.

    Args:
        link: The link of the hash chain.
        match: The code of the match.
        index: The number of the random draw, counted from 1.
        request: The request as text, such as `roll: 2d6`.
        digest: The digest of what the players did before, in hex.
    """
    counter = 0
    while True:
        message = netstrings(_DRAW, match, str(index), request, digest, str(counter))
        yield from hmac.digest(link, message, "sha256")
        counter += 1


@dataclass(frozen=True, slots=True)
class Proof:
    """A random draw with everything that is needed to compute it again.

    `index` is the number of the draw, counted from 1. `link` is the link of the hash chain that the
    draw uses, and `digest` is the digest of what the players did before, both in hex. `request` is
    a text such as `roll: 2d6`, and `values` are the result.
    """

    index: int
    link: str
    digest: str
    request: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DrawChain:
    """A hash chain of a match, and the number of its next random draw.

    Links and random draws have the same numbers, from 1 through all chains of a match.

    Attributes:
        match: The code of the match.
        secret: The last link of this chain.
        links: The number of links of this chain.
        next_index: The number of the next draw and its link.
        first: The number of the first link of this chain.
        cached_links: A cache of the next links; empty if none are computed yet.
        next_chain: The chain that follows when this chain is used up, or None if there is none yet.
    """

    match: MatchId
    secret: bytes = field(repr=False)
    links: int
    next_index: int = 1
    first: int = 1
    cached_links: tuple[bytes, ...] = field(default=(), repr=False, compare=False)
    next_chain: DrawChain | None = field(default=None, repr=False)

    def draw(self, request: Draw, digest: str) -> tuple[Proof, DrawChain]:
        """Return the proof of the next random draw, with its values, and the chain after it.

        Args:
            request: The request of the game, such as two dice.
            digest: The digest of what the players did before, by `start_digest` or `moves_digest`.

        Raises:
            ChainExhaustedError: All links of this chain and of `next_chain` have been used.
        """
        index = self.next_index
        if index >= self.first + self.links:
            if self.next_chain is not None:
                return self.next_chain.draw(request, digest)
            raise ChainExhaustedError(f"all {index - 1} links of {self.match} have been shown")
        ahead = self.cached_links or _links_from(self.secret, self.links, index - self.first + 1)
        words = str(request)
        stream = random_bytes(ahead[0], match=self.match, index=index, request=words, digest=digest)
        proof = Proof(index, ahead[0].hex(), digest, words, sample(request, stream))
        return proof, replace(self, next_index=index + 1, cached_links=ahead[1:])

    def advance(self, index: int) -> DrawChain:
        """Return the chain after the draw with number `index`, so that link `index` + 1 is next.

        If this draw used a link of a chain that replaced this one, that chain is returned.
        """
        if index >= self.first + self.links and self.next_chain is not None:
            return self.next_chain.advance(index)
        return replace(self, next_index=index + 1, cached_links=())


def _links_from(secret: bytes, links: int, index: int) -> tuple[bytes, ...]:
    """Return up to 64 consecutive links, from S_index on, of the chain that ends with `secret`.

    `links` is the number of links of the whole chain.
    """
    last = min(links, index + _MAX_CACHED_LINKS - 1)
    walk = [link(secret, links, last)]
    for _ in range(last - index):
        walk.append(_earlier_link(walk[-1], 1))
    return tuple(reversed(walk))


# --- what stays secret until the end -------------------------------------------------------------


def sealed_text(proof: Proof) -> str:
    """Return the text whose salted hash seals a sealed draw, as JSON.

    It has the draw's index, the link of the hash chain that made the draw, and the drawn values.
    """
    values = ",".join(map(str, proof.values))
    return f'{{"index":{proof.index},"link":"{proof.link}","values":[{values}]}}'


def sealing_salt(link: str) -> bytes:
    """Return the salt for the seal of a sealed draw, derived from the draw's link (in hex).

    Players do not know the salt until the link is shown.
    """
    return hmac.digest(bytes.fromhex(link), _SEAL, "sha256")[:_SALT_BYTES]


def sealed_digest(proof: Proof) -> str:
    """Return the seal of a sealed draw: SHA-256 in hex of its `sealing_salt` and `sealed_text`."""
    return hashlib.sha256(sealing_salt(proof.link) + sealed_text(proof).encode()).hexdigest()


# --- the check -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DrawFault:
    """A fault of random draw number `index`, described in words."""

    index: int
    words: str


def check(
    proofs: Iterable[Proof], match: MatchId, commitments: Mapping[int, str]
) -> list[DrawFault]:
    """Return the faults of a match's public or sealed random draws; empty without faults.

    This function does not know the moves, so the caller must compare the digest of each draw with
    the moves before it.

    Args:
        proofs: The random draws, in the order of their numbers.
        match: The code of the match.
        commitments: S_0 of each chain, in hex, by the number of the chain's first link.
    """
    faults = []
    last_link, last_index = b"", 0
    for proof in proofs:
        if proof.index in commitments:
            last_link = _unhex(commitments[proof.index]) or b""
        if proof.index != last_index + 1:
            faults.append(DrawFault(proof.index, f"draw {proof.index} follows draw {last_index}"))
        link, steps = _unhex(proof.link), proof.index - last_index
        if link is None or not 0 < steps <= LINKS or _earlier_link(link, steps) != last_link:
            faults.append(
                DrawFault(proof.index, f"link {proof.index} is not of the chain that was committed")
            )
        faults.extend(_check_values(proof, link, match))
        if link is not None and steps > 0:
            last_link, last_index = link, proof.index
    return faults


def _check_values(proof: Proof, link: bytes | None, match: MatchId) -> Iterator[DrawFault]:
    index = proof.index
    try:
        request = parse_draw(proof.request)
    except ValueError:
        yield DrawFault(index, f"nothing can be drawn by the words {proof.request!r}")
        return
    if link is None:
        return
    if (count := count_values(request)) > max(len(proof.values), MAX_COMPUTED):
        words = f"draw {index} has {len(proof.values)} values, where {count} were requested"
        yield DrawFault(index, words)
        return
    stream = random_bytes(
        link, match=match, index=index, request=proof.request, digest=proof.digest
    )
    values = sample(request, stream)
    if values != proof.values:
        stated, fair = (" ".join(map(str, row)) for row in (proof.values, values))
        words = f"draw {index} says {stated or 'nothing'}, but its link gives {fair}"
        yield DrawFault(index, words)


def _unhex(text: str) -> bytes | None:
    try:
        value = bytes.fromhex(text)
    except ValueError:
        return None
    return value if len(value) == hashlib.sha256().digest_size else None
