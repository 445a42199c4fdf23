from __future__ import annotations

import pytest

from pbem.mail.inbound import Verdict, parse_inbound

OURS = "mx.pbem.example"
PASS, FAIL, NONE = Verdict.PASS, Verdict.FAIL, Verdict.NONE


def verdict(*fields: str, authserv_id: str = OURS, sender: str = "ann@example.org") -> Verdict:
    header = "".join(f"{field}\r\n" for field in (*fields, f"From: Ann <{sender}>"))
    raw = f"{header}\r\nc1".encode()
    return parse_inbound(raw, own_address="games@pbem.example", authserv_id=authserv_id).verdict


@pytest.mark.parametrize(
    ("results", "wanted"),
    [
        ("dmarc=pass (p=REJECT) header.from=example.org", PASS),
        ("dmarc=pass header.from=EXAMPLE.org", PASS),
        ("dkim=pass header.d=example.org; spf=pass smtp.mailfrom=x@other.org", PASS),
        ("spf=pass smtp.mailfrom=bounce@example.org", PASS),
        ("spf=pass smtp.mailfrom=example.org", PASS),
        ("dmarc=fail (p=NONE) header.from=example.org", FAIL),
        ("dmarc=pass header.from=evil.org", NONE),
        ("dmarc=pass header.from=sub.example.org", NONE),
        ("dmarc=pass header.from=notexample.org", NONE),
        ("dmarc=pass", NONE),
        ("dkim=pass header.d=evil.org", NONE),
        ("dkim=pass header.i=@example.org", NONE),
        ("dkim=fail header.d=example.org", NONE),
        ("dmarc=none header.from=example.org", NONE),
        ("spf=softfail smtp.mailfrom=ann@example.org", NONE),
        ("none", NONE),
        ("", NONE),
        # What a stranger can put into a comment or a quoted string is no result.
        ("spf=fail (x; dmarc=pass header.from=example.org) smtp.mailfrom=x@evil.org", NONE),
        (r"spf=fail (x \) (; dmarc=pass header.from=example.org)) smtp.mailfrom=x@e.org", NONE),
        ('spf=fail smtp.mailfrom="; dmarc=pass header.from=example.org"@evil.org', NONE),
        (r'spf=fail smtp.mailfrom="\"; dmarc=pass header.from=example.org"@evil.org', NONE),
        ("x-dmarc=pass header.from=example.org", NONE),
        ("dmarc=passed header.from=example.org", NONE),
        ("dmarc=pass-ish header.from=example.org", NONE),
        ("dmarc=bestguesspass header.from=example.org", NONE),
        ("dmarc=pass header.from=example.org.", PASS),
        # Each result speaks of one domain: what passes must be that of From, whatever it is.
        ("spf=pass smtp.mailfrom=x@sub.example.org", NONE),
        ("spf=pass smtp.mailfrom=x@notexample.org", NONE),
        ("spf=pass smtp.mailfrom=x@example.org.evil.org", NONE),
        ("spf=pass smtp.mailfrom=example.org@evil.org", NONE),
        ("spf=pass smtp.mailfrom=ann@example.org@evil.org", NONE),
        ("spf=pass smtp.helo=example.org", NONE),
        ("spf=pass header.from=example.org", NONE),
        ("spf=pass", NONE),
        ("spf=fail smtp.mailfrom=ann@example.org; spf=pass smtp.mailfrom=x@evil.org", NONE),
        ("spf=pass smtp.mailfrom=x@evil.org; spf=pass smtp.mailfrom=a@example.org", PASS),
        ("spf=pass smtp.mailfrom=x@evil.org smtp.mailfrom=ann@example.org", NONE),
        ("spf=pass smtp.mailfrom=ann@example.org smtp.mailfrom=x@evil.org", NONE),
        ("spf=pass x.smtp.mailfrom=ann@example.org", NONE),
        ("dkim=pass header.d=sub.example.org", NONE),
        ("dkim=pass header.d=org", NONE),
        ("dkim=pass header.from=example.org", NONE),
        ("dkim=fail header.d=example.org; dkim=pass header.d=evil.org", NONE),
        ("dkim=pass header.d=evil.org; dkim=pass header.d=example.org", PASS),
        ("dmarc=pass header.d=example.org", NONE),
        ("dmarc=pass header.from=evil.org header.from=example.org", NONE),
        ("dmarc=none header.from=example.org; spf=pass smtp.mailfrom=a@example.org", PASS),
        # A failed DMARC decides, wherever it stands and whatever else passed.
        ("dmarc=fail header.from=example.org; spf=pass smtp.mailfrom=a@example.org", FAIL),
        ("spf=pass smtp.mailfrom=a@example.org; dmarc=fail header.from=example.org", FAIL),
        ("dmarc=pass header.from=example.org; dmarc=fail header.from=example.org", FAIL),
        ("dmarc=fail header.from=example.org; dmarc=pass header.from=example.org", FAIL),
        ("dkim=fail header.d=e.org; " * 400 + "dmarc=fail header.from=example.org", FAIL),
    ],
)
def test_only_a_pass_for_the_senders_domain_is_a_pass(results: str, wanted: Verdict) -> None:
    assert verdict(f"Authentication-Results: {OURS}; {results}") is wanted


