"""Letters that mail programs write where somebody presses unsubscribe (RFC 2369 3.2)."""

from __future__ import annotations

from typing import Final

from pbem.mail.headers import Headers

ADDRESS_QUERY: Final = "subject=unsubscribe&body=unsubscribe"
"""What follows our address in List-Unsubscribe. Gmail and Apple keep the subject and write a body
of their own; others keep both, or leave both out of what they show and write the words."""

STOPS: Final = ("everything", "receipts", "reminders", "chat", "news", "digest")
"""The kinds of mail that a page stops with one button (RFC 8058), by their numbers in its token."""

WORD: Final = "unsubscribe"
"""What stops everything without a word in answer."""


def order_that_stops(kind: str) -> str:
    """What somebody writes who wants no mail of a kind."""
    return WORD if kind == "everything" else f"stop {kind}"


def unsubscribes(headers: Headers, subject: str) -> bool:
    """Whether a letter is nothing but that request.

    Apple Mail marks it, also as automatic, and has left out the subject at times; elsewhere the
    subject is the word.
    """
    if headers.first("x-apple-unsubscribe").strip().casefold() == "true":
        return True
    return subject.strip(" .!").casefold() == "unsubscribe"
