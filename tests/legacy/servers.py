"""Mail servers for tests and benches: real ones where they are installed, and one in this process.

All listen on free loopback ports. Those that are programs of their own live in a folder of their
own below the system's temporary folder, because the users they change to may not read pytest's.
"""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import itertools
import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest
from aiosmtpd import smtp

from pbem.legacy.transport.maildir import make_maildir
from pbem.legacy.transport.server import Server

HOST = "127.0.0.1"
_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
DOVECOT = shutil.which("dovecot", path=_PATH)
POSTFIX = shutil.which("postfix", path=_PATH)
SMTP_SINK = shutil.which("smtp-sink", path=_PATH)
OPENSSL = shutil.which("openssl", path=_PATH)

T = TypeVar("T", bound=Callable[..., object])


def _needs(missing: bool, reason: str) -> Callable[[T], T]:  # noqa: FBT001 - a condition
    def mark(test: T) -> T:
        marked: T = pytest.mark.server(pytest.mark.skipif(missing, reason=reason)(test))
        return marked

    return mark


needs_dovecot = _needs(DOVECOT is None, "dovecot is not installed")
needs_postfix = _needs(
    POSTFIX is None or os.geteuid() != 0, "postfix is not installed, or this is not root"
)
needs_submission = _needs(
    DOVECOT is None or not Path("/usr/lib/dovecot/submission").exists(),
    "dovecot's submission server is not installed",
)
needs_smtp_sink = _needs(SMTP_SINK is None, "smtp-sink (of postfix) is not installed")


_SLICE = 1_500
_SLICES = 8