GOOD = "dmarc=pass header.from=example.org"


@pytest.mark.parametrize(
    "fields",
    [
        (f"Authentication-Results: mx.evil.org; {GOOD}",),
        (f"Authentication-Results: {OURS}.evil.org; {GOOD}",),
        (f"Authentication-Results: x{OURS}; {GOOD}",),
        (f"Authentication-Results: ; {GOOD}",),
        (f"Authentication-Results: {OURS} {GOOD}",),
        # Only the topmost: what stands below it came with the mail.
        (f"Authentication-Results: {OURS}; none", f"Authentication-Results: {OURS}; {GOOD}"),
        ("Authentication-Results: mx.evil.org; none", f"Authentication-Results: {OURS}; {GOOD}"),
        (f"ARC-Authentication-Results: i=1; {OURS}; {GOOD}",),
        (f"X-Authentication-Results: {OURS}; {GOOD}",),
        (),
    ],
)
def test_nobody_elses_results_count(fields: tuple[str, ...]) -> None:
    assert verdict(*fields) is NONE


def test_our_results_may_be_folded_and_have_a_version() -> None:
    assert verdict(f"Authentication-Results: {OURS.upper()} 1;\r\n\t{GOOD}") is PASS


def test_without_an_id_of_ours_there_is_never_a_pass() -> None:
    field = f"Authentication-Results: {OURS}; {GOOD}"
    assert verdict(field, authserv_id="") is NONE


def test_nobody_has_no_verdict() -> None:
    field = f"Authentication-Results: {OURS}; {GOOD}"
    assert verdict(field, sender="ann@example.org <b@c>") is NONE


@pytest.mark.parametrize(
    ("signature", "results", "wanted"),
    [
        ("v=1; d=example.org; s=a; b=x", GOOD, PASS),
        ("v=1; d=example.org; l=20; b=x", GOOD, NONE),
        ("v=1; d=example.org;\r\n\tl=20; b=x", "dkim=pass header.d=example.org", NONE),
        ("l=20; d=example.org", GOOD, NONE),
        ("v=1; d=example.org; l=20", f"{GOOD}; spf=pass smtp.mailfrom=a@example.org", PASS),
        ("v=1; d=other.org; l=20", GOOD, PASS),
        ("v=1; d=example.org; bl=20", GOOD, PASS),
        # Whoever passes a mail on may add white space, and the signature holds.
        (f"v=1; d=example.org;{' ' * 60}l=20; b=x", GOOD, NONE),
        (f"v=1; d=example.org;{' ' * 500}\r\n {' ' * 500}\r\n\tl =\t20; b=x", GOOD, NONE),
        (f"v=1; d{' ' * 60}= example.org; l=20; b=x", GOOD, NONE),
        (f"v=1; h={'x:' * 5000}; d=example.org; l=20; b=x", GOOD, NONE),
        ("v=1; d=example.org; l=0", "dkim=pass header.d=example.org", NONE),
        # DMARC takes the signature of a domain beside or below as well, DKIM alone does not.
        ("v=1; d=mail.example.org; l=20", GOOD, NONE),
        ("v=1; d=a.b.example.org; l=20", GOOD, NONE),
        ("v=1; d=mail.example.org; l=20", "dkim=pass header.d=example.org", PASS),
        ("v=1; d=notexample.org; l=20", GOOD, PASS),
        ("v=1; d=example.org.evil.net; l=20", GOOD, PASS),
        ("v=1; d=example.org; l=20", "spf=pass smtp.mailfrom=x@evil.org", NONE),
        ("v=1; d=example.org; l=20", "dmarc=fail header.from=example.org", FAIL),
    ],
)
def test_a_signature_of_a_part_does_not_count(
    signature: str, results: str, wanted: Verdict
) -> None:
    fields = (f"Authentication-Results: {OURS}; {results}", f"DKIM-Signature: {signature}")
    assert verdict(*fields) is wanted
    whole = "DKIM-Signature: v=1; d=example.net; s=b; b=y"
    assert verdict(fields[0], whole, fields[1], whole) is wanted


def test_a_sender_below_is_no_sender_of_the_domain_above() -> None:
    field = f"Authentication-Results: {OURS}; spf=pass smtp.mailfrom=x@example.org"
    assert verdict(field, sender="ann@sub.example.org") is NONE
    partly = "DKIM-Signature: v=1; d=example.org; l=20"
    agreed = f"Authentication-Results: {OURS}; dmarc=pass header.from=sub.example.org"
    assert verdict(agreed, partly, sender="ann@sub.example.org") is NONE
