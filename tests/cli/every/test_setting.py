"""The doctor tries what `serve` and `web` need at their start, for each setting that there is."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.config import setting_names
from tests.cli.service import ADDRESS, Service

BEGINS = f'site.address = "{ADDRESS}"\n'
FOLDERS = 'maildir.incoming = "in"\nmaildir.outgoing = "out"\n'
SERVERS = 'imap.host = "localhost"\nsmtp.host = "localhost"\nimap.user = "a"\nsmtp.user = "a"\n'
TOKEN = 'token_url = "https://x"\n{0}.client_id = "b"\n{0}.refresh_token_file = "gone"'

TRIED = {
    "site.address": ("", "settings +site.address is not set"),
    "store.database": ('store.database = "gone.db"', "database +there is no database at"),
    "keys.file": ('keys.file = "gone.toml"', "keys +there is no"),
    "templates.folder": ('templates.folder = "gone"', "templates +templates.folder: there is no"),
    "maildir.incoming": ('maildir.incoming = "config.toml/in"', "maildir +WHERE"),
    "maildir.outgoing": ('maildir.outgoing = "config.toml/out"', "maildir +WHERE"),
    "lmtp.enabled": ("lmtp.enabled = true", "lmtp +WHERE needs a package"),
    "lmtp.port": ("lmtp.enabled = true\nlmtp.port = TAKEN", "lmtp +lmtp.host .* and WHERE.*in use"),
    "lmtp.host": ('lmtp.enabled = true\nlmtp.host = "192.0.2.1"', "lmtp +WHERE.*cannot be had"),
    "web.listen": (
        'web.listen = "127.0.0.1:TAKEN"',
        "web +WHERE: .*:TAKEN cannot be had: .*in use",
    ),
    "web.public_url": ('web.public_url = "http://a.example"', "pages +WHERE: .*on the way"),
    "metrics.listen": ('metrics.listen = "127.0.0.1:TAKEN"', "metrics +WHERE: .*in use"),
    "metrics.textfile": ('metrics.textfile = "gone/a.prom"', "metrics +WHERE: .*written: No such"),
    "watch.alert_command": (
        'watch.alert_command = "gone -x"',
        "alarms +WHERE: there is no program",
    ),
}
for login in ("imap", "smtp"):
    TRIED |= {
        f"{login}.{name}": (f"{SERVERS}{login}.{text}".format(login), f"{login} +WHERE.*{said}")
        for name, text, said in [
            ("ca_file", 'ca_file = "gone"', r"\S+gone cannot be used"),
            ("password_file", 'password_file = "gone"', "cannot be read: .*gone"),
            ("password_command", 'password_command = "false"', r"failed \(1\)"),
            (
                "client_secret_file",
                f'client_secret_file = "gone"\n{login}.{TOKEN}',
                "cannot be read",
            ),
            ("refresh_token_file", TOKEN, "cannot be read"),
        ]
    }
    TRIED[f"{login}.token_command"] = (
        f'{SERVERS}{login}.token_command = "gone"',
        "tokens +WHERE: there is no program gone",
    )
"""What is wrong with a setting, and what is found; WHERE is the setting and its line."""

OF_SERVERS = {
    *(f"{login}.{name}" for login in ("imap", "smtp") for name in ("host", "port", "security")),
    *(
        f"{login}.{name}"
        for login in ("imap", "smtp")
        for name in ("user", "password", "token_url")
    ),
    *("imap.mailbox", "imap.archive"),
    *("site.delimiter", "site.catch_all", "site.plain_sender", "site.authserv_id"),
}
"""What servers say of it: the checks that are not --offline, and --loop."""

NAMES_NOTHING = {
    *("site.title", "site.contact", "imap.client_id", "imap.client_secret", "smtp.client_id"),
    *("smtp.client_secret", "imap.after_reading", "imap.after_days", "imap.idle_seconds"),
    *("imap.poll_seconds", "smtp.connections", "smtp.max_mails_per_hour", "smtp.max_mails_per_day"),
    *(
        "lmtp.connections",
        "lmtp.idle_seconds",
        "web.trusted_proxies",
        "watch.alert_again_hours",
        "log.level",
        "log.format",
        "web.try_out",
        "dataset.licence",
        "checkpoints.witnesses",
    ),
    *(name for name in setting_names() if name.startswith(("matches.", "limits.", "strangers."))),
}
"""Numbers, words and names, of which all is known as soon as they are read."""


def test_each_setting_is_tried_or_has_nothing_to_try() -> None:
    """A new setting that names a file, a port, a program or an extra belongs into TRIED."""
    assert sorted([*TRIED, *OF_SERVERS, *NAMES_NOTHING]) == sorted(setting_names())


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which another program listens, and says nothing."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        yield listener.getsockname()[1]


def written(service: Service, text: str) -> dict[str, str]:
    """Settings of which these are the last; where each of them stands."""
    lines = text.splitlines()
    ways = "" if SERVERS in text else FOLDERS
    kept = [line for line in ways.splitlines() if line.partition(" ")[0] not in text]
    whole = [*([] if not text else BEGINS.splitlines()), *kept, *lines]
    service.write("\n".join(whole))
    return {
        line.partition(" ")[0]: rf"{service.config}, line {number}"
        for number, line in enumerate(whole, 1)
    }


@pytest.mark.parametrize("name", TRIED)
def test_what_a_start_would_fail_for_is_found(
    service: Service, name: str, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, said = (part.replace("TAKEN", str(taken)) for part in TRIED[name])
    if name == "lmtp.enabled":
        monkeypatch.setitem(sys.modules, "aiosmtpd", None)
    where = re.escape(f"{name} ({written(service, text).get(name, '')})")
    found = service.run("check", "--offline", code=1)
    assert re.search(rf"WRONG {said.replace('WHERE', where)}", found)


@pytest.mark.parametrize("proxies", ["gone", "10.0.0.1/8", "::1, 300.0.0.1"])
def test_proxies_that_are_no_addresses_are_refused(service: Service, proxies: str) -> None:
    """They name nothing that could be missing: all is known as soon as they are read."""
    where = written(service, f'web.trusted_proxies = "{proxies}"')["web.trusted_proxies"]
    said = service.run("check", "--offline", code=1)
    assert "trusted_proxies are addresses and networks: " in said
    assert re.search(where, said)


def test_what_nobody_wants_is_not_tried(service: Service) -> None:
    """The default port of pages may be another program's where there are no pages."""
    written(service, "log.level = 'info'")
    assert not re.search(" (web|lmtp|metrics|tokens) ", service.run("check", "--offline"))


