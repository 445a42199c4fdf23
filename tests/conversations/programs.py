"""Emails as mail programs write them: how each of them quotes, attributes and encodes a reply."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from typing import Final
from urllib.parse import unquote, urlsplit

_LINK: Final = re.compile(r'href="(mailto:[^"]+)"')
_MAILTO: Final = re.compile(r"<(mailto:[^>]+)>")
_PAGE: Final = re.compile(r"<(https:[^>]+)>")
_PLY: Final = re.compile(r"^#[\d.]+ ")
_MATCH: Final = re.compile(r"match=([A-Za-z0-9]+)")


@dataclass(frozen=True, slots=True)
class Received:
    """An email of the service, as a mail program shows it to the person who got it."""

    recipient: str
    kind: str
    match: str
    sender: str
    reply_to: str
    subject: str
    date: str
    message_id: str
    references: str
    return_path: str
    unsubscribe: str
    unsubscribe_page: str
    text: str
    html: str
    attachments: dict[str, bytes]
    headers: str

    @classmethod
    def parse(cls, recipient: str, data: bytes) -> Received:
        """Parse an email with the standard library's full parser."""
        message = message_from_bytes(data, policy=policy.default)
        plain, page = message.get_body(("plain",)), message.get_body(("html",))
        found = _MATCH.search(str(message["X-PBEM"] or ""))
        return cls(
            recipient=recipient,
            kind=str(message["X-PBEM-Kind"] or ""),
            match=found[1].upper() if found else "",
            sender=str(message["From"]),
            reply_to=str(message["Reply-To"] or message["From"]),
            subject=str(message["Subject"]),
            date=str(message["Date"]),
            message_id=str(message["Message-ID"]),
            references=str(message["References"] or ""),
            return_path=str(message["Return-Path"] or "").strip("<>"),
            unsubscribe=(*_MAILTO.findall(str(message["List-Unsubscribe"])), "")[0],
            unsubscribe_page=(*_PAGE.findall(str(message["List-Unsubscribe"])), "")[0],
            text=plain.get_content() if plain is not None else "",
            html=page.get_content() if page is not None else "",
            attachments={
                part.get_filename("?"): part.get_payload(decode=True) or b""  # type: ignore[misc]
                for part in message.iter_attachments()
            },
            headers=data.partition(b"\r\n\r\n")[0].decode("ascii", "replace"),
        )

    @property
    def taps(self) -> dict[str, str]:
        """The mailto links of the HTML part, by the text that each one sends without its ply."""
        return list_taps(self.html)


def list_taps(page: str) -> dict[str, str]:
    """Return the mailto links of an HTML text, by the text that each one sends without its ply."""
    links = (html.unescape(link) for link in _LINK.findall(page))
    return {_PLY.sub("", read_tap(link)[2]): link for link in links}


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """What somebody is about to send; `original` is the email that they answer."""

    sender: str
    to: str
    subject: str
    text: str
    at: datetime
    message_id: str
    original: Received | None = None
    cc: str = ""
    headers: tuple[tuple[str, str], ...] = ()


def write(draft: Draft, program: str = "plain", place: str = "above", line: str = "") -> bytes:
    """Return the bytes of an email as a mail program sends them.

    Args:
        draft: The words and the headers.
        program: One of PROGRAMS.
        place: Whether the words are `above` the quote, `below` it, or `inside` it.
        line: For `inside`, the quoted line below which the words are.
    """
    original = draft.original
    message = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
    message["From"], message["To"] = draft.sender, draft.to
    if draft.cc:
        message["Cc"] = draft.cc
    message["Subject"] = draft.subject
    message["Date"] = format_datetime(draft.at)
    message["Message-ID"] = draft.message_id
    if original is not None:
        message["In-Reply-To"] = original.message_id
        message["References"] = f"{original.references} {original.message_id}".strip()
    _fill(message, draft, program, place, line)
    for name, value in draft.headers:
        message[name] = value
    return message.as_bytes()


def _fill(message: EmailMessage, draft: Draft, program: str, place: str, line: str) -> None:
    original = draft.original
    if original is None or program == "tap":
        message.set_content(draft.text)
        return
    text, page = PROGRAMS[program](original, draft.text)
    if place != "above":
        quoted = [f"> {one}".rstrip() for one in original.text.splitlines()]
        at = len(quoted)
        if place == "inside":
            at = next(n for n, one in enumerate(quoted) if line in one) + 1
        first = f"On {original.date}, {original.sender} wrote:"
        text = "\n".join([first, *quoted[:at], "", draft.text, "", *quoted[at:]])
        page = ""
    if text:
        message.set_content(text, cte="quoted-printable")
    if text and page:
        message.add_alternative(page, subtype="html", cte="quoted-printable")
    elif page:
        message.set_content(page, subtype="html", cte="quoted-printable")


def _prefixed(original: Received) -> str:
    return "\n".join(f"> {line}".rstrip() for line in original.text.splitlines())


def _divs(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.splitlines())


