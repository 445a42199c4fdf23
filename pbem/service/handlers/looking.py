"""Commands that show something and change nothing."""

from __future__ import annotations

from pbem.mail.commands import Argument
from pbem.match.verify import verify_match
from pbem.service.registry import COMMANDS, N_, Needs, Request, command
from pbem.store import event_log


@command("board", help=N_("show the board"))
def show_board(request: Request) -> None:
    """Answer with the board as it is now."""
    request.match()
    request.reply("answer", topic="board")


@command("history", "moves", help=N_("show all moves"))
def show_history(request: Request) -> None:
    """Answer with all moves and draws."""
    request.match()
    request.reply("answer", topic="history")


@command("verify", help=N_("check draws, moves and the log of the match"))
def verify(request: Request) -> None:
    """Answer with what is wrong in the log of the match; nothing, if it is right."""
    match, conn = request.match(), request.uow.conn
    faults = event_log.verify_chain(conn, match.id)
    faults += verify_match(match.id, event_log.load_events(conn, match.id))
    request.reply("answer", topic="verify", faults=faults)


@command("help", help=N_("list the commands"), needs=Needs.PLAYER, argument=Argument.OPTIONAL)
def show_help(request: Request) -> None:
    """Answer with the commands and what each of them does."""
    request.reply("answer", topic="help", commands=list_help())


def list_help() -> list[dict[str, str]]:
    """Return every command with what it does, as templates list them."""
    return [
        {"usage": registered.spec.name, "help": registered.help} for registered in COMMANDS.values()
    ]
