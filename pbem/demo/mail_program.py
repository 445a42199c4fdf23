"""A mail program that reads the service's emails, and quotes them in replies as Gmail does."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from typing import Final

_MATCH: Final = re.compile(r"match=(\w+)", re.IGNORECASE)
_POLICY: Final = policy.SMTP.clone(max_line_length=998)  # Gmail does not fold long headers


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceivedEmail:
    """An email of the service as its reader sees it.

    `kind`, such as `turn`, and `match`, the code of the match, come from headers of the service.
    Each is empty if there is no such header. `attachments` are the contents of files by name.
    """

    recipient: str
    sender: str
    reply_to: str
    subject: str
    date: str
    message_id: str
    references: str
    kind: str
    match: str
    text: str
    html: str = field(repr=False)
    attachments: dict[str, bytes] = field(repr=False)


def read_email(recipient: str, data: bytes) -> ReceivedEmail:
    """Return the email that `recipient` received as these bytes."""
    message = message_from_bytes(data, policy=policy.default)
    plain, page = message.get_body(("plain",)), message.get_body(("html",))
    parsed = _MATCH.search(str(message["X-PBEM"] or ""))
    return ReceivedEmail(
        recipient=recipient,
        sender=str(message["From"]),
        reply_to=parseaddr(str(message["Reply-To"] or message["From"]))[1],
        subject=str(message["Subject"]),
        date=str(message["Date"]),
        message_id=str(message["Message-ID"]),
        references=str(message["References"] or ""),
        kind=str(message["X-PBEM-Kind"] or ""),
        match=parsed[1].upper() if parsed else "",
        text=str(plain.get_content()) if plain is not None else "",
        html=str(page.get_content()) if page is not None else "",
        attachments={
            part.get_filename("file"): part.get_payload(decode=True) or b""  # type: ignore[misc]
            for part in message.iter_attachments()
        },
    )


def write_email(
    text: str,
    original: ReceivedEmail | None,
    *,
    sender: str,
    recipient: str,
    at: datetime,
    message_id: str,
) -> bytes:
    """Return the bytes of an email in Gmail's format that a player sends.

    `original` is the email that it answers, or None.
    """
    message = EmailMessage(policy=_POLICY)
    message["From"] = sender
    message["To"] = recipient
    message["Date"] = format_datetime(at)
    message["Message-ID"] = message_id
    if original is None:
        message["Subject"] = "Hello"
        message.set_content(f"{text}\n")
        return message.as_bytes()
    message["Subject"] = f"Re: {original.subject.removeprefix('Re: ')}"
    message["In-Reply-To"] = original.message_id
    message["References"] = f"{original.references} {original.message_id}".strip()
    message.set_content(_quote_text(text, original), cte="quoted-printable")
    page = _quote_html(text, original)
    message.add_alternative(page, subtype="html", cte="quoted-printable")
    return message.as_bytes()


def _quote_text(text: str, original: ReceivedEmail) -> str:
    """Return the text part of a reply, with the original email quoted below as Gmail does.

    The line that names the author of the original is wrapped, as Gmail does if it is long.
    """
    name, address = parseaddr(original.sender)
    quoted = "\n".join(f"> {line}".rstrip() for line in original.text.splitlines())
    return f"{text}\n\nOn {original.date} {name} <{address}>\nwrote:\n\n{quoted}\n"


def _quote_html(text: str, original: ReceivedEmail) -> str:
    name, address = map(html.escape, parseaddr(original.sender))
    lines = "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.splitlines())
    return (
        f'<div dir="ltr">{lines}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">On {original.date} {name} &lt;'
        f'<a href="mailto:{address}">{address}</a>&gt; wrote:<br></div>'
        f'<blockquote class="gmail_quote">{original.html}</blockquote></div>'
    )
