"""What followed from a turn, for the words of the templates (LS-9.6); all of it is public."""

from __future__ import annotations

from pbem.errors import Fact, Facts
from pbem.games.game import ChanceResult
from pbem.games.logan_stones.position import Add, Flip, Move, Position, Shift
from pbem.games.logan_stones.rules import act, lines, wave
from pbem.games.logan_stones.spaces import label, labels


def move_facts(move: Move | ChanceResult, before: Position, after: Position) -> Facts:
    """What happened: spaces are labels, symbols `R`, `P` and `S`.

    `turned` says whether the stone was laid or moved turned (LS-6.1e), `over` which stones the wave
    turned over, from north to south. Of the deal nothing is told but what everybody sees (LS-6.8).
    """
    if isinstance(move, ChanceResult):
        return {"kind": "deal", "middle": labels(after.spaces), "ended": None}
    island = before.island
    at, _ = act(before, island, move)
    own: dict[str, Fact]
    match move:
        case Add(number, _, turned):
            own = {"kind": "add", "number": number, "from": None, "turned": turned}
        case Shift(start, _, turned):
            own = {"kind": "move", "number": None, "from": label(start), "turned": turned}
        case Flip():
            own = {"kind": "flip", "number": None, "from": None, "turned": False}
    return {
        **own,
        "seat": before.to_act,
        "at": label(at),
        "top": island[at].top,
        "over": labels(sorted(wave(island, at))),
        "line": labels(lines(after.island, after.spaces)) if after.cause == "line" else [],
        "ended": after.cause or None,
    }
