"""One mail on one SMTP connection: what is asked of the server, and what comes of it for whom."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pbem.legacy.transport import Cause, Envelope, Result, ResultKind
from pbem.legacy.transport.smtp_wire import CLOSING, Broken, Line, Reply, on_the_wire

START_INPUT: Final = 354
BAD_SEQUENCE: Final = 503
CONGESTED: Final = "5.4.5"
"""RFC 3463 3.5: nothing about the mail; a provider says so of how much it lets us send in a day."""

_KINDS: Final[Mapping[int, ResultKind]] = {2: "sent", 5: "permanent"}
_ADDRESS = re.compile(r"[^\x00-\x20\x7f<>]*")


class _Leaving(Exception):  # noqa: N818 - what the server does
    """The server has said 421: nothing more is answered on this connection."""


def verdict(reply: Reply) -> Result:
    """2xx is sent, 5xx is permanent, all else may pass."""
    kind = _KINDS.get(reply.code // 100, "transient")
    if kind == "permanent" and (
        # 503 speaks of the order of commands, and so never of a mail or a recipient.
        reply.code == BAD_SEQUENCE or reply.text.startswith(CONGESTED)
    ):
        kind = "transient"
    return Result(kind, reply.code, reply.text)


def _of_recipient(reply: Reply) -> Result:
    """RFC 3463 3.8: 5.7 says that we may not send so (relaying, our address); nobody is dead."""
    if reply.text.lstrip("#").startswith("5.7."):
        return Result("transient", reply.code, reply.text)
    return verdict(reply)


def _of_mail(reply: Reply) -> Result:
    """To DATA or to the mail itself: its recipients had been taken."""
    return replace(verdict(reply), after_data=True)


@dataclass(slots=True)
class Talk:
    """A mail on its way: `pipelined` where its commands go in one flight (RFC 2920).

    Its answers count together or not at all: where one is missing, or is none to its command, the
    others may belong to other commands as well.
    """

    line: Line
    envelope: Envelope
    pipelined: bool
    timeout: float
    data_timeout: float
    results: dict[str, Result] = field(default_factory=dict)
    replies: list[Reply] = field(default_factory=list)
    """To MAIL, each RCPT and DATA, as far as they were said."""
    handed_over: bool = False
    """Whether the server may have the mail, whatever becomes of the connection."""

    async def send(self) -> None:
        """Fill in the results; Broken if the connection ended before all was said."""
        options, wanting = mail_options(self.line.offers, self.envelope)
        if wanting:
            self._settle(self.envelope.rcpt_to, Result("permanent", None, wanting))
            return
        self.line.mails += 1
        recipients = list(dict.fromkeys(self.envelope.rcpt_to))
        try:
            await self._forget_the_last()
            await self._ask(options, recipients)
        except _Leaving:
            self._settle_left()
            return
        await self._judge(recipients)

    def settle_broken(self, error: Broken) -> None:
        """Say what is known of a mail whose talk ended too soon."""
        cause: Cause = "silence" if error.fault == "silent" else "answer"
        kind: ResultKind = "ambiguous" if self.handed_over else "transient"
        self._settle(self.envelope.rcpt_to, Result(kind, None, str(error), cause=cause))

    @property
    def is_heard(self) -> bool:
        """Whether the server has said anything about a recipient."""
        return len(self.replies) > 1

    def _settle(self, recipients: Sequence[str], result: Result) -> None:
        for recipient in recipients:
            self.results.setdefault(recipient, result)

    # --- before the mail -------------------------------------------------------------------------

    async def _forget_the_last(self) -> None:
        """RFC 5321 4.1.1.5: of a mail that came to nothing the server knows the sender still."""
        if self.line.amid_mail:
            await self._say(b"RSET")
            self._require(self.replies.pop().is_yes)
            self.line.amid_mail = False

    async def _ask(self, options: Sequence[bytes], recipients: Sequence[str]) -> None:
        """MAIL, RCPT and DATA: all at once, or each when the one before has been answered."""
        mail = b" ".join([b"MAIL", _path(b"FROM:", self.envelope.mail_from), *options])
        rcpts = [b"RCPT " + _path(b"TO:", recipient) for recipient in recipients]
        if self.pipelined:
            await self._say(mail, *rcpts, b"DATA")
            return
        await self._say(mail)
        if not self.replies[0].is_yes:
            return
        for rcpt in rcpts:
            await self._say(rcpt)
        if any(reply.is_yes for reply in self.replies[1:]):
            await self._say(b"DATA")

    async def _say(self, *commands: bytes) -> None:
        self.line.say(b"\r\n".join([*commands, b""]), len(commands))
        for _ in commands:
            reply = await self.line.reply(self.timeout)
            self.replies.append(reply)
            if reply.code == CLOSING:
                raise _Leaving

    def _settle_left(self) -> None:
        # Before a recipient is named 421 is about nothing but the connection.
        cause: Cause = "answer" if self.is_heard else "relay"
        reply = self.replies[-1]
        self._settle(
            self.envelope.rcpt_to, Result("transient", reply.code, reply.text, cause=cause)
        )

    # --- what the answers mean -------------------------------------------------------------------

    def _require(self, fits: bool) -> None:  # noqa: FBT001 - a condition
        if not fits:
            said = ", ".join(f"{reply.code} {reply.text}" for reply in self.replies[-3:])
            raise Broken(f"answers that do not fit their commands: {said}", "odd")

    async def _judge(self, recipients: Sequence[str]) -> None:
        mail, rcpts = self.replies[0], self.replies[1 : len(recipients) + 1]
        data = self.replies[-1] if len(self.replies) > len(recipients) + 1 else None
        self._require(all(reply.is_yes or reply.is_no for reply in (mail, *rcpts)))
        accepted = [to for to, reply in zip(recipients, rcpts, strict=False) if reply.is_yes]
        if mail.is_yes:
            self._require(not self.pipelined or all(each.code != BAD_SEQUENCE for each in rcpts))
        else:
            # A recipient of no mail: what would be sent then might reach somebody.
            self._require(not accepted)
            # No recipient was named yet: this is about us (a quota, our address, our login), and
            # nobody's address is dead for it.
            self._settle(recipients, Result("transient", mail.code, mail.text))
        self.line.amid_mail = mail.is_yes
        if data is not None:
            self._require(data.code == START_INPUT or data.is_no)
            self._require(not (accepted and self.pipelined and data.code == BAD_SEQUENCE))
        for recipient, reply in zip(recipients, rcpts, strict=False):
            if not reply.is_yes:
                self._settle([recipient], _of_recipient(reply))
        if data is not None and data.code == START_INPUT:
            await self._hand_over(accepted)
        elif data is not None:
            self._settle(accepted, _of_mail(data))

    async def _hand_over(self, accepted: Sequence[str]) -> None:
        if not accepted:
            # RFC 2920 3.1: it waits for a mail to nobody, and gets the lone dot.
            self.line.say(b".\r\n")
            await self.line.reply(self.timeout)
            self.line.amid_mail = False
            return
        self.line.say(on_the_wire(self.envelope.data))
        self.handed_over = True
        reply = await self.line.reply(self.data_timeout)
        self._require(reply.is_yes or reply.is_no)
        self._settle(accepted, _of_mail(reply))
        self.line.amid_mail = False


def _path(verb: bytes, address: str) -> bytes:
    return b"%s<%s>" % (verb, address.encode())


def mail_options(offers: frozenset[str], envelope: Envelope) -> tuple[list[bytes], str]:
    """The parameters of MAIL FROM, and what the server cannot do but would have to."""
    options = []
    addresses = [envelope.mail_from, *envelope.rcpt_to]
    if not all(_ADDRESS.fullmatch(address) for address in addresses):
        return [], "an address has characters that no address has"
    if "size" in offers:
        options.append(b"SIZE=%d" % len(envelope.data))
    if not envelope.data.isascii() and "8bitmime" in offers:
        options.append(b"BODY=8BITMIME")
    head = envelope.data.partition(b"\r\n\r\n")[0]
    if not all(address.isascii() for address in addresses):
        if "smtputf8" not in offers:
            # RFC 6531 3.2: such an address cannot be told to such a server.
            return [], "the server takes only ASCII addresses"
        options.append(b"SMTPUTF8")
    elif not head.isascii() and "smtputf8" in offers:
        options.append(b"SMTPUTF8")
    return options, ""
