"""How surely a letter is its player's, by what our mail server says of it (RFC 8601, MAIL 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pbem.legacy.mail.headers import Headers

# --- authentication ------------------------------------------------------------------------------
# What our own mail server says about a letter's sender (RFC 8601), and nobody else.

_RESULT: Final = re.compile(r"([a-z0-9_-]{1,30})(?:/1)?=([a-z]{1,20})(?=\s|\Z)")
_PROPERTY: Final = re.compile(r"(?<!\S)((?:header|smtp)\.[a-z-]{1,20})=(\S+)")
_ORGANISATION: Final = 2
"""Labels of a domain that another must share to be of the same organisation. Where registries sell
names one level deeper that is too few, and a signature counts less than it could."""


class Verdict(StrEnum):
    """Whether the domain of From vouches for the letter."""

    NONE = "none"
    PASS = "pass"  # noqa: S105 - RFC 8601's word, no password
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class AuthVerdict:
    """The verdict and the domain that it is about; the domain is None where there is no verdict."""

    verdict: Verdict = Verdict.NONE
    domain: str | None = None


NO_VERDICT: Final = AuthVerdict()


@dataclass(frozen=True, slots=True)
class _Result:
    method: str
    result: str
    properties: dict[str, list[str]]

    def about(self, name: str, domain: str) -> bool:
        """Whether it speaks of this very domain, bare or behind an `@`, and of no other."""
        values = self.properties.get(name, ())
        return {value.rpartition("@")[2].rstrip(".") for value in values} == {domain}


def _clauses(value: str) -> Iterator[str]:
    """The parts between semicolons; comments and quoted strings, which anybody fills, are blank."""
    out: list[str] = []
    depth, quoted, escaped = 0, False, False
    for sign in value:
        if escaped:
            escaped = False
        elif sign == "\\":
            escaped = True
        elif quoted or (sign == '"' and not depth):
            quoted = sign != '"' if quoted else True
            out.append("?")
        elif sign == "(":
            depth += 1
        elif sign == ")" and depth:
            depth -= 1
            out.append(" ")
        elif depth:
            continue
        elif sign == ";":
            yield "".join(out)
            out.clear()
        else:
            out.append(sign)
    yield "".join(out)


def _results(value: str, authserv_id: str) -> Iterator[_Result]:
    """The results of a field that our server wrote; none of anybody else's."""
    # To its end: with many signatures a forger makes it long, and `dmarc=fail` may be the last.
    first, *rest = _clauses(value.lower())
    if first.split()[:1] != [authserv_id.lower()]:
        return
    for clause in rest:
        if found := _RESULT.match(clause.strip()):
            properties: dict[str, list[str]] = {}
            for one in _PROPERTY.finditer(clause):
                properties.setdefault(one[1], []).append(one[2])
            yield _Result(found[1], found[2], properties)


def _partial_signers(headers: Headers) -> Iterator[str]:
    """The domains whose signatures cover only `l=` bytes: the rest is anybody's.

    White space is taken out first: whoever passes a mail on may add any amount of it (RFC 6376
    3.4.2), and the signature still holds.
    """
    for signature in headers.all.get("dkim-signature", ()):
        tags = [tag.partition("=") for tag in "".join(signature.split()).lower().split(";")]
        named = {name: value for name, _, value in reversed(tags)}
        if "l" in named:
            yield named.get("d", "").rstrip(".")


def _is_related(one: str, other: str) -> bool:
    """Whether DMARC may take one domain's signature for a sender of the other (RFC 7489 3.1.1)."""
    return one.split(".")[-_ORGANISATION:] == other.split(".")[-_ORGANISATION:]


def read_verdict(headers: Headers, domain: str, authserv_id: str) -> AuthVerdict:
    """The verdict on a domain by the topmost Authentication-Results, if it is our server's.

    DMARC decides; without it, DKIM or SPF for exactly this domain. A failed DMARC is a fail
    whatever else passed. Without a field of ours there is no verdict, never a pass. Where a
    signature covers a part, nothing counts that may rest on it.
    """
    value = headers.first.get("authentication-results")
    results = list(_results(value, authserv_id)) if value else []
    dmarc = [one for one in results if one.method == "dmarc"]
    if any(one.result == "fail" for one in dmarc):
        return AuthVerdict(Verdict.FAIL, domain)
    spf = any(
        one.method == "spf" and one.result == "pass" and one.about("smtp.mailfrom", domain)
        for one in results
    )
    signed = any(
        one.method == "dkim" and one.result == "pass" and one.about("header.d", domain)
        for one in results
    )
    agreed = any(one.result == "pass" and one.about("header.from", domain) for one in dmarc)
    partial = list(_partial_signers(headers))
    signed = signed and domain not in partial
    agreed = agreed and not any(_is_related(signer, domain) for signer in partial)
    return AuthVerdict(Verdict.PASS, domain) if spf or signed or agreed else NO_VERDICT


# --- proof ---------------------------------------------------------------------------------------
# How surely a letter is its player's: the degrees of proof (MAIL 3).


class Proof(StrEnum):
    """How surely a letter is its player's.

    name: From alone, or somebody unknown. doubt: a carrier of ours with another From, or with a
    verdict of fail. old mail: only the Message-ID of a mail that is too old. old address: an
    address that others have seen; retired address: one that they have seen long ago. newcomer:
    token and From, but the address has never consented to anything. mail: the Message-ID of a mail
    of ours, and From. token: a reply address or a token line, and From, or a verdict of pass.
    question: the answer to a one-time question, at the address that was made for it alone.
    """

    NAME = "name"
    DOUBT = "doubt"
    OLD_MAIL = "old mail"
    OLD_ADDRESS = "old address"
    RETIRED_ADDRESS = "retired address"
    NEWCOMER = "newcomer"
    MAIL = "mail"
    TOKEN = "token"  # noqa: S105 - a degree of proof, no password
    QUESTION = "question"
