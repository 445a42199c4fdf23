"""The public effects of a turn, as facts for the templates (LS-9.6)."""

from __future__ import annotations

from pbem.errors import Fact, Facts
from pbem.games.game import ChanceResult
from pbem.games.logan_stones.position import Add, Flip, Move, Position, Shift
from pbem.games.logan_stones.rules import act, lines, wave
from pbem.games.logan_stones.spaces import label, labels


def move_facts(move: Move | ChanceResult, before: Position, after: Position) -> Facts:
    """Return the effects of a turn or of the deal as facts for the templates.

    Spaces are given by label. `at` is the space of the stone that was added, moved or flipped, and
    `top` is the symbol on it after the turn. `turned` is True if the stone was added or moved with
    its other face up (LS-6.1e). `over` has the spaces of other stones that the turn turned over,
    from north to south. `ended` is the reason why the game has ended, or None.

    The facts of the deal contain only what all players may see (LS-6.8).
    """
    if isinstance(move, ChanceResult):
        return {"kind": "deal", "middle": labels(after.spaces), "ended": None}
    island = before.island
    space, _ = act(before, island, move)
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
        "at": label(space),
        "top": island[space].top,
        "over": labels(sorted(wave(island, space))),
        "line": labels(lines(after.island, after.spaces)) if after.cause == "line" else [],
        "ended": after.cause or None,
    }
