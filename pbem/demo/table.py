"""A match in memory for one terminal, with the same rules, random draws and texts as by email.

The match is not stored on disk. The state before each move of a person stays in memory, so that
`undo` can go back to the beginning.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from pbem.bots.levels import choose_notation
from pbem.errors import Rejection
from pbem.fairness import SECRET_BYTES
from pbem.games import AnyGame
from pbem.match.automatic import apply_unit, commit_draws
from pbem.match.events import MatchEvent, Source
from pbem.match.play import SubmittedMove, give_standing_order, play_move
from pbem.match.setup import Proposal, accept_invitation, issue_challenge
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId, bot_id, bot_number, is_bot
from pbem.notifications.email_views import EmailView
from pbem.notifications.layout import format_text
from pbem.notifications.renderer import Renderer
from pbem.notifications.rendering import Rendering
from pbem.notifications.views import MatchView, build_match_view

NAMES: Final = ("Alice", "Bob", "Cleo", "Dan", "Eve", "Fay")
COMMANDS: Final = """\
Write a move, or one of these:
  board      show the board with all its signs
  undo       take back your last move
  position   show the position as text, for --position
  help, ?    show this
  quit       leave"""


class Table:
    """A match in memory, with the earlier states for `undo`."""

    def __init__(
        self, game: AnyGame, seats: int, options: Mapping[str, str], level: str = ""
    ) -> None:
        """Start a match; with a bot level, all seats except the first are bots of this level."""
        self._level, self._secret = level, secrets.token_bytes(SECRET_BYTES)
        people = [PlayerId(name.lower()) for name in NAMES[: 1 if level else seats]]
        bots = [bot_id(level, number) for number in range(1, seats)] if level else []
        self.names: dict[PlayerId, str] = dict(zip(people, NAMES, strict=False))
        self.names |= {bot: f"Bot {bot_number(bot)}" for bot in bots}
        self.match = Match(id=MatchId("PLAY"))
        self._earlier: list[Match] = []
        alice, *opponents = self.names
        proposal = Proposal(game=game, opponents=opponents, options={**options, "time": "none"})
        self.apply_events(issue_challenge(proposal, alice, commit_draws(self._secret), _now()))
        for player in people[1:]:
            self.apply_events(accept_invitation(self.match, player, message_hash="", now=_now()))

    @property
    def player(self) -> PlayerId:
        """The person who is to move, or the first player if no person is to move."""
        seats = self.match.to_move
        player = self.match.player_at(seats[0]) if seats else next(iter(self.names))
        return next(iter(self.names)) if is_bot(player) else player

    def set_position(self, position: Any) -> None:
        """Replace the position of the match, and apply the automatic steps that follow."""
        self.match = replace(self.match, position=position, plies=())
        self.apply_events([])

    def apply_events(self, events: Sequence[MatchEvent]) -> None:
        """Apply events to the match, and then the automatic steps, such as random draws."""
        self.match, _ = apply_unit(self.match, events, self._secret, _now())

    def move(self, typed: str) -> None:
        """Play the typed move of the person whose turn it is, and the following moves of bots.

        The text may also be a standing order of the game, which decides later moves.

        Raises:
            Rejection: The game refuses the move.
        """
        before = self.match
        if self.match.game.parse_standing_order(typed) is not None:
            self.apply_events(give_standing_order(before, self.player, typed, _now()))
        else:
            self._play(self.player, typed)
        self._earlier.append(before)
        self.let_bots_move()

    def let_bots_move(self) -> None:
        """Play the bots' moves until a person is to move, or the match is over."""
        while (seats := self.match.to_move) and is_bot(self.match.player_at(seats[0])):
            match, seat = self.match, seats[0]
            seed = f"{self._secret.hex()} {match.version}"
            notation = choose_notation(self._level, match.terms.ruleset, match.position, seat, seed)
            self._play(match.player_at(seat), notation)

    def _play(self, player: PlayerId, text: str) -> None:

        move = SubmittedMove(text=text, source=Source.PAGE, received=_now())
        self.apply_events(play_move(self.match, player, move, _now()))

    def undo(self) -> bool:
        """Return to the position before the last move of a person.

        Returns:
            Whether there was such a move.
        """
        if not self._earlier:
            return False
        self.match = self._earlier.pop()
        return True

    def view(self, typed: str) -> MatchView:
        """Return the match as `player` sees it; `typed` is the text of a refused move, or empty."""
        return build_match_view(
            self.match, self.player, self.names, head="", now=_now(), typed=typed
        )


