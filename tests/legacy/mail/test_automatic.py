from __future__ import annotations

import pytest

from pbem.legacy.mail.letter import read_letter
from tests.legacy.mail.clients import NAME, SUBJECT

OUR_ADDRESSES = frozenset({"games@pbem.example"})


def reason(*fields: str) -> str | None:
    header = "".join(f"{field}\r\n" for field in fields)
    return read_letter(f"{header}\r\nx".encode(), own_addresses=OUR_ADDRESSES).automatic


ANN = "From: Ann <ann@example.org>"
RE = f"Subject: Re: {SUBJECT}"


@pytest.mark.parametrize(
    ("field", "sign"),
    [
        ("Auto-Submitted: auto-replied", "auto-submitted"),
        ("Auto-Submitted: auto-generated; x=y", "auto-submitted"),
        ("AUTO-SUBMITTED: Auto-Notified", "auto-submitted"),
        ("Return-Path: <>", "return-path"),
        ("Return-Path:<>", "return-path"),
        ("Precedence: bulk", "precedence"),
        ("Precedence: Junk", "precedence"),
        ("Precedence: list", "precedence"),
        ("Precedence: auto_reply", "precedence"),
        ("List-Id: Friends <friends.example.org>", "list-id"),
        ("X-Autoreply: yes", "x-autoreply"),
        ("X-Autorespond: x", "x-autorespond"),
        ("X-Failed-Recipients: ann@example.org", "x-failed-recipients"),
        ("X-PBEM: 1", "x-pbem"),
        ("Content-Type: multipart/report; boundary=x", "content-type"),
        ("Delivered-To: Autoresponder", "delivered-to"),
    ],
)
def test_a_header_tells_an_automatic_mail(field: str, sign: str) -> None:
    assert reason(field, ANN, RE) == sign


@pytest.mark.parametrize(
    "sender",
    [
        "MAILER-DAEMON@mx.example.org",
        "Mail Delivery System <mailer-daemon@example.org>",
        "no-reply@example.org",
        "noreply+x@example.org",
        "Robots, all of them <noreply@example.org>",
        "do-not-reply@example.org",
        "Logger K7QX2 <games@pbem.example>",
        "Games@PBEM.example",
    ],
)
def test_a_sender_tells_an_automatic_mail(sender: str) -> None:
    assert reason(f"From: {sender}", RE) == "from"


@pytest.mark.parametrize(
    "start",
    [
        "Automatic reply:", "Out of Office:", "Out of office AutoReply:", "OOO: away", "Auto: Re:",
        "Automatische Antwort:", "Abwesenheitsnotiz:", "Réponse automatique :",
        "Automatisch antwoord:",
        "Respuesta automática:", "Fuera de la oficina:", "Risposta automatica:",
        "Resposta automática:", "Autosvar:", "Automatiskt svar:",
        "Automaattinen vastaus:", "Odpowiedź automatyczna:",
        "Automatická odpověď:", "Automatikus válasz:", "Răspuns automat:", "Otomatik yanıt:",
        "Автоматический ответ:", "Автоответ:", "Αυτόματη απάντηση:", "自动回复:", "自動返信:",
        "자동 회신:", "AUTOMATIC REPLY:", "Undeliverable:",
        "Delivery Status Notification (Failure)",
        "Mail delivery failed: returning message to sender", "failure notice",
    ],
)  # fmt: skip
def test_a_subject_tells_an_automatic_mail(start: str) -> None:
    assert reason(ANN, f"Subject: {start} {SUBJECT}") == "subject"


@pytest.mark.parametrize(
    "fields",
    [
        (ANN, RE),
        (ANN, f"Subject: AW: {SUBJECT}"),
        (ANN, f"Subject: {SUBJECT}"),
        (ANN, "Subject: Re: Automatic reply: no, it is me"),
        (ANN, "Subject: Auto racing on Sunday"),
        (ANN, "Subject: I was out of office last week, sorry"),
        (ANN, "Subject: "),
        (ANN,),
        (ANN, RE, "Auto-Submitted: no"),
        (ANN, RE, "Auto-Submitted: No; x"),
        (ANN, RE, "Return-Path: <ann@example.org>"),
        (ANN, RE, "Precedence: first-class"),
        (ANN, RE, "Precedence: normal"),
        (ANN, RE, "X-Auto-Response-Suppress: All"),  # MAIL 4: no sign on an incoming mail
        (ANN, RE, "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply"),
        (ANN, RE, "List-Unsubscribe-Not: x"),
        (ANN, RE, "Content-Type: multipart/mixed; boundary=report"),
        (f"From: {NAME} fan <daemon@example.org>", RE),
        ("From: Noreen Ply <noreen.ply@example.org>", RE),
        ("From: bouncer@example.org", RE),
        ("From: postmaster@example.org", RE),
    ],
)
def test_a_persons_mail_is_no_automatic_one(fields: tuple[str, ...]) -> None:
    assert reason(*fields) is None


@pytest.mark.parametrize(
    ("fields", "bounce"),
    [
        (("From: MAILER-DAEMON@example.org",), True),
        (("From: postmaster@example.org", "Return-Path: <>"), True),
        ((ANN, "Content-Type: multipart/report; report-type=delivery-status; boundary=x"), True),
        ((ANN, "X-Failed-Recipients: x@y"), True),
        ((ANN, "Content-Type: multipart/report; report-type=disposition-notification"), False),
        ((ANN, "Return-Path: <>"), False),
        ((ANN, RE), False),
    ],
)
def test_a_bounce_is_told_from_other_automatic_mail(
    fields: tuple[str, ...],
    bounce: bool,  # noqa: FBT001 - a table's column
) -> None:
    header = "".join(f"{field}\r\n" for field in fields)
    assert read_letter(f"{header}\r\nx".encode()).is_bounce is bounce


@pytest.mark.parametrize(("hops", "sign"), [(50, None), (51, "received")])
def test_a_mail_that_went_through_too_many_servers_goes_in_a_circle(
    hops: int, sign: str | None
) -> None:
    # RFC 5321 6.3
    assert reason(ANN, RE, *["Received: from a.example by b.example"] * hops) == sign
