"""`pbem web`: pages for browsers, beside the service."""

from __future__ import annotations

import typer

from pbem.cli.opening import settings_of


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(web)


def web(ctx: typer.Context) -> None:
    """Show matches to browsers, and let players move there, until stopped.

    It stands beside `pbem serve`, which plays what the forms send. [web] in the settings says where
    it listens; a proxy with TLS belongs before it (docs/operators.md).
    """
    import asyncio

    from pbem.cli.serve import log_to_stderr
    from pbem.wiring import pages

    settings = settings_of(ctx)
    log_to_stderr(settings.log)
    asyncio.run(pages.serve_pages(settings))
