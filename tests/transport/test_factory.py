from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.errors import ConfigError
from pbem.settings import load_settings
from pbem.transport.factory import make_mail_server, open_mailbox, open_mailer
from pbem.transport.imap import ImapMailbox
from pbem.transport.maildir import MaildirMailbox, MaildirMailer
from pbem.transport.oauth import RefreshToken, TokenCommand
from pbem.transport.smtp import SmtpMailer
from tests.transport.hostile_imap import HOST, run_hostile_imap
from tests.transport.smtp_sink import run_smtp_sink

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.settings import Settings


def load(folder: Path, text: str) -> Settings:
    (folder / "config.toml").write_text(text)
    return load_settings(folder / "config.toml")


def test_servers_are_made_from_the_settings(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("s3cret\n")
    text = (
        'imap = { host = "h.example", user = "u", password_file = "password", port = 1993 }\n'
        'smtp = { host = "s.example", port = 587, security = "starttls", user = "u",'
        " token_command = \"get-token -a 'my account'\" }"
    )
    settings = load(tmp_path, text)
    assert isinstance(open_mailbox(settings), ImapMailbox)
    assert isinstance(open_mailer(settings), SmtpMailer)
    imap, smtp = make_mail_server(settings.imap), make_mail_server(settings.smtp)
    assert (str(imap), imap.password, imap.security) == ("h.example:1993", "s3cret", "tls")
    assert (str(smtp), smtp.security) == ("s.example:587", "starttls")
    assert "s3cret" not in repr(imap)
    assert smtp.fetch_token == TokenCommand(["get-token", "-a", "my account"])


async def test_the_servers_of_the_settings_are_asked(tmp_path: Path) -> None:
    async with run_hostile_imap() as imap, run_smtp_sink() as smtp:
        here = f'host = "{HOST}", security = "none"'
        settings = load(
            tmp_path,
            f'imap = {{ {here}, port = {imap.port}, user = "u", password = "p", mailbox = "A" }}\n'
            f"smtp = {{ {here}, port = {smtp.port} }}",
        )
        mailbox, mailer = open_mailbox(settings), open_mailer(settings)
        assert await mailbox.check() == f"{HOST}:{imap.port}, A of u"
        assert await mailer.check() == f"{HOST}:{smtp.port}"
        await mailbox.close()


def test_a_refresh_token_is_used_for_the_login(tmp_path: Path) -> None:
    text = (
        'imap = { host = "h.example", user = "u", token_url = "https://t.example",'
        ' client_id = "me", client_secret = "hush", refresh_token_file = "refresh" }'
    )
    server = make_mail_server(load(tmp_path, text).imap)
    assert server.fetch_token == RefreshToken(
        "https://t.example", "me", tmp_path / "refresh", "hush"
    )


def test_folders_are_used_in_place_of_servers(tmp_path: Path) -> None:
    settings = load(tmp_path, 'maildir = { incoming = "in", outgoing = "out" }')
    assert isinstance(open_mailbox(settings), MaildirMailbox)
    assert isinstance(open_mailer(settings), MaildirMailer)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "set imap.host or maildir.incoming"),
        ('imap = { host = "h", user = "u", password_file = "none" }', "password file"),
        ('imap = { host = "h", user = "u", password_file = "" }', "No password is set for u at h"),
        ('imap = { host = "h", ca_file = "none" }', "Cannot read the certificates"),
    ],
)
def test_what_is_missing_is_named(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        open_mailbox(load(tmp_path, text))
