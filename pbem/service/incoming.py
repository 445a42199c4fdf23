"""An inbound email, from bytes to its outcome, in one unit of work.

    bytes -> InboundEmail -> who wrote it -> typed text -> commands and at most one move -> executed

Each command is executed in order; one that is refused does not undo the others. The answers of an
email are one email. An email that nobody wrote (an auto-reply, a bounce, a list) is not answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection

from pbem.errors import Rejection
from pbem.mail.commands import MoveGrammar, ParsedEmail, parse
from pbem.mail.inbound import InboundEmail, UnreadableEmailError, Verdict, parse_inbound
from pbem.mail.quoting import list_sent_lines, remove_quote
from pbem.match.play import read_move
from pbem.match.setup import decline_invitation
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId
from pbem.service import handlers, questions
from pbem.service.app import App
from pbem.service.handlers.challenges import default_name, named_game
from pbem.service.handlers.looking import list_help
from pbem.service.handlers.playing import carry_out_resignation
from pbem.service.identity import Level, Sender, identify_sender
from pbem.service.moves import received_at, submit_move
from pbem.service.registry import COMMANDS, Needs, Request, command_table
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import outbox, players, waiting
from pbem.store.tables import InboxRow, PlayerRow, QuestionRow

__all__ = ["handlers", "process_message"]

DONE: Final = "done"
IGNORED: Final = "ignored"
MAX_ANSWERED: Final = 3  # emails of ours whose lines are looked for in a reply


class _Grammar(MoveGrammar):
    """Reads the moves of one player in one position, by the game's own grammar."""

    def __init__(self, match: Match, player: PlayerId) -> None:
        self._match, self._player = match, player

    def read(self, text: str) -> str:
        """Return the canonical notation of a legal move."""
        return read_move(self._match, self._player, text)

    def has_word(self, text: str) -> bool:
        """Whether a text has a word that only a move of this game is likely to have."""
        return self._match.game.words.search(text) is not None


def process_message(conn: Connection, app: App, row: InboxRow) -> str:
    """Process a message of the inbox in the transaction of `conn`. Return its outcome in a word."""
    now = app.now()
    try:
        email = parse_inbound(
            row.raw or b"", own_address=app.site.address, authserv_id=app.site.authserv_id
        )
    except UnreadableEmailError as error:
        return f"unreadable: {error}"
    if email.automatic is not None or email.sender is None:
        return f"{IGNORED}: {email.automatic or 'no sender'}"
    sender = identify_sender(conn, app, email, email.sender, now)
    uow = UnitOfWork(app, conn, f"email:{row.key}")
    text = _typed_text(conn, app, email)
    handler = _Incoming(uow, email, sender, text, received_at(row.received_at, now))
    outcome = handler.run()
    uow.finish()
    return outcome


def _typed_text(conn: Connection, app: App, email: InboundEmail) -> str:
    """Return what the sender typed: the text without what mail programs quote of our emails."""
    sent_lines: set[str] = set()
    for message_id in email.replies_to[:MAX_ANSWERED]:
        answered = outbox.find_by_message_id(conn, message_id)
        if answered is not None:
            sent_lines |= list_sent_lines(answered.text, answered.html)
    return remove_quote(email.text, sent_lines=sent_lines, own_addresses=[app.site.address])


