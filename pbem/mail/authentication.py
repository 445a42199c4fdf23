"""What our own mail server says about a letter's sender (RFC 8601), and nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pbem.mail.headers import Headers

LONGEST: Final = 8000
_RESULT: Final = re.compile(r"([a-z0-9_-]{1,30})(?:/1)?=([a-z]{1,20})")
_PROPERTY: Final = re.compile(r"(header|smtp)\.([a-z-]{1,20})=(\S+)")
_LENGTH_TAG: Final = re.compile(r";\s{0,20}l\s{0,20}=")
_DOMAIN_TAG: Final = re.compile(r";\s{0,20}d\s{0,20}=\s{0,20}([a-z0-9.-]{1,253})")


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
    properties: dict[str, str]

    def about(self, name: str, domain: str) -> bool:
        """Whether it speaks of this very domain, bare or behind an `@`."""
        return self.properties.get(name, "").rpartition("@")[2].rstrip(".") == domain


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
    first, *rest = _clauses(value[:LONGEST].lower())
    if first.split()[:1] != [authserv_id.lower()]:
        return
    for clause in rest:
        if found := _RESULT.match(clause.strip()):
            yield _Result(
                found[1],
                found[2],
                {f"{one[1]}.{one[2]}": one[3] for one in _PROPERTY.finditer(clause)},
            )


def _partly_signed(headers: Headers, domain: str) -> bool:
    """Whether a signature of this domain covers only `l=` bytes: the rest is anybody's."""
    for signature in headers.all("dkim-signature"):
        text = ";" + signature[:LONGEST].lower()
        signer = _DOMAIN_TAG.search(text)
        if signer and (domain + ".").endswith(signer[1] + ".") and _LENGTH_TAG.search(text):
            return True
    return False


def read_verdict(headers: Headers, domain: str | None, authserv_id: str | None) -> AuthVerdict:
    """The verdict on a domain by the topmost Authentication-Results, if it is our server's.

    DMARC decides; without it, DKIM or SPF for exactly this domain. A failed DMARC is a fail
    whatever else passed. Without an authserv-id of ours there is no verdict, never a pass.
    """
    value = headers.first("authentication-results")
    if not value or not domain or not authserv_id:
        return NO_VERDICT
    results = list(_results(value, authserv_id))
    dmarc = [one for one in results if one.method == "dmarc"]
    if any(one.result == "fail" for one in dmarc):
        return AuthVerdict(Verdict.FAIL, domain)
    spf = any(
        one.method == "spf" and one.result == "pass" and one.about("smtp.mailfrom", domain)
        for one in results
    )
    signed = any(
        (one.method == "dmarc" and one.result == "pass" and one.about("header.from", domain))
        or (one.method == "dkim" and one.result == "pass" and one.about("header.d", domain))
        for one in results
    )
    if spf or (signed and not _partly_signed(headers, domain)):
        return AuthVerdict(Verdict.PASS, domain)
    return NO_VERDICT
