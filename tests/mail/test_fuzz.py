"""MAIL 9: raw mails of any origin never crash the way from bytes to orders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.effort import clock, in_reference_seconds
from tests.fuzz.letters import one_input
from tests.mail.corpus.samples import read_samples

CORPUS = Path(__file__).parent.parent / "fuzz" / "corpus"
RAW = [sample.raw for sample in read_samples()]
BOUND = 5
"""Seconds for what takes milliseconds: far above the real time, far below a hang."""

names = st.sampled_from(
    ["From", "To", "Cc", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Sender",
     "Return-Path", "Delivered-To", "Auto-Submitted", "Content-Type", "Content-Disposition",
     "Content-Transfer-Encoding", "Authentication-Results", "DKIM-Signature", "X-Loop", ""]
)  # fmt: skip
charsets = st.sampled_from(
    ["utf-8", "us-ascii", "iso-8859-1", "windows-1252", "utf-16", "utf-7", "gb18030", "shift_jis",
     "iso-2022-jp", "iso-2022-kr", "hz", "idna", "punycode", "koi8-r", "big5", "none", "utf_8_sig",
     "raw_unicode_escape", "undefined", "rot13", "a\0b", "x" * 300, ""]
)  # fmt: skip
encodings = st.sampled_from(
    ["7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "binary", "bas\xe9", "base64 "]
)
values = st.one_of(
    st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=60),
    st.sampled_from(
        [b"=?utf-8?b?" + b"4" * 200 + b"?=", b"=?x?q?=FF=?=", b"ann@example.org", b"<>", b"(" * 99,
         b"a:b:c@d;;", b'"' * 41, b"<a@b> " * 30, b"\xff\x00\r\n x", b"auto-replied", b"<" * 200]
    ),
)  # fmt: skip
fields = st.tuples(names.map(str.encode), values).map(lambda one: one[0] + b": " + one[1] + b"\r\n")
pieces = st.sampled_from(
    [b"c1 plant c2\r\n", b"> quoted\r\n", b"On Sat, Nov 21, 2026 at 3:05 PM pbem wrote:\r\n",
     b"<blockquote>", b"</div>", b"<p>e2 plant e3</p>", b"-- \r\n", b"=3D=\r\n", b"=E2=80", b"\x00",
     b"resign yes\r\n", b"begin 644 x\r\n", b"-----BEGIN PGP SIGNED MESSAGE-----\r\n\r\n", b"&#x;",
     b"<style>", b"\xe2\x80\xae", b"____________\r\n", b"From: x\r\nSent: y\r\n", b"Y2hvcA==\r\n"]
)  # fmt: skip
bodies = st.one_of(
    st.binary(max_size=200),
    st.lists(pieces, max_size=12).map(b"".join),
    st.tuples(pieces, st.integers(1, 3000)).map(lambda one: one[0] * one[1]),
)


@st.composite
def leaves(draw: st.DrawFn) -> bytes:
    kind = draw(st.sampled_from(["plain", "html", "calendar", "enriched"]))
    main = draw(st.sampled_from(["text", "text", "text", "application", "image", "message"]))
    head = (
        f"Content-Type: {main}/{kind}; charset={draw(charsets)}; format=flowed; delsp=yes\r\n"
        f"Content-Transfer-Encoding: {draw(encodings)}\r\n"
    )
    return head.encode("latin-1") + b"\r\n" + draw(bodies)


def _joined(parts: list[bytes]) -> bytes:
    boundary = b"b%d" % (sum(map(len, parts)) % 997)
    inside = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts)
    return (
        b"Content-Type: multipart/mixed; boundary=" + boundary + b"\r\n\r\n" + inside
        + (b"--" + boundary + b"--\r\n" if len(inside) % 3 else b"")
    )  # fmt: skip


trees = st.recursive(
    leaves(), lambda inside: st.lists(inside, min_size=1, max_size=4).map(_joined), max_leaves=5
)
mails = st.tuples(st.lists(fields, max_size=12).map(b"".join), trees).map(b"".join)

EXAMPLES = int(os.environ.get("PBEM_FUZZ_EXAMPLES", "60"))
quick = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def in_time(raw: bytes) -> None:
    begun = clock()
    one_input(raw)
    assert in_reference_seconds(clock() - begun) < BOUND


@settings(quick, max_examples=EXAMPLES // 2)
@given(mails)
def test_any_mail_is_read_or_refused(raw: bytes) -> None:
    in_time(raw)


@quick
@given(
    st.sampled_from(RAW),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 60), st.one_of(pieces, values)), max_size=6),
)
def test_any_damage_to_a_reply_is_read_or_refused(
    raw: bytes, damage: list[tuple[float, int, bytes]]
) -> None:
    for where, removed, inserted in damage:
        at = int(where * len(raw))
        raw = raw[:at] + inserted + raw[at + removed :]
    in_time(raw)


@quick
@given(st.sampled_from(RAW), st.floats(0, 1))
def test_any_reply_that_was_cut_off_is_read_or_refused(raw: bytes, where: float) -> None:
    in_time(raw[: int(where * len(raw))])


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_was_found_once_stays_found(path: Path) -> None:
    in_time(path.read_bytes())