class _Incoming:
    """One email on its way through the service."""

    def __init__(
        self,
        uow: UnitOfWork,
        email: InboundEmail,
        sender: Sender,
        text: str,
        received: datetime,
    ) -> None:
        self.uow, self.email, self.sender, self.text = uow, email, sender, text
        self.received = received

    def run(self) -> str:
        """Do what the email asks for, at the level of its sender."""
        sender = self.sender
        if sender.question is not None:
            return self._answer_question(sender.question)
        if sender.player is None or sender.player.confirmed_at is None:
            return self._hear_stranger()
        if sender.level is Level.ASKED:
            return self._ask_owner(sender.player)
        return self._execute(sender.player, self.text)

    # --- questions -------------------------------------------------------------------------------

    def _answer_question(self, question: QuestionRow) -> str:
        parsed = parse(self.text, command_table(), None)
        if not self._is_asked(question):
            return f"{IGNORED}: not the asked address"
        if _says_never(self.text):
            players.refuse_mail(self.uow.conn, question.address, self.uow.now)
            waiting.close_question(self.uow.conn, question.id, self.uow.now)
            return "never"
        is_yes = parsed.is_strict_yes if question.is_strict else parsed.answer == "yes"
        if is_yes:
            waiting.close_question(self.uow.conn, question.id, self.uow.now)
            return self._carry_out(question)
        if parsed.answer == "no" or parsed.refuses:
            waiting.close_question(self.uow.conn, question.id, self.uow.now)
            return "no"
        if not question.payload.get("hinted"):
            payload = {**question.payload, "hinted": True}
            waiting.close_question(self.uow.conn, question.id, self.uow.now)
            questions.ask(
                self.uow,
                question.kind,
                question.address,
                player=self._player_of(question),
                match_id=None if question.match is None else MatchId(question.match),
                in_reply_to=self.email.message_id,
                payload=payload,
                commands=list(payload.get("commands", [])),
            )
        return "no answer"

    def _is_asked(self, question: QuestionRow) -> bool:
        if self.sender.address == question.address:
            return True
        player = self.sender.player
        return player is not None and player.id == question.player

    def _player_of(self, question: QuestionRow) -> PlayerRow | None:
        if question.player is None:
            return None
        return players.get_player(self.uow.conn, PlayerId(question.player))

    def _carry_out(self, question: QuestionRow) -> str:
        player = self._player_of(question) or self._register(question.address)
        players.confirm_player(self.uow.conn, PlayerId(player.id), self.uow.now)
        players.allow_mail(self.uow.conn, question.address)
        match_id = None if question.match is None else MatchId(question.match)
        self.sender = replace(self.sender, player=player, match_id=match_id, answers=None)
        if question.kind == questions.RESIGN:
            request = self._request(player, "resign", "")
            return self._guard(player, "resign", lambda: carry_out_resignation(request))
        text = str(question.payload.get("text", ""))
        if question.kind == questions.REGISTER:
            self.uow.emails.reply(player, "welcome", in_reply_to=self.email.message_id)
            if not parse(text, command_table(), None).commands:
                return "registered"
        return self._execute(player, text)

    def _register(self, address: str) -> PlayerRow:
        known = players.find_by_address(self.uow.conn, address)
        if known is not None:
            return known
        return players.add_player(
            self.uow.conn,
            self.uow.app.new_player_id(),
            name=self.email.sender_name or default_name(address),
            address=address,
            now=self.uow.now,
        )

    # --- strangers, and emails in a player's name -------------------------------------------------

    def _hear_stranger(self) -> str:
        """Answer somebody who has not said yes to us yet: an invited player, or a stranger."""
        uow, address = self.uow, self.sender.address
        is_invited = self.sender.match_id is not None and self.sender.level is Level.VERIFIED
        if self.sender.player is not None and is_invited:
            return self._answer_invitation(self.sender.player)
        is_own = self.email.verdict is Verdict.PASS  # lifts what somebody said with `never`
        if self.email.verdict is Verdict.FAIL:
            return f"{IGNORED}: forged"
        if players.wants_no_mail(uow.conn, address) and not is_own:
            return f"{IGNORED}: wants no email"
        if uow.app.site.address.lower() not in self.email.recipients:
            return f"{IGNORED}: stranger at another address"
        if questions.was_asked_today(uow, questions.REGISTER, address, uow.now):
            return f"{IGNORED}: asked before"
        questions.ask(
            uow,
            questions.REGISTER,
            address,
            player=self.sender.player,
            in_reply_to=self.email.message_id,
            payload={"text": self.text, "commands": self._canonical_commands()},
            commands=self._canonical_commands(),
        )
        return "asked a stranger"

    def _answer_invitation(self, player: PlayerRow) -> str:
        """Read the answer of an invited player who was never asked anything else."""
        parsed = parse(self.text, command_table(), None)
        names = {command.name for command in parsed.commands}
        if _says_never(self.text):
            return self._refuse_mail(player)
        if "decline" in names or parsed.answer == "no":
            return self._run_commands(player, parsed, ["decline"])
        if parsed.is_strict_yes or "accept" in names:
            return self._run_commands(player, parsed, ["accept"])
        return self._execute(player, self.text)

    def _refuse_mail(self, player: PlayerRow) -> str:
        """Decline an invitation without an answer, and never write to that address again."""
        uow, match = self.uow, self._match()
        players.refuse_mail(uow.conn, self.sender.address, uow.now)
        if match is not None and PlayerId(player.id) in match.waiting_for:
            uow.actor = PlayerId(player.id)
            uow.append(match.id, decline_invitation(match, PlayerId(player.id), now=uow.now))
        return "never"

    def _ask_owner(self, player: PlayerRow) -> str:
        """Ask a player whether they wrote an email that does not prove it."""
        uow = self.uow
        [address, *_] = players.list_addresses(uow.conn, PlayerId(player.id))
        if questions.was_asked_today(uow, questions.CONFIRM, address, uow.now):
            return f"{IGNORED}: asked before"
        questions.ask(
            uow,
            questions.CONFIRM,
            address,
            player=player,
            in_reply_to=self.email.message_id,
            payload={"text": self.text},
            commands=self._canonical_commands(),
        )
        return "asked the owner"

    def _canonical_commands(self) -> list[str]:
        """Return the commands of the email without its own words, which may be a forger's."""
        commands = parse(self.text, command_table(), None).commands
        return [
            f"new {named_game(command.argument)}".strip() if command.name == "new" else command.name
            for command in commands
        ]

    # --- commands ---------------------------------------------------------------------------------

    def _execute(self, player: PlayerRow, text: str) -> str:
        """Execute the commands of a text, and its move."""
        match = self._match()
        grammar = None
        if match is not None and match.seat_of(PlayerId(player.id)) is not None:
            grammar = _Grammar(match, PlayerId(player.id))
        parsed = parse(text, command_table(), grammar)
        names = [command.name for command in parsed.commands]
        is_invited = match is not None and PlayerId(player.id) in match.waiting_for
        if is_invited and parsed.answer is not None and not names:
            names = ["accept" if parsed.answer == "yes" else "decline"]
        outcome = self._run_commands(player, parsed, names)
        if parsed.moves or parsed.attempts:
            return self._play(player, parsed)
        if not names and match is not None:
            self._reply(player, "answer", topic="board")
            return "nothing to do"
        if not names:
            self._reply(player, "answer", topic="help", commands=list_help())
        return outcome

    def _run_commands(self, player: PlayerRow, parsed: ParsedEmail, names: Sequence[str]) -> str:
        arguments = {command.name: command for command in parsed.commands}
        for name in names:
            given = arguments.get(name)
            request = self._request(
                player, given.typed if given else name, given.argument if given else ""
            )
            registered = COMMANDS[name]
            if registered.needs is Needs.MATCH and request.match_id is None:
                self._refuse(player, Rejection("which_match", command=name), request.typed)
                continue
            self._guard(player, request.typed, partial(registered.execute, request))
        return f"{DONE}: {' '.join(names)}" if names else DONE

    def _play(self, player: PlayerRow, parsed: ParsedEmail) -> str:
        """Submit the one move of an email, or refuse what is no move."""
        is_clear = len(parsed.moves) == 1 and not parsed.attempts and not parsed.is_doubtful
        if is_clear:
            move = parsed.moves[0]
            request = self._request(player, move, "")
            return self._guard(player, move, lambda: submit_move(request, move))
        if parsed.moves:
            rejection = Rejection("several_moves", moves=list(parsed.moves))
            self._refuse(player, rejection, " / ".join(parsed.typed_moves), is_move=True)
            return "several moves"
        attempt = parsed.attempts[0]
        rejection = attempt.rejection or Rejection("unreadable", word=attempt.typed)
        self._refuse(player, rejection, attempt.typed, is_move=attempt.command is None)
        return f"refused: {rejection.code}"

    def _guard(self, player: PlayerRow, typed: str, execute: Callable[[], None]) -> str:
        """Execute a command; a refusal becomes the answer."""
        try:
            execute()
        except Rejection as rejection:
            self._refuse(player, rejection, typed)
            return f"refused: {rejection.code}"
        return DONE

    def _refuse(
        self, player: PlayerRow, rejection: Rejection, typed: str, *, is_move: bool = False
    ) -> None:
        self._reply(
            player,
            "refusal",
            code=rejection.code,
            facts=dict(rejection.facts),
            typed=typed,
            is_move=is_move,
        )

    def _reply(self, player: PlayerRow, kind: str, **facts: Any) -> None:
        match_id = self.sender.match_id
        if match_id is not None:
            self.uow.load_match(match_id)
        self.uow.emails.reply(
            player, kind, match_id=match_id, in_reply_to=self.email.message_id, **facts
        )

    def _request(self, player: PlayerRow, typed: str, argument: str) -> Request:
        return Request(
            uow=self.uow,
            player=player,
            match_id=self.sender.match_id,
            argument=argument,
            typed=typed,
            received=self.received,
            message_hash=self.email.message_hash,
            answers=self.sender.answers,
        )

    def _match(self) -> Match | None:
        if self.sender.match_id is None:
            return None
        return self.uow.load_match(self.sender.match_id)


def _says_never(text: str) -> bool:
    """Whether a text begins with `never`, perhaps behind one other word."""
    return "never" in text.casefold().split()[:2]
