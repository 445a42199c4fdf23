from __future__ import annotations

import pytest

from pbem.mail.inbound import parse_inbound

ANN = "From: Ann <ann@example.org>"
RE = "Subject: Re: [Logger K7QX2] your turn"


def sign(*fields: str) -> str | None:
    raw = "".join(f"{field}\r\n" for field in fields) + "\r\nx"
    inbound = parse_inbound(raw.encode(), own_address="Games@pbem.example", authserv_id="")
    return inbound.automatic_reason


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("Auto-Submitted: auto-replied", "auto-reply"),
        ("AUTO-SUBMITTED: Auto-Notified; x=y", "auto-reply"),
        ("Return-Path: <>", "auto-reply"),
        ("Return-Path: < >", "auto-reply"),
        ("Return-Path:", "auto-reply"),
        ("Precedence: Junk", "list"),
        ("Precedence: auto_reply", "auto-reply"),
        ("List-Id: Friends <friends.example.org>", "list"),
        ("X-Autoreply: yes", "auto-reply"),
        ("X-Failed-Recipients: ann@example.org", "bounce"),
        ("X-PBEM: match=K7QX2", "own"),
        ("Content-Type: multipart/report; report-type=delivery-status; boundary=x", "bounce"),
        ("Content-Type: multipart/report; report-type=feedback-report; boundary=x", "complaint"),
        ("Delivered-To: Autoresponder", "auto-reply"),
        ("\r\n".join(["Received: by x"] * 51), "loop"),
        ("\r\n".join(["Received: by x"] * 50), None),
        ("Auto-Submitted: No; x", None),
        ("Return-Path: <ann@example.org>", None),
        ("Precedence: normal", None),
        ("X-Auto-Response-Suppress: All", None),
    ],
)
def test_a_field_tells_an_automatic_email(field: str, expected: str | None) -> None:
    assert sign(field, ANN, RE) == expected


@pytest.mark.parametrize(
    ("sender", "expected"),
    [
        ("Mail Delivery System <MAILER-DAEMON@mx.example.org>", "bounce"),
        ("noreply+x@example.org", "auto-reply"),
        ("do-not-reply@example.org", "auto-reply"),
        ("Games@PBEM.example", "own"),
        ("Logger K7QX2 <games+k7qx2.1.aa@pbem.example>", "own"),
        ("Noreen Ply <noreen.ply@example.org>", None),
        ("bouncer@example.org", None),
        ("postmaster@example.org", None),
    ],
)
def test_a_sender_tells_an_automatic_email(sender: str, expected: str | None) -> None:
    assert sign(f"From: {sender}", RE) == expected


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("AUTOMATIC REPLY: your turn", "auto-reply"),
        ("Abwesenheitsnotiz: Ihr Zug", "auto-reply"),
        ("Réponse automatique : x", "auto-reply"),
        ("Undeliverable: your turn", "bounce"),
        ("Mail delivery failed: returning message to sender", "bounce"),
        ("Re: Automatic reply: no, it is me", None),
        ("Auto racing on Sunday", None),
        ("I was out of office last week, sorry", None),
        ("", None),
    ],
)
def test_a_subject_tells_an_automatic_email(subject: str, expected: str | None) -> None:
    assert sign(ANN, f"Subject: {subject}") == expected
