"""What was done, in the words of the templates of a language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pbem.matches.steps import StepKind

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.games.game import Outcome
    from pbem.notices.rendering.families import Templates
    from pbem.replays.frames import Change, Telling

FAMILY: Final = "replays"
"""The file with the words for what no game tells: a seat that leaves, an agreement."""


def telling(game: AnyGame, names: Sequence[str], env: Templates) -> Telling:
    """Words for the changes of a match; `names` are those of its seats."""
    called = dict(enumerate(names, 1))
    template = env.get_template(f"games/{game.key}/told.txt.j2")

    def told(change: Change) -> str:
        match change.kind:
            case StepKind.LEFT:
                return env.member(FAMILY, "left", player=called.get(change.seat or 0, "?"))
            case StepKind.AGREED:
                return env.member(FAMILY, "agreed")
            case _:
                facts = game.facts(change.move, change.before, change.after)
                text = template.render(
                    names=called, facts=facts, seat=change.seat, notation=change.text
                )
                return " ".join(text.split())

    return told


def placed(outcome: Outcome | None, names: Sequence[str]) -> str:
    """Who came where, the best first; empty while a match runs."""
    if outcome is None:
        return ""
    places = sorted(zip(outcome.placings, names, strict=False))
    return ", ".join(f"{place}. {name}" for place, name in places)
