"""What `pbem check` asks the mail servers, and their answers in words."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine, Iterator
from typing import Final

from pbem.cli.checks.finding import Finding
from pbem.config import Imap, Login, Settings, load_keys
from pbem.transport import LoginRefused, Probe, TransportError

# RFC 5321 4.2.1: a reply with 4 is of the moment; RFC 5530: so are these of IMAP.
_LATER: Final = re.compile(r": 4\d\d |\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG)\]", re.IGNORECASE)
_SENDER: Final = re.compile(
    r"sender|mail from|not owned|not (?:allowed|permitted|authorized) to send|send as",
    re.IGNORECASE,
)
_RECIPIENT: Final = re.compile(
    r"recipient|mailbox|user unknown|unknown user|no such|nobody|not exist|relay|: 55\d 5\.1\.",
    re.IGNORECASE,
)
_SENDER_ADVICE: Final = "It lets the account send only as itself: set site.plain_sender = true"
_TAG: Final = (
    "whether the server takes addresses with a tag: site.delimiter is its sign, site.catch_all is "
    "for a domain whose mails all come to one mailbox"
)
TAG_ADVICE: Final = (
    "but without its tag: answers are known by their In-Reply-To only; if the server has another "
    "delimiter, set site.delimiter"
)

FORGERY_ADVICE: Final = (
    "If it does so in mail from outside, too, anybody can write as any player: let the server "
    'remove the header from what comes in, or set site.authserv_id = "" (docs/operators.md, '
    '"Verdicts of your mail server")'
)


def imap(settings: Settings) -> Iterator[Finding]:
    """Log in and open the folder."""
    from pbem.transport.imap import ImapMailbox
    from pbem.wiring.service import server_of

    login = settings.imap
    if login.host and settings.maildir.incoming is None:
        mailbox = ImapMailbox(server_of(settings, "imap"), account="check", mailbox=login.mailbox)
        yield _probed("imap", login, mailbox.probe)


def smtp(settings: Settings) -> Iterator[Finding]:
    """Log in; nothing is sent."""
    from pbem.transport.smtp import SmtpSender
    from pbem.wiring.service import server_of

    login = settings.smtp
    if login.host and settings.maildir.outgoing is None:
        yield _probed("smtp", login, SmtpSender(server_of(settings, "smtp")).probe)


def _probed(what: str, login: Login, probe: Callable[[], Coroutine[None, None, Probe]]) -> Finding:
    """Log in, and put what a server says into words."""
    try:
        found = asyncio.run(probe())
    except LoginRefused as error:
        words = (
            f"{str(error).rstrip('.')}. Is user {login.user!r} right? Many providers want an app "
            "password or OAuth2 (token_command) in place of the account's own: docs/operators.md"
        )
        return Finding(what, works=False, words=words)
    except TransportError as error:
        return Finding(what, works=False, words=f"{error}. {_advice(what, login, error)}")
    facts = ", ".join(f"{name} {value}" for name, value in found.facts.items())
    return Finding(what, works=True, words=f"{login.host}: {found.encryption}; {facts}")


def _advice(what: str, login: Login, error: TransportError) -> str:
    """Which setting it may be. A server that has answered is the right one."""
    from pbem.transport.imap_connection import Refused

    said = str(error)
    if _LATER.search(said):
        return "The server is there and says that this may pass: try again in some minutes"
    if isinstance(error, Refused) and isinstance(login, Imap):
        return (
            f"The login works; is there a folder {login.mailbox!r}? imap.mailbox names the one "
            "that is read"
        )
    if "CERTIFICATE_VERIFY_FAILED" in said:
        return (
            f"Its certificate has to be made out to {what}.host; if it is one of your own, "
            f"{what}.ca_file names the file to trust"
        )
    return f"Do {what}.host, port and security belong together?"


def loop(settings: Settings, *, seconds: float) -> Iterator[Finding]:
    """A mail through our own reply address: the way that every player's answer takes."""
    from pbem.runners.loop_mail import loop_mail, round_trip
    from pbem.transport.imap import ImapMailbox
    from pbem.wiring.clock import clock
    from pbem.wiring.service import sender_of, server_of

    if not (settings.imap.host and settings.smtp.host and settings.site.address):
        yield Finding("loop", works=True, words="left out: it needs imap.host and smtp.host")
        return
    address, ident, returns_to = _marks(settings)
    plain = settings.site.plain_sender
    mail = loop_mail(
        sender=settings.site.address if plain else address,
        returns_to=settings.site.address if plain else returns_to,
        recipient=address,
        message_id=ident,
        now=clock(),
        authserv_id=settings.site.authserv_id,
    )
    way_in = settings.imap
    mailbox = ImapMailbox(server_of(settings, "imap"), account="check", mailbox=way_in.mailbox)
    try:
        trip = asyncio.run(
            round_trip(mail, ident, way_out=sender_of(settings), mailbox=mailbox, seconds=seconds)
        )
    except TransportError as error:
        yield Finding("loop", works=False, words=f"{error}. {_loop_advice(error)}")
        return
    known = address.casefold() in {recipient.casefold() for recipient in trip.recipients}
    words = f"a mail to {address} came back in {trip.seconds:.1f} s"
    yield Finding("loop", works=known, words=words if known else f"{words}, {TAG_ADVICE}")
    yield _forgery(settings.site.authserv_id, trip.results, ident)


