"""A mail as somebody gets it, as text: headers, parts, text and HTML."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from typing import TYPE_CHECKING, Final, cast

from pbem.wiring.correspondent import REMEMBERING
from tests.kept.html import Styles, normal
from tests.kept.masks import Masks

if TYPE_CHECKING:
    from tests.kept.adapter import Sent

_UNSEEN: Final = frozenset(
    ["date", "message-id", "mime-version", "content-type", "content-transfer-encoding"]
)


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that came of a script: its first line, its lines, and the HTML of a mail.

    `ident` is the Message-ID of a mail, `lang` the language of its HTML.
    """

    first: str
    lines: tuple[str, ...]
    html: tuple[str, ...] = ()
    ident: str = ""
    lang: str = ""

    @property
    def digest(self) -> str:
        """What stands for the HTML where it is not written out."""
        return hashlib.sha256("\n".join(self.html).encode()).hexdigest()[:12]

    def text(self, *, full: bool) -> str:
        """As it is kept."""
        written = [self.first, *self.lines]
        if self.html:
            written += [f"--- html {self.digest}", *self.html] if full else [f"--- {self.brief}"]
        return "\n".join([*written, "", ""])

    @property
    def brief(self) -> str:
        """The line of a mail whose HTML is not written out."""
        return f"html as in html.xz: {self.digest}"


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail that went out, as a mail program has it."""

    sent: Sent
    message: EmailMessage
    subject: str
    ident: str

    @classmethod
    def of(cls, sent: Sent) -> Mail:
        message = cast("EmailMessage", message_from_bytes(sent.raw, policy=REMEMBERING))
        return cls(sent, message, str(message["Subject"]), str(message["Message-ID"]).strip())

    @property
    def text(self) -> str:
        body = self.message.get_body(("plain",))
        return _content(body) if body is not None else ""

    @property
    def quoted(self) -> str:
        return "\n".join(f"> {line}".rstrip() for line in self.text.splitlines())


def read(mail: Mail, masks: Masks, styles: Styles) -> Entry:
    """A mail in words."""
    sent, message = mail.sent, mail.message
    masks.see(mail.subject)
    at = f"{sent.at:%Y-%m-%d %H:%M}"
    masks.mails[mail.ident] = f"<{at} to {sent.recipient}>"
    lines = [f"Envelope: {masks(sent.mail_from)}"]
    for name, value in message.items():
        if name.lower() not in _UNSEEN:
            shown = " ".join(str(value).split())
            if name.lower() in ("references", "in-reply-to"):
                shown = masks.of_mails(shown)
            lines.append(f"{name}: {masks(shown)}")
    html: list[str] = []
    lang = ""
    for part in message.walk():
        if part.is_multipart():
            lines.append(f"Part: {part.get_content_type()}")
            continue
        lines.append(f"Part: {masks(_part(part))}")
        if part.get_content_type() == "text/html" and not part.get_filename():
            html = normal(masks(_content(part)), styles)
            lang = _content(part).partition('<html lang="')[2][:2]
        elif part.get_content_maintype() == "text":
            lines.append("--- text")
            lines += masks(_content(part)).rstrip("\n").split("\n")
            lines.append("---")
    first = f"=== {at} to {sent.recipient}"
    return Entry(first, tuple(lines), tuple(html), ident=mail.ident, lang=lang)


def _content(part: EmailMessage | MIMEPart) -> str:
    return cast("str", part.get_content()).replace("\r\n", "\n")


def _part(part: EmailMessage) -> str:
    """Its type, whether it is shown or attached, and its name."""
    shown = [part.get_content_type(), part.get_content_disposition() or "", part.get_filename("")]
    shown += [f"{key}={value}" for key, value in part["Content-Type"].params.items()
              if key in ("format", "delsp", "charset", "method")]  # fmt: skip
    shown += ["with an id"] if part["Content-ID"] else []
    return " ".join(filter(None, shown))
