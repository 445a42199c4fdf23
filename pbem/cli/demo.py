"""`pbem demo`: play by email on this machine, against programs, without an account or a server."""

from __future__ import annotations

import contextlib
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pbem.cli.games import choose_game, choose_level, join_words
from pbem.cli.output import print_line

if TYPE_CHECKING:
    from pbem.demo.club import DemoTerms


def demo(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")] = "logger",
    *,
    seats: Annotated[int, typer.Option(metavar="N", help="How many play, you included.")] = 2,
    bot: Annotated[
        str, typer.Option(metavar="LEVEL", help="How well the others play: easy, medium or strong.")
    ] = "",
    language: Annotated[
        Literal["en", "de"],
        typer.Option(metavar="CODE", help="The language of the emails: en or de."),
    ] = "en",
    automatic: Annotated[
        bool, typer.Option("--auto", help="Let a program play for you, and check the match.")
    ] = False,
    web: Annotated[
        bool, typer.Option("--web", help="Play on a page as well, and open it in the browser.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep the service and all emails in a new folder."),
    ] = None,
) -> None:
    """Play by email on this machine, against programs.

    You are Alice, and see her emails at the terminal. What you type is sent as a reply.
    """
    found = choose_game(join_words(game, ctx), seats=seats)
    level = choose_level(found, bot)
    if automatic and web:
        raise typer.BadParameter("--auto needs no page, so it does not go with --web.")
    if web:
        require_pages()
    from pbem.demo.club import DemoTerms
    from pbem.server.log_setup import configure_logging
    from pbem.settings import LogSettings

    configure_logging(LogSettings(level="error"))
    terms = DemoTerms(game=found, seats=seats, level=level, language=language)
    with _make_folder(folder) as place, contextlib.suppress(KeyboardInterrupt):
        files = None if folder is None else place / "files"
        if web:
            _play_on_pages(place, terms, files)
        else:
            _play(place, terms, files, is_automatic=automatic)
    if folder is not None:
        print_line(f"Everything is in {folder}: `pbem --config {folder}/config.toml match list`.")


def require_pages() -> None:
    """Refuse `--web` if the packages that serve pages are missing."""
    from pbem.demo.pages import find_missing_package

    missing = find_missing_package()
    if missing is not None:
        raise typer.BadParameter(
            f"{missing} is not installed. Run `pip install 'pbem[web]'`.", param_hint="--web"
        )


@contextlib.contextmanager
def _make_folder(folder: Path | None) -> Iterator[Path]:
    """Make the folder of the service; a temporary one is removed at the end."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="pbem-demo-", ignore_cleanup_errors=True) as name:
            yield Path(name)
        return
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise typer.BadParameter(f"{folder} is not empty. Name a new one.", param_hint="--folder")
    yield folder


def _play(place: Path, terms: DemoTerms, files: Path | None, *, is_automatic: bool) -> None:
    import asyncio

    from pbem.demo.club import DemoClub, DemoError
    from pbem.demo.terminal import Terminal

    with asyncio.Runner() as runner:
        club = DemoClub(place, terms)
        terminal = Terminal(club, runner.run, files=files, write=print_line)
        try:
            runner.run(club.begin())
            if not is_automatic:
                terminal.greet()
                terminal.converse()
                return
            club.replied = lambda name, text: print_line(f"{name}: {' / '.join(text.splitlines())}")
            match = club.inbox[0].match
            runner.run(club.play_alone())
            terminal.show_new()
            if faults := runner.run(club.verify(match)):
                raise DemoError("\n".join(faults))
            print_line(f"The log of {match} is right: its chain, its draws, its moves, its result.")
        finally:
            runner.run(club.close())


def _play_on_pages(place: Path, terms: DemoTerms, files: Path | None) -> None:
    from pbem.demo.club import DemoClub
    from pbem.demo.pages import PagesThread, open_browser, open_port
    from pbem.demo.terminal import Terminal

    listener, address = open_port()
    thread = PagesThread()
    club = DemoClub(place, terms, address)
    terminal = Terminal(club, thread.run, files=files, read=_read_or_wait, write=print_line)
    try:
        thread.run(club.begin())
        page = thread.run(club.find_page(club.inbox[0].match))
        thread.serve(club, listener, terminal.announce)
        terminal.greet(page)
        open_browser(page)
        terminal.converse()
    finally:
        thread.stop()
        thread.run(club.close())
        thread.close()
        listener.close()


def _read_or_wait(prompt: str) -> str:
    """Return a typed line. Without a terminal the pages stay until Ctrl-C."""
    from pbem.demo.line_editor import read_line

    try:
        return read_line(prompt)
    except EOFError:
        if not sys.stdin.isatty():
            threading.Event().wait()
        raise
