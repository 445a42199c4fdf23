"""What `pbem check` asks of mail servers, and what `serve` and `web` need when they start."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from pbem.legacy.cli.opening import Finding
from pbem.legacy.config import Imap, Login, Settings, load_keys
from pbem.errors import ConfigError
from pbem.legacy.transport import LoginRefused, Probe, TransportError

# --- servers -------------------------------------------------------------------------------------
# What `pbem check` asks the mail servers, and their answers in words.

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
    from pbem.legacy.transport.imap import ImapMailbox
    from pbem.legacy.wiring.service import server_of

    login = settings.imap
    if login.host and settings.maildir.incoming is None:
        mailbox = ImapMailbox(server_of(settings, "imap"), account="check", mailbox=login.mailbox)
        yield _probed("imap", login, mailbox.probe)


def smtp(settings: Settings) -> Iterator[Finding]:
    """Log in; nothing is sent."""
    from pbem.legacy.transport.smtp import SmtpSender
    from pbem.legacy.wiring.service import server_of

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
    from pbem.legacy.transport.imap_connection import Refused

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
    from pbem.legacy.runners.alarms import loop_mail, round_trip
    from pbem.legacy.transport.imap import ImapMailbox
    from pbem.legacy.wiring.process import clock
    from pbem.legacy.wiring.service import sender_of, server_of

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
    from pbem.legacy.runners.alarms import fate_of_forgery

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
    from pbem.legacy.mail.addresses import (
        Keys,
        PlayerAddress,
        message_id,
        mint,
        reply_address,
        verp,
    )
    from pbem.names import PlayerId
    from pbem.legacy.wiring.process import entropy

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
    return address, ident, verp(keys, site.address, ident, delimiter=site.delimiter)


# --- starting ------------------------------------------------------------------------------------
# What `serve` and `web` need when they start, each tried: files, ports, programs, extras.

SECONDS: Final = 3.0
"""How long who has a port may take to say who it is."""


def logins(settings: Settings) -> Iterator[Finding]:
    """Whether the passwords and certificates can be had; no server is asked."""
    from pbem.legacy.wiring.service import server_of

    section: Literal["imap", "smtp"]
    for section, folder in (
        ("imap", settings.maildir.incoming),
        ("smtp", settings.maildir.outgoing),
    ):
        if getattr(settings, section).host and folder is None:
            try:
                server_of(settings, section)
            except ConfigError as error:
                yield Finding(section, works=False, words=str(error))


def lmtp(settings: Settings) -> Iterator[Finding]:
    """Whether mail can be taken from one's own mail server."""
    wishes = settings.lmtp
    if not wishes.enabled:
        return
    if find_spec("aiosmtpd") is None:
        words = f"{settings.named('lmtp.enabled')} needs a package that is not here: "
        yield Finding("lmtp", works=False, words=f"{words}install pbem[lmtp]")
        return
    names = ("lmtp.host", "lmtp.port")
    yield _port(settings, "lmtp", names, (wishes.host, wishes.port), _greets)


def web(settings: Settings) -> Iterator[Finding]:
    """Whether the pages can be served, if anybody wants them."""
    wishes, default = settings.web, Settings().web
    if not wishes.public_url and wishes.listen == default.listen:
        return
    missing = [name for name in ("starlette", "uvicorn", "markdown_it") if find_spec(name) is None]
    if missing:
        what = "web.public_url" if wishes.public_url else "web.listen"
        words = f"{settings.named(what)} needs packages that are not here: install pbem[web]"
        yield Finding("web", works=False, words=words)
        return
    healthy = _shows("/healthz", b"ok")
    yield _port(settings, "web", ("web.listen",), wishes.host_and_port, healthy)


def metrics(settings: Settings) -> Iterator[Finding]:
    """Whether metrics can be shown where the settings say."""
    wishes = settings.metrics
    if not wishes.listen and wishes.textfile is None:
        return
    if find_spec("prometheus_client") is None:
        words = "what shows metrics is not installed: pip install 'pbem[metrics]'"
        yield Finding("metrics", works=False, words=words)
        return
    if wishes.listen:
        shown = _shows("/metrics", b"pbem_build_info")
        yield _port(settings, "metrics", ("metrics.listen",), wishes.host_and_port, shown)
    if wishes.textfile is not None:
        yield _textfile(settings, wishes.textfile)


def commands(settings: Settings) -> Iterator[Finding]:
    """Whether the programs are there that are run later: for alarms, and for tokens."""
    wanted = {"watch.alert_command": settings.watch.alert_command}
    for section, login in (("imap", settings.imap), ("smtp", settings.smtp)):
        wanted[f"{section}.token_command"] = login.token_command if login.host else ""
    for name, command in wanted.items():
        words = shlex.split(command)
        if words and shutil.which(words[0]) is None:
            told = f"{settings.named(name)}: there is no program {words[0]} that may be run"
            yield Finding(
                "alarms" if name.startswith("watch") else "tokens", works=False, words=told
            )


def folders(settings: Settings) -> Iterator[Finding]:
    """Whether the Maildirs can be had."""
    for name in ("incoming", "outgoing"):
        folder = getattr(settings.maildir, name)
        if folder is None:
            continue
        nearest = next(path for path in (folder, *folder.parents) if path.exists())
        works = nearest.is_dir() and os.access(nearest, os.R_OK | os.W_OK | os.X_OK)
        words = str(folder)
        if not works:
            named = settings.named(f"maildir.{name}")
            words = f"{named}: {folder} cannot be written to: mend its permissions"
        yield Finding("maildir", works=works, words=words)


def _textfile(settings: Settings, file: Path) -> Finding:
    """The file is written beside its place, and put there: so does `serve`, every 15 seconds."""
    named = settings.named("metrics.textfile")
    trial = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        if file.is_dir():
            raise IsADirectoryError("it is a folder")
        trial.touch()
    except OSError as error:
        why = error.strerror or error
        return Finding("metrics", works=False, words=f"{named}: {file} cannot be written: {why}")
    finally:
        if trial.exists():
            trial.unlink()
    if file.suffix != ".prom":
        words = f"{named}: no collector reads {file}: its name has to end with .prom"
        return Finding("metrics", works=False, words=words)
    return Finding("metrics", works=True, words=str(file))


def _port(
    settings: Settings,
    what: str,
    names: tuple[str, ...],
    place: tuple[str, int],
    ours: Callable[[str, int], bool],
) -> Finding:
    """A port that is free, or that one of ours has already."""
    from pbem.legacy.wiring.process import bound

    host, port = place
    try:
        bound(settings, *names, host=host, port=port).close()
    except ConfigError as error:
        if not ours(host, port):
            return Finding(what, works=False, words=str(error))
        return Finding(what, works=True, words=f"{host}:{port}, where a pbem answers now")
    return Finding(what, works=True, words=f"{host}:{port}")


def _shows(path: str, what: bytes) -> Callable[[str, int], bool]:
    def ours(host: str, port: int) -> bool:
        with closing(HTTPConnection(host, port, timeout=SECONDS)) as talk:
            try:
                talk.request("GET", path)
                return what in talk.getresponse().read(1_000_000)
            except (OSError, HTTPException):
                return False

    return ours


def _greets(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), SECONDS) as talk:
            return b"Python SMTP" in talk.recv(500)
    except OSError:
        return False