def _ports() -> Iterator[int]:
    """Ports below those by which connections go out; no two workers of a run have one in common."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    first = 20_000 + _SLICE * (worker % _SLICES)
    return (first + at % _SLICE for at in itertools.count(os.getpid()))


_PORTS = _ports()


def free_port() -> int:
    """A port that is free now, and that no other call gives before it has given all others."""
    for port in _PORTS:
        with contextlib.suppress(OSError), socket.create_server((HOST, port)):
            return port
    raise AssertionError("there is always another one")


def wait_for_port(port: int, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((HOST, port), 1).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """A temporary folder that other users may enter."""
    with tempfile.TemporaryDirectory(prefix="pbem-server-", ignore_cleanup_errors=True) as name:
        path = Path(name)
        path.chmod(0o755)
        yield path


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for the loopback address, signed by itself, and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=x"
    names = ["-addext", f"subjectAltName=IP:{HOST},DNS:localhost"]
    if OPENSSL is None:
        pytest.skip("openssl is not installed")
    files = ["-out", str(cert), "-keyout", str(key)]
    subprocess.run([OPENSSL, *words.split(), *names, *files], check=True, capture_output=True)
    return cert, key


# --- Dovecot -----------------------------------------------------------------------------------

_DOVECOT_CONF = """
protocols = imap lmtp {submission}
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/log
listen = 127.0.0.1
ssl = yes
ssl_cert = <{cert}
ssl_key = <{key}
disable_plaintext_auth = no
auth_mechanisms = plain login
default_internal_user = {internal}
default_internal_group = {internal_group}
default_login_user = {login}
mail_uid = {mail}
mail_gid = {mail_group}
first_valid_uid = 1
mail_home = {base}/home/%u
mail_location = maildir:~/Maildir
maildir_very_dirty_syncs = no
recipient_delimiter = +
lmtp_hdr_delivery_address = original
mail_max_userip_connections = 100
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = allow_all_users=yes
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
service submission-login {{
  chroot =
  inet_listener submission {{
    port = {submission_port}
  }}
}}
hostname = mx.example.org
submission_relay_host = 127.0.0.1
submission_relay_port = {relay}
namespace inbox {{
  inbox = yes
}}
"""


@dataclass(slots=True)
class DovecotServer:
    """A Dovecot that accepts any user with one password; mails lie in Maildirs.

    With a `relay_port` it is a submission server as well, which hands on to that port.
    """

    base: Path
    relay_port: int | None = None
    imap_port: int = field(default_factory=free_port)
    imaps_port: int = field(default_factory=free_port)
    lmtp_port: int = field(default_factory=free_port)
    submission_port: int = field(default_factory=free_port)
    user: str = "games@example.org"
    password: str = "s3cret"
    cert: Path = Path()
    _process: subprocess.Popen[bytes] | None = None

    def configure(self) -> None:
        self.cert, key = certificate(self.base)
        root = os.geteuid() == 0
        me = getpass.getuser()
        group = str(os.getegid())
        # Dovecot never opens mail as root.
        text = _DOVECOT_CONF.format(
            base=self.base,
            cert=self.cert,
            key=key,
            internal="dovecot" if root else me,
            internal_group="dovecot" if root else group,
            login="dovenull" if root else me,
            mail="nobody" if root else me,
            mail_group="nogroup" if root else group,
            password=self.password,
            imap=self.imap_port,
            imaps=self.imaps_port,
            lmtp=self.lmtp_port,
            submission="" if self.relay_port is None else "submission",
            submission_port=self.submission_port,
            relay=self.relay_port or 25,
        )
        (self.base / "dovecot.conf").write_text(text)
        self._own(make_maildir(self.maildir))

    @property
    def maildir(self) -> Path:
        return self.base / "home" / self.user / "Maildir"

    def server(self, **wishes: object) -> Server:
        given: dict[str, object] = {
            "host": HOST,
            "port": self.imap_port,
            "security": "none",
            "user": self.user,
            "password": self.password,
        }
        return Server(**(given | wishes))  # type: ignore[arg-type] # the tests' own wishes

    def start(self) -> None:
        assert DOVECOT is not None
        words = [DOVECOT, "-F", "-c", str(self.base / "dovecot.conf")]
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True)
        wait_for_port(self.imap_port)
        wait_for_port(self.lmtp_port)
        if self.relay_port is not None:
            wait_for_port(self.submission_port)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(60)
            self._process = None

    def kill(self) -> None:
        """All its processes at once; an orderly stop takes more than a second.

        A lock file that one of them held goes, too: the next start would wait two minutes for it,
        and the folder could not be read for so long.
        """
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(60)
            self._process = None
            for lock in (self.base / "home").rglob("*.lock"):
                lock.unlink()

    def deliver(self, *mails: bytes) -> None:
        """Straight into the Maildir, in order, as quick as files are written."""
        for number, mail in enumerate(mails):
            name = f"{time.time_ns()}.{number:06}.test"
            draft = self.maildir / "tmp" / name
            draft.write_bytes(mail)
            self._own(draft)
            draft.rename(self.maildir / "new" / name)

    def forget_uids(self) -> None:
        """While stopped: the next start has another UIDVALIDITY."""
        for file in self.maildir.glob("dovecot*"):
            if file.is_file():
                file.unlink()

    def log(self) -> str:
        return (self.base / "log").read_text()

    def _own(self, path: Path) -> None:
        if os.geteuid() != 0:
            return
        top = self.base / "home"
        for each in [path, *path.iterdir()] if path.is_dir() else [path]:
            shutil.chown(each, "nobody", "nogroup")
        for parent in path.parents:
            if parent.is_relative_to(top):
                shutil.chown(parent, "nobody", "nogroup")


@contextlib.contextmanager
def dovecot(relay_port: int | None = None) -> Iterator[DovecotServer]:
    """A running Dovecot with one empty mailbox."""
    with open_folder() as base:
        server = DovecotServer(base, relay_port)
        server.configure()
        try:
            server.start()
            yield server
        finally:
            server.kill()


# --- Postfix -----------------------------------------------------------------------------------

_POSTFIX_MAIN = """
compatibility_level = 3.6
queue_directory = {base}/queue
data_directory = {base}/data
maillog_file = {base}/maillog
maillog_file_prefixes = {base}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.example.org
mydestination =
mynetworks = 127.0.0.0/8
virtual_mailbox_domains = example.org
virtual_mailbox_maps = static:all
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
recipient_delimiter = +
lmtp_destination_recipient_limit = 1
alias_maps =
local_recipient_maps =
default_transport = error:nothing leaves this machine
smtpd_recipient_restrictions = permit_mynetworks, reject
smtputf8_enable = yes
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
minimal_backoff_time = 1s
queue_run_delay = 1s
"""

_POSTFIX_MASTER = """
127.0.0.1:{smtp} inet n - n - - smtpd
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
flush     unix n - n 1000? 0 flush
proxymap  unix - - n - - proxymap
error     unix - - n - - error
retry     unix - - n - - error
lmtp      unix - - n - - lmtp flags=DO
anvil     unix - - n - 1 anvil
scache    unix - - n - 1 scache
tlsmgr    unix - - n 1000? 1 tlsmgr
postlog   unix-dgram n - n - 1 postlogd
"""


@dataclass(slots=True)
class PostfixServer:
    """A Postfix that takes all mail for example.org and hands it on by LMTP."""

    base: Path
    lmtp_port: int
    smtp_port: int = field(default_factory=free_port)

    def configure(self) -> None:
        config = self.base / "etc"
        config.mkdir()
        (config / "main.cf").write_text(_POSTFIX_MAIN.format(base=self.base, lmtp=self.lmtp_port))
        (config / "master.cf").write_text(_POSTFIX_MASTER.format(smtp=self.smtp_port))
        (self.base / "queue").mkdir()
        (self.base / "data").mkdir()
        shutil.chown(self.base / "data", "postfix")

    def _postfix(self, verb: str) -> None:
        assert POSTFIX is not None
        words = [POSTFIX, "-c", str(self.base / "etc"), verb]
        environment = {**os.environ, "PATH": _PATH}
        subprocess.run(words, check=True, capture_output=True, timeout=120, env=environment)

    def start(self) -> None:
        self._postfix("start")
        wait_for_port(self.smtp_port)

    def stop(self) -> None:
        self._postfix("stop")

    def log(self) -> str:
        return (self.base / "maillog").read_text()


@contextlib.contextmanager
def postfix(lmtp_port: int) -> Iterator[PostfixServer]:
    """A running Postfix that delivers to this LMTP port. It needs root."""
    with open_folder() as base:
        server = PostfixServer(base, lmtp_port)
        server.configure()
        server.start()
        try:
            yield server
        finally:
            server.stop()


# --- sinks -------------------------------------------------------------------------------------


@contextlib.contextmanager
def smtp_sink(*options: str) -> Iterator[int]:
    """Postfix's smtp-sink with its failures: -r RCPT, -f ., -q ., -Q ., -W .:5. Gives the port."""
    assert SMTP_SINK is not None
    port = free_port()
    user = ["-u", "nobody"] if os.geteuid() == 0 else []
    words = [SMTP_SINK, *user, *options, f"{HOST}:{port}", "10"]
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        yield port
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(60)


