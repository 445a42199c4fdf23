"""The checks of `pbem check`: settings, keys, database, mail servers, and the email loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from jinja2 import TemplateSyntaxError
from sqlalchemy.exc import OperationalError

from pbem.errors import ConfigError
from pbem.games import GAMES
from pbem.games.packages import list_packages
from pbem.notifications.renderer import DEFAULT_LANGUAGE
from pbem.server.probe import CheckResult, probe_loop
from pbem.server.running import bind
from pbem.service.app import App, open_app
from pbem.settings import Settings
from pbem.store.database import describe_outage
from pbem.transport import LoginError, Mailbox, MailboxError, Mailer, TransportError
from pbem.transport.factory import open_mailbox, open_mailer

LOGIN_ADVICE: Final = (
    "Are user and password right? Many providers want an app password, or OAuth2 (token_command)"
)
SERVER_ADVICE: Final = "Do host, port and security belong together?"
CERTIFICATE_ADVICE: Final = "The certificate must be for this host; ca_file can name your own"
EXPIRY_ADVICE: Final = (
    "Renew the certificate, or ask the provider to. Is the clock of this machine right? "
    "It says {now:%Y-%m-%d %H:%M} UTC"
)
DATABASE_ADVICE: Final = "Does it run, may this user write it, is there room on its disk?"


def run_checks(settings: Settings, *, loop_seconds: float | None) -> Iterator[CheckResult]:
    """Yield the results of the checks of `pbem check`, one after another.

    Args:
        settings: The settings.
        loop_seconds: The seconds to wait for a test email that we send to ourselves; None to send
            no test email.
    """
    yield CheckResult(
        "settings", is_well=True, text=settings.site.address or "site.address is missing"
    )
    servers = (("mailbox", open_mailbox), ("sending", open_mailer))
    try:
        app = open_app(settings)
    except (ConfigError, OperationalError) as error:
        reason = describe_outage(error)
        text = str(error) if reason is None else f"{reason.rstrip('.')}. {DATABASE_ADVICE}"
        yield CheckResult("service" if reason is None else "database", is_well=False, text=text)
        yield from (_check_server(name, settings, open_it) for name, open_it in servers)
        return
    try:
        yield CheckResult("database", is_well=True, text=settings.database.shown_url)
        text = app.site.operator or "site.contact is not set, so nobody gets alarms and reports"
        yield CheckResult("contact", is_well=True, text=text)
        yield from _check_extras(app, settings)
        results = [_check_server(name, settings, open_it) for name, open_it in servers]
        yield from results
        if loop_seconds is not None and all(result.is_well for result in results):
            yield from probe_loop(app, settings, seconds=loop_seconds)
    finally:
        app.database.close()


def _check_extras(app: App, settings: Settings) -> Iterator[CheckResult]:
    for text in _find_template_faults(app, settings.site.templates):
        yield CheckResult("templates", is_well=False, text=text)
    for ruleset in list_packages():
        if fault := GAMES.explain_fault(ruleset):
            text = f"{ruleset} cannot be loaded: {fault}. Install another version of its package"
            yield CheckResult("games", is_well=False, text=text)
    if not app.draws_pictures:
        text = "boards are text in emails. `pip install pbem[pictures]` draws them"
        yield CheckResult("pictures", is_well=True, text=text)
    if settings.web.listen:
        try:
            bind(settings).close()
        except ConfigError as error:
            text = f"{error} If `pbem serve` runs, all is well"
            yield CheckResult("web", is_well="in use" in text, text=text)
        else:
            yield CheckResult("web", is_well=True, text=settings.web.listen)
    if settings.database.url.startswith("postgresql") and find_spec("psycopg") is None:
        yield CheckResult("database", is_well=False, text="Run `pip install pbem[postgres]`")


def _find_template_faults(app: App, folder: Path | None) -> Iterator[str]:
    """Yield what is wrong with the operator's folder of templates, if there is one."""
    if folder is None:
        return
    if not folder.is_dir():
        yield f"There is no folder {folder}"
    paths = sorted(folder.rglob("*.j2"))
    words = "".join(path.read_text(errors="replace") for path in paths)
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if name not in words and not any(
            (ours / name).exists() for ours in app.renderer.folders[1:]
        ):
            yield f"{path} replaces no template of pbem. Correct its name, or remove it"
        try:
            app.renderer.environment(DEFAULT_LANGUAGE).get_template(name)
        except (TemplateSyntaxError, UnicodeDecodeError) as error:
            yield f"Cannot read {path}, line {getattr(error, 'lineno', 1)}: {error}"


def _check_server(
    name: str, settings: Settings, open_it: Callable[[Settings], Mailbox | Mailer]
) -> CheckResult:
    """Log in to the mailbox or mailer that `open_it` opens, and return the result.

    `name` is the name of the check.
    """
    try:
        opened = open_it(settings)
        return CheckResult(name, is_well=True, text=asyncio.run(_try(opened.check, opened.close)))
    except (ConfigError, MailboxError) as error:
        text = str(error)
    except LoginError as error:
        text = f"{str(error).rstrip('.')}. {LOGIN_ADVICE}"
    except TransportError as error:
        advice = SERVER_ADVICE
        if "expired" in str(error) or "not yet valid" in str(error):
            advice = EXPIRY_ADVICE.format(now=datetime.now(UTC))
        elif "CERTIFICATE" in str(error):
            advice = CERTIFICATE_ADVICE
        text = f"{str(error).rstrip('.')}. {advice}"
    return CheckResult(name, is_well=False, text=text)


async def _try(check: Callable[[], Awaitable[str]], close: Callable[[], Awaitable[None]]) -> str:
    try:
        return await check()
    finally:
        await close()
