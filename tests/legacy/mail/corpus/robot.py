"""What an automatic mail of the corpus is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.legacy.mail.corpus.wire import encoded

OURS: Final = "games+k7qx2.1.aahscv3ifp64ef5laf@pbem.example"
SUBJECT: Final = "[Logger K7QX2] Ann - Bob"
IDENT: Final = "<a2b3c4d5e6f7a2b3c4d5.klmnopqrstu@pbem.example>"


@dataclass(frozen=True, slots=True)
class Robot:
    """One automatic mail: the system, its raw bytes, and whether it reports a failed delivery."""

    system: str
    raw: bytes
    bounce: bool = False


def robot_mail(
    subject: str,
    body: str,
    *fields: str,
    writer: str = "Ann <ann@example.org>",
    path: str | None = "ann@example.org",
) -> bytes:
    """A mail in UTF-8 whose subject is encoded where it must be; `path` None: no Return-Path."""
    head = [] if path is None else [f"Return-Path: <{path}>"]
    head += [
        "Received: from mx.example.org by mail.pbem.example; Sat, 21 Nov 2026 15:05:09 +0100",
        f"From: {writer}",
        f"To: <{OURS}>",
        f"Subject: {encoded(subject)}",
        "Date: Sat, 21 Nov 2026 15:05:08 +0100",
        "Message-ID: <4c1f2e06@mx.example.org>",
        "MIME-Version: 1.0",
        *fields,
    ]
    if not any(field.lower().startswith("content-type") for field in fields):
        head += ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
    text = "\r\n".join([*head, "", body.replace("\n", "\r\n"), ""])
    return text.encode()
