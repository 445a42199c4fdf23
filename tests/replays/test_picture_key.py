"""The key of a picture: all signs that stand in it, and no others."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from pbem.games import GAMES
from pbem.games.drawing.marks import badge_symbol
from pbem.notices.rendering.families import Templates
from pbem.notices.rendering.render import Renderer
from pbem.replays.raster import key_of

PICTURES = sorted((Path(__file__).parents[1] / "games" / "pictures").glob("*.svg"))

UNEXPLAINED = ("g*", "lgo*", "llf", "lld", "llt", "lls?", "lla?", "lsh", "ls[?]", "lr[a-z]*")
"""Letters, players' own signs, which stand beside their names, frames, dice, and suits; arrows, of
which the sign of a board speaks."""


@pytest.fixture(scope="module")
def env() -> Templates:
    return Renderer().templates("en")


def used(picture: str) -> set[str]:
    return set(re.findall(r'href="#([^"]+)"', picture))


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_every_symbol_is_in_the_key_and_nothing_else(path: Path, env: Templates) -> None:
    picture = path.read_text()
    game = GAMES[path.stem.split("-")[0] + "-1"]
    signs = key_of(env, game, picture)
    drawn = {name for sign in signs for name in used(str(sign.drawn))}
    assert drawn <= used(picture)
    kinds = {name for name in used(picture) if not is_unexplained(name)}
    assert {kind_of(name) for name in kinds} == {kind_of(name) for name in drawn}
    assert all(sign.meaning for sign in signs)
    assert len({sign.meaning for sign in signs}) == len(signs)


def is_unexplained(name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in UNEXPLAINED)


def kind_of(name: str) -> str:
    """A symbol without its colour, or the face that it shows."""
    name = re.sub(r"^(ll|lr)[A-Z](?=[0-9SML]$)", r"\1", name)
    return re.sub(r"^(lsb)[RPS]$|^(llh).$", r"\1\2", name)


@pytest.mark.parametrize("sign", ["add", "grow", "turn", "swap", "hop", "fell", "take"])
def test_every_badge_has_a_meaning(sign: str, env: Templates) -> None:
    picture = f'{badge_symbol(sign)}<use href="#m-{sign}"/>'
    assert [one for one in key_of(env, GAMES["logger-1"], picture) if sign in str(one.drawn)]
