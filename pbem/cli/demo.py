"""The command `pbem demo`: play by email on this machine, without an account or a server."""

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
    from pbem.demo.background import DemoThread
    from pbem.demo.club import DemoClub, DemoTerms
    from pbem.demo.terminal import Terminal


def demo(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")] = "logger",
    *,
    seats: Annotated[int, typer.Option(metavar="N", help="How many play, you included.")] = 2,
    bot: Annotated[
        str, typer.Option(metavar="LEVEL", help="The opponents' level: easy, medium or strong.")
    ] = "",
    language: Annotated[
        Literal["en", "de"],
        typer.Option(metavar="CODE", help="The language of the emails: en or de."),
    ] = "en",
    automatic: Annotated[
        bool, typer.Option("--auto", help="Let a program play for you, and verify the match.")
    ] = False,
    web: Annotated[
        bool, typer.Option("--web", help="Play on a page as well, and open it in the browser.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep the service and all emails in this new folder."),
    ] = None,
) -> None:
    """Play by email on this machine, against programs.

    You are Alice, and see her emails in the terminal. Your input is sent as a reply.
    """
    edition = choose_game(join_words(game, ctx), seats=seats)
    level = choose_level(edition, bot)
    if automatic and web:
        raise typer.BadParameter("--auto needs no page, so it does not go with --web.")
    if web:
        from pbem.server.running import require_web_packages

        require_web_packages()
    from pbem.demo.club import DemoTerms
    from pbem.server.log_setup import configure_logging
    from pbem.settings import LogSettings

    configure_logging(LogSettings(level="error"))
    terms = DemoTerms(game=edition, seats=seats, level=level, language=language)
    with _make_folder(folder) as place, contextlib.suppress(KeyboardInterrupt):
        files = None if folder is None else place / "files"
        _play(place, terms, files, is_automatic=automatic, has_pages=web)
    if folder is not None:
        print_line(f"Everything is in {folder}: `pbem --config {folder}/config.toml match list`.")


@contextlib.contextmanager
def _make_folder(folder: Path | None) -> Iterator[Path]:
    """Yield the folder of the demo's service.

    If no folder is given, yield a temporary folder, which is removed at the end.
    """
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="pbem-demo-", ignore_cleanup_errors=True) as name:
            yield Path(name)
        return
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise typer.BadParameter(f"{folder} is not empty. Name a new one.", param_hint="--folder")
    yield folder


def _play(
    place: Path, terms: DemoTerms, files: Path | None, *, is_automatic: bool, has_pages: bool
) -> None:
    from pbem.demo.background import DemoThread, open_browser, open_port
    from pbem.demo.club import DemoClub
    from pbem.demo.terminal import Terminal

    with contextlib.ExitStack() as stack:
        listener, address = open_port() if has_pages else (None, "")
        if listener is not None:
            stack.enter_context(listener)
        thread = DemoThread()
        stack.callback(thread.close)
        club = DemoClub(place, terms, address)
        stack.callback(lambda: thread.run(club.close()))
        read = _read_or_wait if has_pages else None
        terminal = Terminal(club, thread.run, files=files, read=read, write=print_line)
        thread.run(club.begin())
        if is_automatic:
            _play_alone(club, thread, terminal)
            return
        page = ""
        if listener is not None:
            page = thread.run(club.find_page(club.inbox[0].match))
            stack.callback(thread.stop)
            thread.serve(club, listener, terminal.announce)
            open_browser(page)
        terminal.greet(page)
        terminal.converse()


def _play_alone(club: DemoClub, thread: DemoThread, terminal: Terminal) -> None:
    """Play a whole match between programs, and verify its log.

    Raises:
        DemoError: The log has faults.
    """
    from pbem.demo.club import DemoError

    club.replied = lambda name, text: print_line(f"{name}: {' / '.join(text.splitlines())}")
    match = club.inbox[0].match
    thread.run(club.play_alone())
    terminal.show_new()
    if faults := thread.run(club.verify(match)):
        raise DemoError("\n".join(faults))
    print_line(f"The log of {match} is right: its chain, its draws, its moves, its result.")


def _read_or_wait(prompt: str) -> str:
    """Return a typed line.

    If the input has ended and is not a terminal, wait for Ctrl-C while pages are served.

    Raises:
        EOFError: The person has ended the input of the terminal.
    """
    from pbem.demo.line_editor import read_line

    try:
        return read_line(prompt)
    except EOFError:
        if not sys.stdin.isatty():
            threading.Event().wait()
        raise
