"""Execution of emails: their commands, in the order in which they were typed, and one move.

Each command is executed by its handler. A refused command does not undo the others. A move
is played if the email has exactly one and no other words cast doubt on it. Otherwise the
player is asked whether it was meant, and the move is stored until they answer. Text after
`say` next to a move is sent with the move, or not at all if the move is refused. One email
answers everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from pbem.errors import Rejection
from pbem.mail.commands import Command, ParsedEmail, parse
from pbem.mail.inbound import InboundEmail
from pbem.match.events import Source
from pbem.names import PlayerId
from pbem.service.handlers.looking import view_open_matches
from pbem.service.handlers.offers import DRAW, answer_offer
from pbem.service.handlers.playing import NOW, give_order
from pbem.service.handlers.talk import SAY
from pbem.service.moves import ask_about_move, submit_move
from pbem.service.reading import MatchGrammar
from pbem.service.registry import COMMANDS, Request, Submission, command_table
from pbem.store.tables import PlayerRow

MAX_COMMANDS: Final = 20  # commands in an email; more are probably quoted from a list


@dataclass(kw_only=True, slots=True)
class EmailSubmission(Submission):
    """An email while it is being processed."""

    email: InboundEmail


def parse_text(submission: Submission, player: PlayerRow, text: str) -> ParsedEmail:
    """Return the commands and moves in `text`, which the player typed.

    Moves are recognised only if the player has a seat in the match of the submission.
    """
    match, player_id = submission.match(), PlayerId(player.id)
    grammar = None
    if match is not None and match.seat_of(player_id) is not None:
        grammar = MatchGrammar(match, player_id)
    return parse(text, command_table(), grammar)


def execute_parsed(submission: Submission, player: PlayerRow, parsed: ParsedEmail) -> str:
    """Execute the standing orders, commands and move of a parsed text, and return the outcome.

    The outcome is a short description of what was done, for the operator. A text with more than
    `MAX_COMMANDS` commands is refused as a whole.
    """
    if len(parsed.commands) > MAX_COMMANDS:
        return refuse(submission.request(player, ""), Rejection("email_too_large"))
    parsed, outcomes = _give_orders(submission, player, parsed)
    commands, messages = list(parsed.commands), list[str]()
    if parsed.moves or any(attempt.command is None for attempt in parsed.attempts):
        messages = [command.argument for command in commands if command.name == SAY]
        commands = [command for command in commands if command.name != SAY]
    if parsed.attempts or len(parsed.moves) > 1 or (parsed.moves and parsed.is_doubtful):
        # If the move is refused, or we ask about it, no binding command of the email is executed.
        binding = [command for command in commands if COMMANDS[command.name].spec.is_binding]
        commands = [command for command in commands if command not in binding]
        remarks = (*parsed.remarks, *(command.typed for command in binding))
        parsed = replace(parsed, remarks=remarks)
    answer = _answer_offer(submission, player, parsed)
    if answer is not None:
        outcomes.append(answer)
        remarks = (*parsed.remarks, *(attempt.typed for attempt in parsed.attempts))
        parsed = replace(parsed, remarks=remarks, attempts=())
    outcomes += [
        _execute_command(submission, player, command)
        for command in commands
        if not _comes_after_move(command, parsed)
    ]
    if parsed.moves or parsed.attempts:
        outcomes.append(_play(submission, player, parsed, messages))
    outcomes += [
        _execute_command(submission, player, command)
        for command in commands
        if _comes_after_move(command, parsed)
    ]
    if outcomes:
        return ", ".join(outcomes)
    return _answer_empty(submission, player, parsed)


def _give_orders(
    submission: Submission, player: PlayerRow, parsed: ParsedEmail
) -> tuple[ParsedEmail, list[str]]:
    """Add the standing orders in an email to the match.

    From then on, a standing order makes a certain decision for the player whenever it is due.

    Returns:
        The parsed email without its standing orders, and for each of them a short description of
        the outcome: it was added, or refused.
    """
    match, outcomes = submission.match(), list[str]()
    if match is None or not parsed.moves:
        return parsed, outcomes
    moves: list[tuple[str, str]] = []
    for move, typed in zip(parsed.moves, parsed.typed_moves, strict=True):
        if match.game.parse_standing_order(move) is None:
            moves.append((move, typed))
            continue
        request = submission.request(player, typed, move)
        outcomes.append(execute_or_refuse(request, "standing order", partial(give_order, request)))
    remainder = replace(
        parsed,
        moves=tuple(move for move, _ in moves),
        typed_moves=tuple(typed for _, typed in moves),
    )
    return remainder, outcomes


def _comes_after_move(command: Command, parsed: ParsedEmail) -> bool:
    """Return whether a command is executed after the move in its email.

    Commands typed below the move are executed after it, and so are `draw` and `now` wherever they
    are typed.
    """
    return command.is_after_move or (command.name in (DRAW, NOW) and bool(parsed.moves))


def _answer_offer(submission: Submission, player: PlayerRow, parsed: ParsedEmail) -> str | None:
    """Answer a draw offer or a takeback request if the email says yes or no to it.

    An email with a move is ignored here, because the move itself declines the offer.

    Returns:
        A description of the outcome; None if the email does not answer an offer.
    """
    match = submission.match()
    if parsed.answer is None or parsed.moves or match is None:
        return None
    if any(attempt.command is not None or attempt.is_near for attempt in parsed.attempts):
        return None
    # If no offer is open, a yes or no means a past offer only in a reply to the email about it.
    is_open = match.offers.draw is not None or match.offers.takeback is not None
    if not is_open and all(email.kind != "offer" for email in submission.sender.answered_emails):
        return None
    request = submission.request(player, parsed.answer)
    answer = partial(answer_offer, request, agrees=parsed.answer == "yes")
    return execute_or_refuse(request, "answered an offer", answer)


def _answer_empty(submission: Submission, player: PlayerRow, parsed: ParsedEmail) -> str:
    """Answer an email without commands or moves, and return a short description of the outcome.

    The answer shows the board, or the sender's open matches if the email is not about a match. If
    the email has only one line, which resembles a command, it is refused as an unknown command
    instead.
    """
    request = submission.request(player, "")
    remarks = list(parsed.remarks)
    near = command_table().find_near(remarks[0]) if len(remarks) == 1 else None
    if near is not None:
        return refuse(replace(request, typed=remarks[0]), Rejection("unknown_command", near=near))
    if request.match_id is None:
        views = view_open_matches(submission.uow, request.player)
        return answer_without_commands(request, topic="lost", matches=views)
    return answer_without_commands(request, topic="board", remarks=remarks, is_unread=bool(remarks))


def answer_without_commands(request: Request, **facts: Any) -> str:
    """Answer an email without commands or moves, unless the sender has exceeded a rate limit.

    Args:
        request: The request, which has no command.
        facts: The values for the template.

    Returns:
        A short description of the outcome.
    """
    if request.submission.source is not Source.PAGE:
        count = request.uow.limits.count_board_answer(request.player_id)
        if count.is_over:
            return "nothing to do, and answered often enough"
        if count.is_last:
            facts["silent_until"] = count.until
    request.reply("answer", **facts)
    return "nothing to do"


def _execute_command(submission: Submission, player: PlayerRow, command: Command) -> str:
    request = submission.request(player, command.typed, command.argument)
    registered = COMMANDS[command.name]
    if registered.needs_match and request.match_id is None:
        return refuse(request, Rejection("which_match", command=command.name))
    return execute_or_refuse(request, command.name, partial(registered.execute, request))


def _play(
    submission: Submission, player: PlayerRow, parsed: ParsedEmail, messages: Sequence[str]
) -> str:
    """Play the one move of an email, or ask whether it was meant, or refuse the email's moves.

    Args:
        submission: The email.
        player: The sender.
        parsed: The parsed text of the email.
        messages: The texts after `say`, which are sent with the move, or not at all.

    Returns:
        A short description of the outcome.
    """
    message = "\n\n".join(messages)
    request = submission.request(player, " / ".join(parsed.typed_moves))
    if len(parsed.moves) > 1:
        rejection = Rejection("several_moves", moves=list(parsed.moves))
        return refuse(request, rejection, is_move=True, unsent=messages, meant=parsed.moves)
    if parsed.moves:
        [move] = parsed.moves
        is_clear = not (parsed.attempts or parsed.is_doubtful)
        if not is_clear and submission.source is Source.PAGE:  # the page offers the move
            rejection = Rejection("unreadable", word=submission.text)
            return refuse(request, rejection, is_move=True, meant=parsed.moves)
        if not is_clear:
            typed_words = [attempt.typed for attempt in parsed.attempts] + [*parsed.remarks]
            ask = partial(ask_about_move, request, move, beside=typed_words, message=message)
            return execute_or_refuse(
                request, "asked about the move", ask, is_move=True, unsent=messages
            )
        submit = partial(submit_move, request, move, message=message, remarks=parsed.remarks)
        return execute_or_refuse(request, "move", submit, is_move=True, unsent=messages)
    attempt = parsed.attempts[0]
    is_move = attempt.command is None
    if attempt.command == SAY and len(attempt.typed.split()) == 1:
        rejection = Rejection("nothing_said")
    elif attempt.command is not None:
        registered = COMMANDS[attempt.command]
        rejection = Rejection(
            "unclear_command",
            command=attempt.command,
            usage=registered.find_usage(player.language),
            help=registered.help,
        )
    else:
        rejection = attempt.rejection or Rejection("unreadable", word=attempt.typed)
    request = submission.request(player, attempt.typed)
    readings = rejection.facts.get("readings")  # if the text has several meanings
    meant = [*map(str, readings)] if isinstance(readings, list) else list(attempt.suggestions)
    is_one = is_move and len(meant) == 1 and rejection.code == "unreadable"
    if is_one and submission.source is not Source.PAGE:
        # The line has one move, and other words that may contradict it.
        beside = [attempt.typed, *parsed.remarks]
        ask = partial(
            ask_about_move, request, meant[0], beside=beside, is_part=True, message=message
        )
        return execute_or_refuse(
            request, "asked about the move", ask, is_move=True, unsent=messages
        )
    return refuse(request, rejection, is_move=is_move, unsent=messages, meant=meant)


def execute_or_refuse(
    request: Request,
    outcome: str,
    execute: Callable[[], None],
    *,
    is_move: bool = False,
    unsent: Sequence[str] = (),
) -> str:
    """Call `execute`, and send the sender a refusal if it raises a `Rejection`.

    Args:
        request: The request with the command or move.
        outcome: The description of the outcome if there is no rejection.
        execute: The function that executes the command or move.
        is_move: Whether the request is a move.
        unsent: Messages to the other players (by the command `say`) in the same email. If the move
            is refused, they are not sent, and the refusal says so.

    Returns:
        A short description: `outcome`, or the description of the refusal.
    """
    request.uow.actor = request.player_id
    try:
        execute()
    except Rejection as rejection:
        return refuse(request, rejection, is_move=is_move, unsent=unsent)
    return outcome


def refuse(
    request: Request,
    rejection: Rejection,
    *,
    is_move: bool = False,
    unsent: Sequence[str] = (),
    meant: Sequence[str] = (),
) -> str:
    """Send the sender the reason why the request is refused.

    Nothing is sent if the sender has exceeded the rate limit for refusals by email.

    Args:
        request: The request with the command or move.
        rejection: The reason for the refusal.
        is_move: Whether the request is a move.
        unsent: The texts after `say` in the same email. They are not sent now that the move is
            refused.
        meant: The notations of moves that the sender may have meant, offered in the answer.

    Returns:
        A short description of the outcome.
    """
    facts: dict[str, Any] = {"unsent": list(unsent)} if unsent else {}
    if meant:
        facts["meant"] = list(meant)
    if request.submission.source is not Source.PAGE:  # a page shows the answer, so no email is sent
        count = request.uow.limits.count_refusal(request.player_id)
        if count.is_over:
            return f"refused, and answered often enough: {rejection.code}"
        if count.is_last:
            facts["silent_until"] = count.until
    request.reply(
        "refusal",
        code=rejection.code,
        facts=dict(rejection.facts),
        typed=request.typed,
        is_move=is_move,
        **facts,
    )
    return f"refused: {rejection.code}"
