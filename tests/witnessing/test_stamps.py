"""Time stamps by an authority (RFC 3161), which here is openssl, behind a server of this test."""

from __future__ import annotations

import http.server
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli.app import app
from pbem.store import tables
from tests.store.given import write
from tests.witnessing.served import Served, served

OPENSSL = shutil.which("openssl") or ""
pytestmark = pytest.mark.skipif(not OPENSSL, reason="there is no openssl")

CONFIG = """
[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[tsa_certificate]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[tsa]
default_tsa = one
[one]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
"""


def openssl(folder: Path, *words: str) -> None:
    subprocess.run([OPENSSL, *words], cwd=folder, check=True, capture_output=True)


@dataclass
class Authority:
    """Who attests times: a folder with its keys; `mischief` is done to each answer."""

    folder: Path
    address: str = ""
    mischief: str = ""

    @property
    def roots(self) -> Path:
        return self.folder / "ca.pem"

    def answer(self, query: bytes) -> bytes:
        if self.mischief == "kept" and (self.folder / "answer").exists():
            return (self.folder / "answer").read_bytes()  # that to an earlier question
        (self.folder / "query").write_bytes(query)
        signer = ["-inkey", "tsa.key", "-signer", "tsa.pem"]
        reply = ["ts", "-reply", "-config", "config", "-queryfile", "query", "-out", "answer"]
        openssl(self.folder, *reply, *signer)
        answer = (self.folder / "answer").read_bytes()
        return b"Hello!" if self.mischief == "no answer" else answer


def made(folder: Path) -> Authority:
    folder.mkdir()
    (folder / "config").write_text(CONFIG, encoding="utf-8")
    (folder / "serial").write_text("01\n", encoding="utf-8")
    for name in ("ca", "tsa"):
        openssl(folder, "genpkey", "-algorithm", "RSA", "-out", f"{name}.key")
    asked = ["req", "-config", "config", "-new", "-subj"]
    own = ["-x509", "-days", "30", "-extensions", "ca", "-key", "ca.key", "-out", "ca.pem"]
    openssl(folder, *asked, "/CN=root", *own)
    openssl(folder, *asked, "/CN=clock", "-key", "tsa.key", "-out", "tsa.csr")
    by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30"]
    extended = ["-extfile", "config", "-extensions", "tsa_certificate"]
    openssl(folder, "x509", "-req", "-in", "tsa.csr", *by, *extended, "-out", "tsa.pem")
    return Authority(folder)


@contextmanager
def serving(authority: Authority) -> Iterator[None]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = self.rfile.read(int(self.headers["Content-Length"]))
            answer = authority.answer(query)
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Nothing to be said."""

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        authority.address = f"http://127.0.0.1:{server.server_port}/"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


def stamp(club: Served, authority: Authority, folder: Path, roots: Path | None = None) -> Result:
    config = folder.parent / "config.toml"
    database = club.house.settings.store.database
    config.write_text(f'[store]\ndatabase = "{database}"\n', encoding="utf-8")
    words = ["--config", str(config), "checkpoint", "stamp", str(folder)]
    trusted = ["--tsa", authority.address, "--ca", str(roots or authority.roots)]
    return CliRunner().invoke(app, [*words, *trusted])


async def test_an_authority_attests_the_time_of_a_checkpoint(tmp_path: Path) -> None:
    authority, folder = made(tmp_path / "authority"), tmp_path / "stamps"
    async with served(tmp_path / "club") as club:
        size = club.size
        with serving(authority):
            said = stamp(club, authority, folder)
            assert said.exit_code == 0, said.output
            assert f"{size} events, seen by http://127.0.0.1" in said.output
            text = folder / f"checkpoint-{size}.txt"
            assert text.read_text(encoding="utf-8") == club.newest().note
            checked = ["ts", "-verify", "-data", str(text), "-in", f"{text.with_suffix('.tsr')}"]
            openssl(tmp_path, *checked, "-CAfile", str(authority.roots))
            assert "is there already" in " ".join(stamp(club, authority, folder).output.split())
            await club.play()
            assert stamp(club, authority, folder).exit_code == 0
    assert len(list(folder.iterdir())) == 4


@pytest.mark.parametrize("mischief", ["kept", "no answer", "another root"])
async def test_what_is_no_stamp_of_it_is_not_kept(tmp_path: Path, mischief: str) -> None:
    authority, folder = made(tmp_path / "authority"), tmp_path / "stamps"
    other = made(tmp_path / "other") if mischief == "another root" else authority
    async with served(tmp_path / "club") as club:
        authority.mischief = mischief
        with serving(authority):
            first = stamp(club, authority, folder, other.roots)
            if mischief == "kept":
                assert first.exit_code == 0, first.output
                await club.play()
                first = stamp(club, authority, folder)
            assert first.exit_code == 1
            assert "is no time stamp by one of these" in " ".join(first.output.split())
    kept = list(folder.iterdir()) if folder.exists() else []
    assert len(kept) == (2 if mischief == "kept" else 0)


async def test_without_a_checkpoint_or_an_authority_there_is_no_stamp(tmp_path: Path) -> None:
    authority, folder = made(tmp_path / "authority"), tmp_path / "stamps"
    async with served(tmp_path / "club") as club:
        authority.address = "http://127.0.0.1:9/"
        assert "there is no stamp" in stamp(club, authority, folder).output
        authority.address = "file:///etc/passwd"
        assert "is no address" in " ".join(stamp(club, authority, folder).output.split())
        write(club.house.db, lambda conn: conn.execute(tables.log_note.delete()))
        assert "no checkpoint was signed yet" in stamp(club, authority, folder).output
