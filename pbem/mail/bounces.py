"""Bounces: reports of mail servers about emails of ours that did not arrive.

Most reports have a part `message/delivery-status` with machine-readable fields (RFC 3464); other
reports explain the failure only in words.

The service counts the bounces of each player, and stops its emails to a player after several
(`pbem.service.delivery`). It counts a bounce only if it is permanent and concerns the mailbox. A
refusal because of content or policy concerns only one email. If such refusals counted, a player
could make an opponent unreachable with a message that looks like spam.

A report can be forged. The caller therefore first identifies the bounced email by the envelope
sender, which only we can make (`pbem.mail.addresses`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from typing import Final

from pbem.mail.mime import parse, read_texts

MAX_EXPLANATION: Final = 4_000  # characters of the text of a bounce report that are read
MAX_FIELD: Final = 1_000  # characters of a field of a bounce report that are read

_FAILED: Final = frozenset({"failed", "expired"})  # values of Action; RFC 3464 has only `failed`
_VAGUE: Final = "5.0.0"  # unspecified (RFC 3463 section 3.1); the server's reply may be more exact

_STATUS: Final = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
_REPLIED: Final = re.compile(r"(?<![\d.])5\d\d[ -]#?(5\.\d{1,3}\.\d{1,3})(?![\d.])")
_DATA_RECEIVED: Final = re.compile(  # how Postfix, Exim and qmail say that the server had the data
    r"\bin reply to (?:end of )?DATA\b|\bafter (?:pipelined )?(?:sending |end of )?data\b"
    r"|\bfailed after I sent the message\b",
    re.IGNORECASE,
)
_CONTENT_STATUS: Final = re.compile(r"5\.(?:[67]\.\d|3\.4|2\.3)")
_MAILBOX_STATUS: Final = re.compile(r"5\.[12]\.\d")
_ORIGINAL: Final = re.compile(
    r"^\W{0,20}(?:original (?:mail|message)|returned message|unsent message|message header"
    r"|(?:the|a) (?:header|copy) of|this is a copy|below this line|Received:)",
    re.IGNORECASE | re.MULTILINE,
)
_PERMANENT: Final = re.compile(
    r"(?<![\d.])5\d\d[ -](?=[#\w<])|(?<![\d.])5\.[0-7]\.\d{1,3}(?![\d.])"
    r"|\b(?:unknown|no such|invalid|not a known) (?:user|recipient|mailbox|address)\b"
    r"|\b(?:user|recipient|mailbox|account)(?: name)?(?: is)?(?: ?not)?"
    r" (?:unknown|not listed|not found|not recognized|recognized|disabled|full)\b"
    r"|\bmailbox is full\b|\bexceeded the local limit\b|\bpermanent (?:error|failure)\b"
    r"|\bwas rejected by\b|\bhost (?:is )?unknown\b|\bdoes(?: not|n't) exist\b|\bover quota\b"
    r"|\bFinal delivery userid\b|宛先不明|存在しません|見つかりません|一杯のため",
    re.IGNORECASE,
)
_DELAYED: Final = re.compile(
    r"\b(?:still being retried|will (?:be retried|keep trying|try again)|delayed"
    r"|not yet been delivered|do not need to resend)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DeliveryStatus:
    """The result of delivering one email, as a bounce report states it.

    `is_permanent` is True if the server will not try again. `status` is a code such as `5.1.1` (RFC
    3463); empty if the report has none. `diagnostic` is the error text in the report.
    """

    is_permanent: bool
    status: str
    diagnostic: str


def is_mailbox_refusal(status: str, diagnostic: str) -> bool:
    """Return whether a permanent refusal concerns the mailbox, and not only one email.

    A refusal with a code about content or policy (5.6, 5.7) or about size (5.2.3, 5.3.4) concerns
    one email. A refusal with any other code about the address or the mailbox (5.1, 5.2) concerns
    the mailbox. In all other cases `diagnostic` decides. If it says that the server had received
    the data of the email ("end of DATA"), the refusal concerns one email, otherwise the mailbox.

    Args:
        status: The status code of the refusal (RFC 3463); empty if it has none.
        diagnostic: The text of the refusal.
    """
    if _CONTENT_STATUS.match(status):
        return False
    return _DATA_RECEIVED.search(diagnostic) is None or _MAILBOX_STATUS.match(status) is not None


def find_status(text: str) -> str:
    """Return the first status code in a text, such as `5.1.1`; empty if there is none."""
    status = _STATUS.search(text)
    return status[0] if status is not None else ""


def read_delivery_status(raw: bytes) -> DeliveryStatus | None:
    """Return the delivery status in the bytes of a report, or None if no status can be read.

    If the report has several, return the first permanent failure. If there is no permanent failure,
    return the first status.
    """
    try:
        message = parse(raw)
        explanation = _read_explanation(message)
        statuses = [*_list_field_statuses(message, explanation)] or [
            *_list_explanation_statuses(explanation)
        ]
    except (Exception, RecursionError):  # noqa: BLE001 - the standard library raises many types
        return None
    return max(statuses, key=lambda status: status.is_permanent, default=None)


def _list_field_statuses(message: Message, explanation: str) -> Iterator[DeliveryStatus]:
    for part in message.walk():
        action = _read_field(part, "action").lower()
        if action not in _FAILED | {"delayed"}:
            continue
        status = find_status(_read_field(part, "status"))
        diagnostic = _read_field(part, "diagnostic-code")
        replied = _REPLIED.search(diagnostic) or (None if status else _REPLIED.search(explanation))
        if replied is not None and status in ("", _VAGUE):
            status = replied[1]
        is_permanent = action in _FAILED and status[:1] in ("", "5")
        yield DeliveryStatus(is_permanent, status, f"{diagnostic} {explanation}".strip())


def _list_explanation_statuses(explanation: str) -> Iterator[DeliveryStatus]:
    if _PERMANENT.search(explanation) is not None and _DELAYED.search(explanation) is None:
        replied = _REPLIED.search(explanation)
        status = replied[1] if replied is not None else find_status(explanation)
        yield DeliveryStatus(is_permanent=True, status=status, diagnostic=explanation)


def _read_explanation(message: Message) -> str:
    """Return the explanation in a bounce report as one line, without the copy of the email.

    Only the first MAX_EXPLANATION characters are read.
    """
    texts = read_texts(message)
    text = (texts.plain or texts.html or "")[:MAX_EXPLANATION]
    original = _ORIGINAL.search(text)
    return " ".join((text[: original.start()] if original is not None else text).split())


def _read_field(part: Message, name: str) -> str:
    return " ".join(str(part.get(name, ""))[:MAX_FIELD].split())
