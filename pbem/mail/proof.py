"""How surely a letter is its player's: the degrees of proof (MAIL 3)."""

from __future__ import annotations

from enum import StrEnum


class Proof(StrEnum):
    """How surely a letter is its player's.

    name: From alone, or somebody unknown. doubt: a carrier of ours with another From, or with a
    verdict of fail. old mail: only the Message-ID of a mail that is too old. old address: an
    address that others have seen; retired address: one that they have seen long ago. newcomer:
    token and From, but the address has never consented to anything. mail: the Message-ID of a mail
    of ours, and From. token: a reply address or a token line, and From, or a verdict of pass.
    question: the answer to a one-time question, at the address that was made for it alone.
    """

    NAME = "name"
    DOUBT = "doubt"
    OLD_MAIL = "old mail"
    OLD_ADDRESS = "old address"
    RETIRED_ADDRESS = "retired address"
    NEWCOMER = "newcomer"
    MAIL = "mail"
    TOKEN = "token"  # noqa: S105 - a degree of proof, no password
    QUESTION = "question"
