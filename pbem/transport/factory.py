"""Create the mailbox and the mailer that the settings specify."""

from __future__ import annotations

import shlex

from pbem.errors import ConfigError
from pbem.settings import ServerSettings, Settings
from pbem.transport import Mailbox, Mailer
from pbem.transport.imap import ImapMailbox
from pbem.transport.mail_server import MailServer
from pbem.transport.maildir import MaildirMailbox, MaildirMailer
from pbem.transport.oauth import RefreshToken, TokenCommand
from pbem.transport.smtp import SmtpMailer


def open_mailbox(settings: Settings) -> Mailbox:
    """Return the mailbox that the settings specify, which connects at the first fetch.

    Raises:
        ConfigError: No mailbox is set, or a password or certificate cannot be read.
    """
    if settings.maildir.incoming is not None:
        return MaildirMailbox(settings.maildir.incoming)
    if settings.imap.host:
        return ImapMailbox(make_mail_server(settings.imap), mailbox=settings.imap.mailbox)
    raise ConfigError("Cannot receive email: set imap.host or maildir.incoming.")


def open_mailer(settings: Settings) -> Mailer:
    """Return the mailer that the settings specify, which connects when it sends the first email.

    Raises:
        ConfigError: No server is set, or a password or certificate cannot be read.
    """
    if settings.maildir.outgoing is not None:
        return MaildirMailer(settings.maildir.outgoing)
    if settings.smtp.host:
        return SmtpMailer(make_mail_server(settings.smtp))
    raise ConfigError("Cannot send email: set smtp.host or maildir.outgoing.")


def make_mail_server(section: ServerSettings) -> MailServer:
    """Return the server and login that a section of the settings, `imap` or `smtp`, specifies.

    Raises:
        ConfigError: There is no password, or it or `ca_file` cannot be read.
    """
    fetch_token: TokenCommand | RefreshToken | None = None
    if section.token_command:
        fetch_token = TokenCommand(shlex.split(section.token_command))
    elif section.token_url and section.refresh_token_file is not None:
        fetch_token = RefreshToken(
            url=section.token_url,
            client_id=section.client_id,
            client_secret=section.client_secret.get_secret_value(),
            file=section.refresh_token_file,
        )
    server = MailServer(
        host=section.host,
        port=section.port,
        security=section.security,
        user=section.user,
        password=section.read_password(),
        fetch_token=fetch_token,
        ca_file=section.ca_file,
    )
    if server.user and not server.password and fetch_token is None:
        raise ConfigError(f"No password is set for {server.user} at {server}. Set password_file.")
    if server.security != "none":
        server.tls_context()  # fails now rather than at the first connection
    return server