@pytest.mark.parametrize("name", ["config.toml", "pbem.db", "pbem.db-wal"])
def test_what_others_may_read_is_found(service: Service, name: str) -> None:
    file = service.folder / name
    file.touch()
    file.chmod(0o644)
    said = service.run("check", "--offline", code=1)
    assert f"other users can read {file}: run `chmod 600 {file}`" in said
    assert said.endswith("1 thing to mend\n")


def test_a_port_that_pbem_has_already_is_well(service: Service) -> None:
    """Pages are served while somebody looks whether they can be."""
    from http.server import BaseHTTPRequestHandler, HTTPServer
    from threading import Thread

    class Healthy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"ok\n")

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Healthy) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        written(service, f'web.listen = "127.0.0.1:{server.server_port}"')
        said = service.run("check", "--offline")
        server.shutdown()
        thread.join()
    assert f"127.0.0.1:{server.server_port}, where a pbem answers now" in said


def test_a_file_of_metrics_needs_its_ending_and_leaves_no_trace(service: Service) -> None:
    written(service, 'metrics.textfile = "pbem.txt"')
    before = {*service.folder.iterdir()}
    said = service.run("check", "--offline", code=1)
    assert "its name has to end with .prom" in said
    assert {path for path in service.folder.iterdir() if path.suffix != ".lock"} <= before


def test_pages_name_the_setting_of_a_port_that_is_taken(service: Service, taken: int) -> None:
    where = written(service, f'web.listen = "127.0.0.1:{taken}"')["web.listen"]
    said = service.run("web", code=1)
    assert f"web.listen ({where}): 127.0.0.1:{taken} cannot be had: Address already in use" in said


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("lmtp.enabled = true\nlmtp.port = TAKEN", "lmtp.port"),
        ('metrics.listen = "127.0.0.1:TAKEN"', "metrics.listen"),
    ],
)
def test_the_service_names_the_setting_of_a_port_that_is_taken(
    service: Service, taken: int, text: str, names: str
) -> None:
    where = written(service, text.replace("TAKEN", str(taken)))[names]
    said = service.run("serve", code=1)
    assert f"{names} ({where})" in said
    assert str(taken) in said


def test_a_database_that_cannot_be_written_is_found(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, _: Path(path).name != "pbem.db")
    said = service.run("check", "--offline", code=1)
    assert f"{service.database} cannot be written: `pbem serve` has to" in said
