"""What `serve` and `web` need when they start, each tried: files, ports, programs, extras."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from pbem.cli.checks.finding import Finding
from pbem.config import Settings
from pbem.errors import ConfigError

SECONDS: Final = 3.0
"""How long who has a port may take to say who it is."""


def logins(settings: Settings) -> Iterator[Finding]:
    """Whether the passwords and certificates can be had; no server is asked."""
    from pbem.wiring.service import server_of

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
    from pbem.wiring.ports import bound

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
