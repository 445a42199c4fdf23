"""Each refusal in both languages: `scripts/rejections.jsonl` has the cases."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final, TypeAlias

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.notices.rendering.render import Renderer
from pbem.notices.replies import OrderRefused
from pbem.notices.views.view import build
from tests.kept.script import FOLDER
from tests.notices.scenes import begun, reader, scene

Case: TypeAlias = Mapping[str, Any]
"""One line of the cases."""

OF_NOBODY: Final = {"looney_ludo bad_order", "looney_ludo game_over"}
"""Codes that no case has: no text that is typed in a position leads to them."""

CASES: Final = FOLDER / "rejections.jsonl"
LANGUAGES: Final = ("en", "de")
_PLAIN: Final = ("not_invited", "already_accepted")


def cases() -> list[Case]:
    """The cases: a code with its facts, or what is typed in a position of a game."""
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def codes() -> set[str]:
    """All codes of refusals that have words, those of games behind the game's name."""
    env = Renderer().templates("en")
    found = {*env.family("rejections.txt.j2")}
    for game in GAMES.values():
        found |= {
            f"{game.key} {code}" for code in env.family(f"games/{game.key}/rejections.txt.j2")
        }
    return found


def told(case: Case) -> tuple[str, str]:
    """The code of a case, and what its writer is told in each language."""
    game, refused = None, None
    if "position" in case:
        played = next(one for one in GAMES.values() if one.key == case["game"])
        game = played.key
        try:
            played.parse(case["typed"], played.load(case["position"]), Seat(case["seat"]))
        except Rejection as rejection:
            refused = rejection
    else:
        refused = Rejection(case["code"], **case["facts"])
    if refused is None:
        return "nothing", "it is a move\n"
    texts = [f"{lang}:\n{_reason(refused, game, lang)}\n" for lang in LANGUAGES]
    return f"{game} {refused.code}" if game else refused.code, "".join(texts)


def shown(case: Case) -> str:
    """A case, as it stands above what is told."""
    told = {key: value for key, value in case.items() if key not in ("code", "game", "seat")}
    return json.dumps(told, ensure_ascii=False)


def _reason(refused: Rejection, game: str | None, lang: str) -> str:
    """What no other refusal says."""
    return "\n\n".join(one for one in _mail(refused, game, lang) if one not in _always(lang))


@cache
def _always(lang: str) -> frozenset[str]:
    """The paragraphs of every refusal: who wrote what, the board, the small print."""
    one, other = (_mail(Rejection(code), None, lang) for code in _PLAIN)
    return frozenset(one) & frozenset(other)


def _mail(refused: Rejection, game: str | None, lang: str) -> list[str]:
    match, who = begun(), reader()
    notice = OrderRefused(
        match=match.id, typed="xyz", code=refused.code, facts=refused.facts, game=game
    )
    who = replace(who, wishes=replace(who.wishes, lang=lang, html=False))
    return _renderer().render(build([notice], who, scene(match))).text.split("\n\n")


@cache
def _renderer() -> Renderer:
    return Renderer()