@dataclass(slots=True)
class Sink:
    """An SMTP server in this process that answers as it is told, and keeps what it accepts."""

    port: int = 0
    mails: list[tuple[str, tuple[str, ...], bytes]] = field(default_factory=list)
    options: list[list[str]] = field(default_factory=list)
    connections: int = 0
    open: int = 0
    rcpt: dict[str, str] = field(default_factory=dict)
    mail: list[str] = field(default_factory=list)
    pipelining: bool = False
    data: list[str] = field(default_factory=list)
    logins: list[tuple[bytes, bytes]] = field(default_factory=list)
    kick: Callable[[], None] = lambda: None

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name
        self,
        server: object,
        session: smtp.Session,
        envelope: smtp.Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        del server, envelope
        session.host_name = hostname
        offered = ["250-PIPELINING"] if self.pipelining else []
        return [*responses[:-1], *offered, responses[-1]]

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self,
        server: object,
        session: smtp.Session,
        envelope: smtp.Envelope,
        address: str,
        options: list[str],
    ) -> str:
        del server, session
        if self.mail:
            return self.mail.pop(0)
        envelope.mail_from = address
        self.options.append(sorted(options))
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self,
        server: object,
        session: smtp.Session,
        envelope: smtp.Envelope,
        address: str,
        options: list[str],
    ) -> str:
        del server, session, options
        answer = self.rcpt.get(address, "250 OK")
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, server: smtp.SMTP, session: smtp.Session, envelope: smtp.Envelope
    ) -> str:
        del session
        answer = self.data.pop(0) if self.data else "250 OK"
        if answer.startswith("2"):
            content = envelope.original_content or b""
            self.mails.append((envelope.mail_from or "", tuple(envelope.rcpt_tos), content))
        if answer.endswith("drop") and isinstance(server.transport, asyncio.WriteTransport):
            server.transport.abort()
            await asyncio.sleep(10)
        if answer.endswith("hang"):
            await asyncio.sleep(3600)
        return answer


@contextlib.asynccontextmanager
async def sink(*, pipelining: bool = False, **wishes: object) -> AsyncIterator[Sink]:
    """A running Sink, behind TLS with `ssl_listen`; the other wishes go to aiosmtpd."""
    answers = Sink(pipelining=pipelining)
    loop = asyncio.get_running_loop()
    talks: set[smtp.SMTP] = set()

    class Smtp(smtp.SMTP):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            answers.connections += 1
            answers.open += 1
            talks.add(self)

        def connection_lost(self, error: Exception | None) -> None:
            super().connection_lost(error)
            answers.open -= 1
            talks.discard(self)

    def kick() -> None:
        for talk in talks:
            if isinstance(talk.transport, asyncio.WriteTransport):
                talk.transport.abort()

    answers.kick = kick
    context = wishes.pop("ssl_listen", None)
    assert context is None or isinstance(context, ssl.SSLContext)
    given: dict[str, object] = {"hostname": "sink", "enable_SMTPUTF8": True, "loop": loop}
    server = await loop.create_server(
        lambda: Smtp(answers, **(given | wishes)),  # type: ignore[arg-type] # the tests' own wishes
        HOST,
        0,
        ssl=context,
    )
    answers.port = server.sockets[0].getsockname()[1]
    try:
        yield answers
    finally:
        server.close()
        kick()
        # aiosmtpd does not always hear of the end of a connection whose STARTTLS failed.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                while talks:  # noqa: ASYNC110 - the transports close in their own time
                    await asyncio.sleep(0.01)
