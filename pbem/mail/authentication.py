"""Our own mail server's verdict on whether the domain in From sent an email (RFC 8601).

Only the topmost Authentication-Results field counts, and only if our server wrote it, because
senders can put any number of such fields into an email. Without a field by our server, the verdict
is `none`, never `pass`.
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
_SINGLE: Final = (  # header fields that we read and that an email may have only once (RFC 5322 3.6)
    *("to", "cc", "date", "message-id", "subject", "in-reply-to", "references"),
    *("content-type", "content-transfer-encoding", "content-disposition"),
)

_SHARED_LABELS: Final = 2  # last labels that two domains of one organisation have in common


class Verdict(StrEnum):
    """Our mail server's answer to the question whether the domain in From sent the email."""

    NONE = "none"
    PASS = "pass"  # noqa: S105 - RFC 8601's word, no password
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class _Result:
    method: str
    result: str
    properties: dict[str, list[str]]

    def is_about(self, name: str, domain: str) -> bool:
        values = self.properties.get(name, ())
        return {value.rpartition("@")[2].rstrip(".") for value in values} == {domain}


def _clauses(value: str) -> Iterator[str]:
    """Yield the clauses of a field's value, which are separated by semicolons.

    Comments and quoted strings are left out. Senders can put any text into them, so none of it may
    count as a result.
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
    # Read to the end: many signatures make the field long, and `dmarc=fail` may come last.
    first, *clauses = _clauses(value.lower())
    if first.split()[:1] != [authserv_id.lower()]:
        return
    for clause in clauses:
        if parsed := _RESULT.match(clause.strip()):
            properties: dict[str, list[str]] = {}
            for pair in _PROPERTY.finditer(clause):
                properties.setdefault(pair[1], []).append(pair[2])
            yield _Result(parsed[1], parsed[2], properties)


def _partial_signers(headers: Headers) -> Iterator[str]:
    """Yield the domains of DKIM signatures that cover only the beginning of the body (tag `l=`).

    White space is removed before the tags of a signature are read, because relays may add any
    amount of it (RFC 6376 section 3.4.2).
    """
    for signature in headers.all.get("dkim-signature", ()):
        tags = [tag.partition("=") for tag in "".join(signature.split()).lower().split(";")]
        named = {name: value for name, _, value in reversed(tags)}
        if "l" in named:
            yield named.get("d", "").rstrip(".")


def _is_ambiguous(headers: Headers) -> bool:
    """Return whether any header field that may occur only once occurs more than once.

    If several fields have the same name, a signature covers the lowest (RFC 6376 5.4.2), but we
    read the topmost. So an attacker could add a field, such as To or Date, above the signed one.
    """
    return any(len(headers.all.get(name, ())) > 1 for name in _SINGLE)


def _is_related(domain: str, other: str) -> bool:
    return domain.split(".")[-_SHARED_LABELS:] == other.split(".")[-_SHARED_LABELS:]


def read_verdict(headers: Headers, domain: str, authserv_id: str) -> Verdict:
    """Return our mail server's verdict on whether `domain`, the domain in From, sent the email.

    Only the topmost Authentication-Results field is read, and only if our server wrote it under the
    name `authserv_id`. If DMARC failed, the verdict is FAIL. Otherwise it is PASS if DMARC, DKIM or
    SPF passed for exactly this domain, and NONE if not.

    The verdict is never PASS if a header field that may occur only once occurs more than once. A
    DKIM signature that covers only a part of the body does not count. If DMARC may be based on such
    a signature, its `pass` does not count either.
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