def _loop_advice(error: TransportError) -> str:
    """What helps against what the servers said of the mail, or did with it."""
    said = str(error)
    if isinstance(error, LoginRefused):
        return "The lines `imap` and `smtp` above say whose login it is, and what helps"
    if "did not come" in said:
        return (
            f"Look into the spam folder, and {_TAG}; a server that first lets strangers wait "
            "(greylisting) needs a longer --seconds"
        )
    if "was not taken" not in said:
        return "The lines `imap` and `smtp` above say which server it is, and what helps"
    if _LATER.search(said):
        return "The server says that this may pass: try again in some minutes"
    if _SENDER.search(said):
        return _SENDER_ADVICE
    if _RECIPIENT.search(said):
        return f"Look {_TAG}"
    return f"If that is about the sender: {_SENDER_ADVICE}. If about the recipient: look {_TAG}"


def _forgery(authserv_id: str, results: tuple[str, ...], ident: str) -> Finding:
    """Whether the mail server lets a verdict through that somebody else has written in its name."""
    from pbem.runners.loop_mail import fate_of_forgery

    if not authserv_id:
        words = "site.authserv_id is not set, so no Authentication-Results is believed"
        return Finding("forgery", works=True, words=words)
    fate = fate_of_forgery(results, ident)
    if fate == "believed":
        words = f"a forged Authentication-Results of {authserv_id!r} came through. {FORGERY_ADVICE}"
        return Finding("forgery", works=False, words=words)
    became = "was removed" if fate == "removed" else "stands below another one, and is not read"
    words = f"a forged Authentication-Results of {authserv_id!r} {became}"
    topmost = results[0].partition(";")[0].split()[:1] if results else []
    if topmost and topmost[0].casefold() != authserv_id.casefold():
        words += (
            f"; the topmost one is of {topmost[0]!r}, which is not what site.authserv_id says: "
            "no verdict of this server counts"
        )
    return Finding("forgery", works=True, words=words)


def _marks(settings: Settings) -> tuple[str, str, str]:
    """A reply address of nobody, a new Message-ID and its bounce address, with our keys."""
    from pbem.mail.addresses import (
        Keys,
        PlayerAddress,
        mail_id,
        message_id,
        mint,
        reply_address,
        verp,
    )
    from pbem.names import PlayerId
    from pbem.wiring.clock import entropy

    site, stored = settings.site, load_keys(settings.keys.file)
    keys = Keys(stored.current, stored.secrets)
    address = reply_address(
        site.address,
        mint(keys, PlayerAddress(PlayerId("check"))),
        delimiter=site.delimiter,
        catch_all=site.catch_all,
    )
    domain = site.address.rpartition("@")[2]
    ident = message_id(keys, cause=f"check:{entropy(16).hex()}", domain=domain)
    return address, ident, verp(keys, site.address, mail_id(ident), delimiter=site.delimiter)