def _plain(original: Received, text: str) -> tuple[str, str]:
    """Thunderbird, K-9 and mutt: plain text, one attribution line, `>` before each line."""
    return f"{text}\n\nOn {original.date}, {original.sender} wrote:\n{_prefixed(original)}\n", ""


def _gmail(original: Received, text: str) -> tuple[str, str]:
    """Gmail wraps the attribution in two lines and sends an HTML part as well."""
    name, address = parseaddr(original.sender)
    words = f"{text}\n\nOn {original.date} {name} <{address}>\nwrote:\n\n{_prefixed(original)}\n"
    page = (
        f'<div dir="ltr">{_divs(text)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">On {original.date} {html.escape(name)} &lt;'
        f'<a href="mailto:{address}">{address}</a>&gt; wrote:<br></div>'
        f'<blockquote class="gmail_quote">{original.html}</blockquote></div>'
    )
    return words, page


def _outlook(original: Received, text: str) -> tuple[str, str]:
    """Outlook quotes without any prefix, below a block of headers."""
    head = (
        f"From: {original.sender}\nSent: {original.date}\nTo: {original.recipient}\n"
        f"Subject: {original.subject}"
    )
    words = f"{text}\n\n________________________________\n{head}\n\n{original.text}"
    page = (
        f"<html><body>{_divs(text)}<hr><div id='divRplyFwdMsg' dir='ltr'>"
        f"{_divs(head)}</div>{original.html}</body></html>"
    )
    return words, page


def _apple(original: Received, text: str) -> tuple[str, str]:
    """Apple Mail on a phone adds a signature and quotes the attribution line too."""
    quote = f"> On {original.date}, {original.sender} wrote:\n> \n{_prefixed(original)}"
    return f"{text}\n\nSent from my iPhone\n\n{quote}\n", ""


def _yahoo(original: Received, text: str) -> tuple[str, str]:
    """Yahoo indents the quote by spaces in the text part, and sends an HTML part as well."""
    head = f"On {original.date}, {original.sender} wrote:"
    quoted = "\n".join(f" {line}" for line in original.text.splitlines())
    page = (
        f'<div class="ydp1yahoo-style-wrap">{_divs(text)}</div>'
        f'<div id="ydp2yahoo_quoted" class="yahoo_quoted"><div>{html.escape(head)}</div>'
        f"<div>{original.html}</div></div>"
    )
    return f" {text}\n\n    {head}\n\n {quoted}\n", page


def _gmx(original: Received, text: str) -> tuple[str, str]:
    """GMX and web.de send nothing but HTML, with the headers of the quoted email in German."""
    head = (
        f"<b>Gesendet:</b> {original.date}<br><b>Von:</b> {html.escape(original.sender)}<br>"
        f"<b>An:</b> {original.recipient}<br><b>Betreff:</b> {html.escape(original.subject)}"
    )
    page = (
        f"<html><body><div style='font-family: Verdana'>{_divs(text)}"
        f"<div name='quote' style='margin: 10px 5px 5px 10px'><div>{head}</div>"
        f"<div name='quoted-content'>{original.html}</div></div></div></body></html>"
    )
    return "", page


def _foxmail(original: Received, text: str) -> tuple[str, str]:
    """Foxmail quotes without any prefix, below headers in Chinese that have no address of ours."""
    head = (
        f"发件人： {parseaddr(original.sender)[0]}\n发送时间： {original.date}\n"
        f"收件人： {original.recipient}\n主题： {original.subject}"
    )
    return f"{text}\n\n{head}\n{original.text}", ""


PROGRAMS: Final = {
    "plain": _plain,
    "gmail": _gmail,
    "outlook": _outlook,
    "apple": _apple,
    "yahoo": _yahoo,
    "gmx": _gmx,
    "foxmail": _foxmail,
}


def bounce(original: Received, at: datetime, message_id: str, status: str = "5.1.1") -> bytes:
    """Return the delivery status notification (RFC 3464) with which an email comes back."""
    return (
        "From: Mail Delivery System <mailer-daemon@mx.example.net>\r\n"
        f"To: {original.return_path}\r\n"
        f"Subject: Undelivered Mail Returned to Sender\r\nDate: {format_datetime(at)}\r\n"
        f"Message-ID: {message_id}\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        f"Delivered-To: {original.return_path}\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nYour message could not be delivered.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.net\r\n\r\n"
        f"Final-Recipient: rfc822; {original.recipient}\r\nAction: failed\r\nStatus: {status}\r\n"
        f"Diagnostic-Code: smtp; 550 {status} no such user\r\n\r\n"
        "--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: {original.message_id}\r\n\r\n--b--\r\n"
    ).encode()


def read_tap(link: str) -> tuple[str, str, str]:
    """Return recipient, subject and body of a mailto link (RFC 6068; `+` is no space there)."""
    parts = urlsplit(link)
    pairs = (part.partition("=") for part in parts.query.split("&"))
    fields = {name: unquote(value) for name, _, value in pairs}
    return unquote(parts.path), fields.get("subject", ""), fields.get("body", "")
