from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.free_text import typed_subject
from tests.effort import clock, in_reference_seconds

OURS = "[Logger K7QX2] Ann - Bob"


@pytest.mark.parametrize(
    "subject",
    [
        OURS,
        f"Re: {OURS}",
        f"RE: {OURS}",
        f"AW: {OURS}",
        f"Aw: Re: {OURS}",
        f"SV: SV: {OURS}",
        f"R: {OURS}",
        f"RES: {OURS}",
        f"ODP: {OURS}",
        f"VS: {OURS}",
        f"YNT: {OURS}",
        f"ΑΠ: {OURS}",
        f"Ответ: {OURS}",
        f"Re[2]: {OURS}",
        f"Re(3): {OURS}",
        f"Re^2: {OURS}",
        f"RE : {OURS}",
        f"回复：{OURS}",
        f"答复: {OURS}",
        f"Fwd: {OURS}",
        f"RE: [EXTERNAL] {OURS}",
        f"RE: [EXT] {OURS}",
        f"***SPAM*** Re: {OURS}",
        f"re: {OURS.lower()}",
        f"Re:  {OURS.replace(' ', '  ')}",
        "Re: [Logger K7QX2]",
        "Re: [Logger K7QX2] Ann",
        "Re: ",
        "",
    ],
)
def test_our_own_subject_holds_nothing_typed(subject: str) -> None:
    assert typed_subject(subject, OURS) is None


@pytest.mark.parametrize(
    ("subject", "typed"),
    [
        ("e2 plant e3", "e2 plant e3"),
        ("Re: e2 plant e3", "e2 plant e3"),
        ("RE: E2 – plant\u00a0e3", "E2 - plant e3"),
        (f"Re: {OURS} e2 plant e3", "e2 plant e3"),
        (f"e2 plant e3 Re: {OURS}", "e2 plant e3 Re:"),
        ("Re: [Logger K7QX2] e2 plant e3", "e2 plant e3"),
        ("resign yes", "resign yes"),
        ("say: hello", "say: hello"),
        ("invitations off", "invitations off"),
    ],
)
def test_a_changed_subject_is_what_was_typed(subject: str, typed: str) -> None:
    assert typed_subject(subject, OURS) == typed


@pytest.mark.parametrize("subject", ["Re:" * 500_000, "[" * 1_000_000, "\u200b" * 1_000_000])
def test_subjects_are_read_in_time(subject: str) -> None:
    begun = clock()
    typed_subject(subject, OURS)
    assert in_reference_seconds(clock() - begun) < 5


@given(st.text(), st.text())
def test_any_subject_is_read(subject: str, sent: str) -> None:
    typed = typed_subject(subject, sent)
    assert typed is None or typed == typed.strip() != ""
