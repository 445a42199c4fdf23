"""A Dovecot of our own on free loopback ports, where it is installed.

Its folder is below the system's temporary folder, because the users that Dovecot changes to may not
read pytest's.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pbem.transport.mail_server import MailServer
from pbem.transport.maildir import make_maildir
from tests.transport.certificates import make_certificate

HOST = "127.0.0.1"
DOVECOT = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
LMTP = Path("/usr/lib/dovecot/lmtp")

_CONFIG = """
protocols = imap lmtp
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/log
listen = 127.0.0.1
ssl = yes
ssl_cert = <{certificate}
ssl_key = <{key}
disable_plaintext_auth = no
auth_mechanisms = plain login
default_internal_user = {internal_user}
default_internal_group = {internal_group}
default_login_user = {login_user}
mail_uid = {mail_user}
mail_gid = {mail_group}
first_valid_uid = 1
mail_home = {base}/home/%u
mail_location = maildir:~/Maildir
maildir_very_dirty_syncs = no
recipient_delimiter = +
mail_plugins = quota
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
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = {imaps_port}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp_port}
  }}
}}
namespace inbox {{
  inbox = yes
}}
protocol imap {{
  mail_plugins = quota imap_quota
}}
plugin {{
  quota = count:User quota
  quota_vsizes = yes
  quota_rule = *:storage=10M
}}
"""


def find_free_port() -> int:
    with socket.create_server((HOST, 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _wait_for_port(port: int) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            socket.create_connection((HOST, port), 1).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


@dataclass(slots=True)
class Dovecot:
    """A Dovecot with one mailbox, which is a Maildir."""

    base: Path
    user: str = "games@example.org"
    password: str = "s3cret"
    imap_port: int = field(default_factory=find_free_port)
    imaps_port: int = field(default_factory=find_free_port)
    lmtp_port: int = field(default_factory=find_free_port)
    certificate: Path = Path()
    _process: subprocess.Popen[bytes] | None = None

    def configure(self) -> None:
        self.certificate, key = make_certificate(self.base)
        is_root, me, group = os.geteuid() == 0, getpass.getuser(), str(os.getegid())
        text = _CONFIG.format(
            base=self.base,
            certificate=self.certificate,
            key=key,
            internal_user="dovecot" if is_root else me,
            internal_group="dovecot" if is_root else group,
            login_user="dovenull" if is_root else me,
            mail_user="nobody" if is_root else me,  # Dovecot never opens mailboxes as root
            mail_group="nogroup" if is_root else group,
            password=self.password,
            imap_port=self.imap_port,
            imaps_port=self.imaps_port,
            lmtp_port=self.lmtp_port,
        )
        (self.base / "dovecot.conf").write_text(text)
        make_maildir(self.maildir)
        self._give_to_mail_user()

    @property
    def maildir(self) -> Path:
        return self.base / "home" / self.user / "Maildir"

    def make_server(self, **options: Any) -> MailServer:
        given: dict[str, Any] = {
            "host": HOST,
            "port": self.imap_port,
            "security": "none",
            "user": self.user,
            "password": self.password,
        }
        return MailServer(**(given | options))

    def start(self) -> None:
        assert DOVECOT is not None
        words = [DOVECOT, "-F", "-c", str(self.base / "dovecot.conf")]
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True)
        _wait_for_port(self.imap_port)
        _wait_for_port(self.lmtp_port)

    def kill(self) -> None:
        """Kill all its processes at once, and remove locks that they held."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(60)
            self._process = None
            for lock in (self.base / "home").rglob("*.lock"):
                lock.unlink()

    def deliver(self, *messages: bytes) -> None:
        """Put messages into the Maildir, in this order."""
        for number, message in enumerate(messages):
            name = f"{time.time_ns()}.{number:06}.test"
            draft = self.maildir / "tmp" / name
            draft.write_bytes(message)
            self._give_to_mail_user()
            draft.rename(self.maildir / "new" / name)

    def deliver_by_lmtp(self, recipient: str, message: bytes) -> None:
        with smtplib.LMTP(HOST, self.lmtp_port) as lmtp:
            lmtp.sendmail("a@example.org", [recipient], message)

    def _give_to_mail_user(self) -> None:
        if os.geteuid() == 0:
            for path in [self.base / "home", *(self.base / "home").rglob("*")]:
                shutil.chown(path, "nobody", "nogroup")


@contextlib.contextmanager
def run_dovecot(**options: Any) -> Iterator[Dovecot]:
    """Run a Dovecot with an empty mailbox; skip the test where there is none."""
    if DOVECOT is None or not LMTP.exists():
        pytest.skip("dovecot (dovecot-core, dovecot-imapd, dovecot-lmtpd) is not installed")
    with tempfile.TemporaryDirectory(prefix="pbem-server-", ignore_cleanup_errors=True) as name:
        base = Path(name)
        base.chmod(0o755)
        server = Dovecot(base, **options)
        server.configure()
        try:
            server.start()
            yield server
        finally:
            server.kill()