class TableTerminal:
    """A terminal that shows the boards of a match, and reads moves until the person quits."""

    def __init__(
        self,
        table: Table,
        renderer: Renderer,
        *,
        read: Callable[[str], str],
        write: Callable[[str], None],
    ) -> None:
        """Create a terminal.

        Args:
            table: The match.
            renderer: The renderer of texts and boards.
            read: A function that shows a prompt and returns a typed line, or raises EOFError.
            write: A function that prints a text.
        """
        self._table, self._renderer = table, renderer
        self._read, self._write = read, write

    def converse(self) -> None:
        """Show boards and read moves, until `quit` or the end of the input."""
        table = self._table
        self._write(f"{table.match.game.title}. Write a move; help lists what else there is.\n")
        table.let_bots_move()
        self._show(has_legend=True)
        while True:
            try:
                typed = self._read(f"{table.names[table.player]}> ").strip()
            except EOFError:
                return
            word = typed.casefold().lstrip("/")
            if word in ("quit", "exit", "q"):
                return
            if word in ("help", "?", "h"):
                self._write(_join(self._make_rendering().game_words("howto"), COMMANDS))
            elif word == "board":
                self._show(has_legend=True)
            elif word == "position":
                self._write(table.match.game.dump(table.match.position))
            elif word == "undo" and not table.undo():
                self._write("There is no move to take back.")
            elif word == "undo":
                self._show()
            elif typed:
                self._move(typed)

    def _move(self, typed: str) -> None:
        try:
            self._table.move(typed)
        except Rejection as rejection:
            words = self._make_rendering(typed)
            reason = words.rejection(rejection.code, rejection.facts)
            self._write(_join(reason, _list_choices(words)))
        else:
            self._show()

    def _show(self, *, has_legend: bool = False) -> None:
        """Print the recent moves, the board, and then possible moves or the result.

        With `has_legend`, the signs on the board are explained below it.
        """
        words = self._make_rendering()
        parts = [words.phrase("recent"), words.show_board(), words.phrase("status")]
        if has_legend:
            parts.append(words.phrase("legend"))
        if self._table.match.outcome is None:
            parts.append(_list_choices(words))
        else:
            words.kind = "end"
            end, _ = words.render_parts()
            parts += [f"{end['headline']}. {end['message']}", end["details"]]
            parts.append("undo takes back the last move, quit leaves.")
        self._write(_join(*parts))

    def _make_rendering(self, typed: str = "") -> Rendering:
        return make_rendering(self._renderer, self._table.view(typed))


def make_rendering(renderer: Renderer, match: MatchView | None) -> Rendering:
    """Return a `Rendering` for English texts about a match.

    If `match` is None, the texts are about no match, such as the refusal of an option.
    """
    return renderer.make_rendering(EmailView(site_title="", match=match), "en")


def _list_choices(words: Rendering) -> str:
    match = words.view.match
    if match is None or not match.choices:
        return ""
    lines = [
        words.offer_move(
            choice.notation,
            words.game_words("choice", notation=choice.notation, facts=choice.facts),
        )
        for choice in match.choices
    ]
    return "\n".join(["For example:", *lines])


def _join(*parts: str) -> str:
    return format_text("\n\n".join(filter(None, parts)))


def _now() -> datetime:
    return datetime.now(UTC)
