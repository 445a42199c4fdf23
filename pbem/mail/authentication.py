"""Our own mail server's verdict on the sender of an email (RFC 8601).

Only the topmost Authentication-Results field counts, and only if our server wrote it, because
anyone may put any number of them into an email. Without a field of our server the verdict is
`none`, never `pass`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pbem.mail.headers import Headers

_RESULT: Final = re.compile(r"([a-z0-9_-]{1,30})(?:/1)?=([a-z]{1,20})(?=\s|\Z)")
_PROPERTY: Final = re.compile(r"(?<!\S)((?:header|smtp)\.[a-z-]{1,20})=(\S+)")
_SINGLE: Final = (
    *("to", "cc", "date", "message-id", "subject", "in-reply-to", "references"),
    *("content-type", "content-transfer-encoding", "content-disposition"),
)
"""Fields that an email has at most once (RFC 5322 3.6), and that we read."""

_SHARED_LABELS: Final = 2  # last labels that two domains of one organisation have in common


class Verdict(StrEnum):
    """Whether the domain in From confirms that it sent an email."""

    NONE = "none"
    PASS = "pass"  # noqa: S105 - RFC 8601's word, no password
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class _Result:
    method: str
    result: str
    properties: dict[str, list[str]]

    def is_about(self, name: str, domain: str) -> bool:
        """Return whether all values of a property name this domain, alone or after an `@`."""
        values = self.properties.get(name, ())
        return {value.rpartition("@")[2].rstrip(".") for value in values} == {domain}


def _clauses(value: str) -> Iterator[str]:
    """Yield the clauses between semicolons, without comments and quoted strings.

    A stranger can choose their content, such as the local part of an envelope sender.
    """
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
    """Yield the results of a field if our server wrote it; otherwise yield nothing."""
    # Read to the end: many signatures make the field long, and `dmarc=fail` may come last.
    first, *rest = _clauses(value.lower())
    if first.split()[:1] != [authserv_id.lower()]:
        return
    for clause in rest:
        if found := _RESULT.match(clause.strip()):
            properties: dict[str, list[str]] = {}
            for pair in _PROPERTY.finditer(clause):
                properties.setdefault(pair[1], []).append(pair[2])
            yield _Result(found[1], found[2], properties)


def _partial_signers(headers: Headers) -> Iterator[str]:
    """Yield the domains whose signatures cover only the first `l=` bytes.

    White space is removed first: relays may add any amount of it (RFC 6376 section 3.4.2).
    """
    for signature in headers.all.get("dkim-signature", ()):
        tags = [tag.partition("=") for tag in "".join(signature.split()).lower().split(";")]
        named = {name: value for name, _, value in reversed(tags)}
        if "l" in named:
            yield named.get("d", "").rstrip(".")


def _is_ambiguous(headers: Headers) -> bool:
    """Return whether a field occurs twice, so that the one we read may not be the signed one.

    A signature covers the lowest of several equal fields (RFC 6376 5.4.2), but we read the topmost.
    So an attacker could add a new recipient or date above those of a signed email.
    """
    return any(len(headers.all.get(name, ())) > 1 for name in _SINGLE)


def _is_related(domain: str, other: str) -> bool:
    """Return whether DMARC may accept one domain's signature for the other (RFC 7489 3.1.1)."""
    return domain.split(".")[-_SHARED_LABELS:] == other.split(".")[-_SHARED_LABELS:]


def read_verdict(headers: Headers, domain: str, authserv_id: str) -> Verdict:
    """Return our server's verdict on a domain, from its topmost Authentication-Results field.

    A DMARC result decides. Without one, DKIM or SPF must pass for exactly this domain. A failed
    DMARC is a fail, whatever else passed. A signature that covers only a part of the email is
    ignored. If a field that we read occurs twice, only a failed DMARC counts.
    """
    value = headers.first.get("authentication-results")
    results = list(_results(value, authserv_id)) if value else []
    if any(result.method == "dmarc" and result.result == "fail" for result in results):
        return Verdict.FAIL
    if _is_ambiguous(headers):
        return Verdict.NONE
    partial = list(_partial_signers(headers))
    for result in results:
        if result.result != "pass":
            continue
        match result.method:
            case "spf" if result.is_about("smtp.mailfrom", domain):
                return Verdict.PASS
            case "dkim" if result.is_about("header.d", domain) and domain not in partial:
                return Verdict.PASS
            case "dmarc" if result.is_about("header.from", domain) and not any(
                _is_related(signer, domain) for signer in partial
            ):
                return Verdict.PASS
    return Verdict.NONE
