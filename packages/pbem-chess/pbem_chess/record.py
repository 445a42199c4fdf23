"""A match's record (docs/record.md) as PGN, which chess programs read and write, and back."""

from __future__ import annotations

from io import StringIO
from typing import Final

import chess
import chess.pgn

from pbem.errors import Rejection
from pbem.games.game import Drawn, Over
from pbem.games.record_text import tag_line, tag_of
from pbem_chess.rules import Move, agree, initial, leave, play, turn

_PGN: Final = {"Match": "Event", "Seat1": "White", "Seat2": "Black"}
_RESULTS: Final = {"1 2": "1-0", "2 1": "0-1", "1 1": "1/2-1/2"}


def recorded(text: str) -> str:
    """A record as PGN; what stands in its braces are comments."""
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    for line in filter(None, text.splitlines()):
        if (tag := tag_of(line)) and tag[0] != "Option":  # PGN has tags of its own for the start
            game.headers[_PGN.get(tag[0], tag[0])] = _RESULTS.get(tag[1], tag[1])
        elif line.startswith("{drawn: ") and node is game:
            game.setup(chess.Board.from_chess960_pos(int(line[8:-1])))
        elif line[0] == "{":
            node.comment = f"{node.comment} {line[1:].partition('}')[0]}".strip()
        elif line[0] not in "*[":
            _, san, *beside = line.split(" ", 2)
            node = node.add_variation(node.board().parse_san(san))
            node.comment = " ".join(beside).strip("{}")
    if game.headers.get("Termination") == "voided":
        game.headers["Result"] = "*"
    return game.accept(chess.pgn.StringExporter(columns=72))


def unrecorded(text: str) -> str:
    """The record that a PGN tells, without its comments. Raises Rejection `bad_record`."""
    game = chess.pgn.read_game(StringIO(text))
    if game is None or game.errors or (start := game.board().chess960_pos()) is None:
        why = str(game.errors[0]) if game and game.errors else "it does not begin as chess does"
        raise Rejection("bad_record", found=why[:200])
    tags, kind = dict(game.headers), "960" if game.board().chess960 else "usual"
    position, plies = initial(2, {"start": kind}), list[str]()
    if kind == "960":
        position, plies = play(position, Drawn((start,))), [f"{{drawn: {start}}}"]
    for ply, node in enumerate(game.mainline(), 1):
        plies.append(f"{ply}. {node.san()}")
        position = play(position, Move(node.move.uci(), position))
    why = tags.get("Termination", "")
    known = {pgn: ours for ours, pgn in (_PGN | _RESULTS).items()}
    places = "1 1" if why == "voided" else known.get(tags["Result"], "")
    if why not in ("voided", "adjudicated") and places and not isinstance(turn(position), Over):
        position = agree(position) if places == "1 1" else leave(position, int(places[2]))
        plies.append("{a draw was agreed on}" if places == "1 1" else f"{{seat {places[2]} left}}")
    if isinstance(now := turn(position), Over):
        why = now.outcome.termination
    tags |= {"Ruleset": "chess-1", "Result": places or "*", "Option": f"start={kind}"}
    told = (tag_line(known.get(name, name), value) for name, value in tags.items())
    return "\n".join([*told, "", *plies, f"{{{why}}} {places}" if places else "*"])
