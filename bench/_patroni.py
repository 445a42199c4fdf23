"""Two PostgreSQL servers under Patroni on loopback: a primary, and a standby that has all first.

From Debian's packages `patroni`, `etcd-server` and `postgresql`; started here, as the user
`postgres`, in a folder of its own, on ports that nobody has.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BEGIN = 90.0
"""Seconds until the first primary is there."""

USER = "postgres"


def missing() -> str:
    """What is not installed, in words; empty if all is there."""
    for program in ("patroni", "etcd"):
        if shutil.which(program) is None:
            return f"{program} is not installed (Debian: patroni, etcd-server, postgresql)"
    if not _programs():
        return "PostgreSQL's server is not installed (Debian: postgresql)"
    return "" if os.geteuid() == 0 else "only root can start servers as another user"


def _programs() -> str:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    return str(found[-1].parent) if found else ""


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass(slots=True)
class Node:
    """A PostgreSQL server and the Patroni that leads it."""

    name: str
    folder: Path
    port: int
    rest: int
    process: subprocess.Popen[bytes] | None = None


@dataclass(slots=True)
class Cluster:
    """Nodes of which one is the primary."""

    nodes: list[Node]
    etcd: subprocess.Popen[bytes]
    started: list[int] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where clients find whichever is the primary."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://{USER}:secret@{hosts}/pbem?target_session_attrs=read-write"

    def start(self, node: Node) -> None:
        """Start a node's Patroni, which starts its server."""
        log = (node.folder / "log").open("ab")
        node.process = subprocess.Popen(
            ["patroni", str(node.folder / "patroni.json")],
            stdout=log,
            stderr=log,
            user=USER,
            group=USER,
            cwd=node.folder,
            start_new_session=True,
        )

    def primary(self) -> Node | None:
        """The node that can write, as it says itself."""
        for node in self.nodes:
            if self._says(node, "primary"):
                return node
        return None

    def is_safe(self) -> bool:
        """Whether a standby has everything, so that the primary may go."""
        primary = self.primary()
        for node in self.nodes:
            if node is not primary and self._says(node, "sync"):
                return primary is not None
        return False

    @staticmethod
    def _says(node: Node, what: str) -> bool:
        asked = f"http://127.0.0.1:{node.rest}/{what}"
        with suppress(OSError), urllib.request.urlopen(asked, timeout=1):
            return True
        return False

    def kill(self, node: Node) -> None:
        """End a node as if its machine had gone: nothing of it says a word more."""
        if node.process is None:
            raise RuntimeError(f"{node.name} is not running")
        server = int((node.folder / "data" / "postmaster.pid").read_text().split()[0])
        os.killpg(node.process.pid, signal.SIGKILL)
        node.process.wait()
        children = _children(server)
        for pid in (server, *children):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        node.process = None

    def end(self) -> None:
        """End all of it."""
        for node in self.nodes:
            if node.process is not None:
                with suppress(Exception):
                    self.kill(node)
        self.etcd.kill()
        self.etcd.wait()


def _children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
    return found


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A cluster with an empty database `pbem`, as soon as it can write and is safe."""
    os.chmod(folder, 0o755)  # noqa: S103, PTH101 - the servers have another user
    client, peer = _free_port(), _free_port()
    etcd = subprocess.Popen(
        [
            "etcd", "--data-dir", str(folder / "etcd"), "--log-level", "error",
            "--listen-client-urls", f"http://127.0.0.1:{client}",
            "--advertise-client-urls", f"http://127.0.0.1:{client}",
            "--listen-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-cluster", f"default=http://127.0.0.1:{peer}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    nodes = []
    for number in (1, 2):
        node = Node(f"node{number}", folder / f"node{number}", _free_port(), _free_port())
        node.folder.mkdir()
        (node.folder / "patroni.json").write_text(json.dumps(_settings(node, client)))
        shutil.chown(node.folder, USER, USER)
        nodes.append(node)
    made = Cluster(nodes, etcd)
    try:
        for node in nodes:
            made.start(node)
        until = time.monotonic() + BEGIN
        while not made.is_safe():
            if time.monotonic() > until:
                raise RuntimeError((nodes[0].folder / "log").read_text()[-2000:])
            time.sleep(0.2)
        _create_database(made)
        yield made
    finally:
        made.end()


def _create_database(of: Cluster) -> None:
    import psycopg

    with psycopg.connect(of.url.replace("/pbem?", "/postgres?"), autocommit=True) as admin:
        admin.execute("CREATE DATABASE pbem TEMPLATE template0 ENCODING 'UTF8'")


def _settings(node: Node, etcd: int) -> dict[str, Any]:
    """What docs/postgresql.md says of Patroni, on loopback."""
    people = {
        kind: {"username": name, "password": "secret"}
        for kind, name in (("superuser", USER), ("replication", "standby"), ("rewind", "rewind"))
    }
    return {
        "scope": "pbem",
        "name": node.name,
        "restapi": {
            "listen": f"127.0.0.1:{node.rest}",
            "connect_address": f"127.0.0.1:{node.rest}",
        },
        "etcd3": {"host": f"127.0.0.1:{etcd}"},
        "bootstrap": {
            "dcs": {
                "ttl": 20,
                "loop_wait": 5,
                "retry_timeout": 5,
                "synchronous_mode": True,
                "postgresql": {"use_pg_rewind": True, "parameters": {"wal_log_hints": "on"}},
            },
            "initdb": [{"encoding": "UTF8"}, "data-checksums"],
        },
        "postgresql": {
            "listen": f"127.0.0.1:{node.port}",
            "connect_address": f"127.0.0.1:{node.port}",
            "data_dir": str(node.folder / "data"),
            "bin_dir": _programs(),
            "pgpass": str(node.folder / "pgpass"),
            "authentication": people,
            "parameters": {"unix_socket_directories": str(node.folder)},
            "pg_hba": ["host all all 127.0.0.1/32 md5", "host replication all 127.0.0.1/32 md5"],
        },
    }
