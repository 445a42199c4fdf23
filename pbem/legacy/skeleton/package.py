"""The files of a new game, under the name that its author has chosen."""

from __future__ import annotations

import keyword
import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from string import ascii_uppercase
from typing import Final

from pbem.errors import ConfigError
from pbem.games import GAMES, newest
from pbem.games.packages import RULESET
from pbem.legacy.mail.verbs.verb_table import BY_WORD
from pbem.legacy.notices.views.rulebook import book_of, numbers_of

_HERE: Final = Path(__file__).parent
_NINE: Final = re.compile(r"\b(?:(?:pbem(?:\.skeleton\.|[-_])nine|Nine)\b|nine(?=\b|[0-9{])|NI-)")
"""What the small game is called, in all its files."""

_LEFT_OUT: Final = frozenset({".mo", ".pyc"})
_LETTERS: Final = 2
_TAKEN: Final = frozenset(
    {"adding", "any", "open", "link", "bot", "all", "address", "test", "games"}
)
"""Words that stand where a game's name does, or folders of the house."""


@dataclass(frozen=True, slots=True)
class Named:
    """A game's name as its title, its key, and the letters of the numbers of its rules."""

    title: str
    key: str
    letters: str

    @property
    def package(self) -> str:
        """The module that people import."""
        return f"pbem_{self.key}"

    @property
    def distribution(self) -> str:
        """The name by which it is installed, and that of its folder."""
        return f"pbem-{self.key.replace('_', '-')}"


def named(typed: str) -> Named:
    """A name as somebody typed it: `Liar's Dice`, `liars_dice`. Raises ConfigError."""
    words = re.findall(r"[^\W_]+", _plain(typed).replace("'", "").replace("’", ""))
    key = "_".join(words).casefold()
    if not RULESET.fullmatch(f"{key}-1"):
        raise ConfigError(
            f"{typed!r} is no name of a game: 2 to 31 letters and digits, a letter first"
        )
    if key in _TAKEN or key in BY_WORD or keyword.iskeyword(key):
        raise ConfigError(f"{typed!r} means something else in mails: choose another name")
    found = newest(key)
    if found is not None:
        raise ConfigError(f"there is a game {found.title} already: choose another name")
    if f"pbem_{key}" in sys.stdlib_module_names:
        raise ConfigError(f"{typed!r} is a module of Python: choose another name")
    given = " ".join(re.findall(r"[\w'’]+", typed.replace("_", " ")))
    title = given if given != given.casefold() else given.title().replace("'S", "'s")
    return Named(title, key, _letters(words))


def _plain(typed: str) -> str:
    """Without accents: a key is ASCII."""
    split = unicodedata.normalize("NFKD", typed)
    return "".join(sign for sign in split if sign.isascii())


def _letters(words: list[str]) -> str:
    """Two letters for the numbers of the rules, which no other game has."""
    taken = {
        number[:2].upper() for game in GAMES.values() for number in numbers_of(book_of(game.key))
    }
    firsts = "".join(word[0] for word in words)
    name = "".join(words).upper()
    wanted = [firsts[:_LETTERS].upper(), *(name[0] + letter for letter in name[1:])]
    others = ("".join(pair) for pair in product(ascii_uppercase, repeat=_LETTERS))
    for letters in (*wanted, *others):
        if len(letters) == _LETTERS and letters.isalpha() and letters not in taken:
            return letters
    raise AssertionError(taken)


def files(name: Named) -> Iterator[tuple[Path, str]]:
    """Every file of the package, by its path in it."""
    for source in sorted((_HERE / "nine").rglob("*")):
        if source.is_file() and source.suffix not in _LEFT_OUT:
            inside = (
                source.relative_to(_HERE / "nine").as_posix().replace("nine-1", f"{name.key}-1")
            )
            yield Path(name.package, inside), _renamed(source, name)
    for path in ("pyproject.toml", "README.md", "tests/test_contract.py"):
        yield Path(path), _renamed(_HERE / "project" / Path(path).name, name)


def _renamed(source: Path, name: Named) -> str:
    text = source.read_text(encoding="utf-8")
    renamed = {
        "pbem.legacy.skeleton.nine": name.package,
        "pbem-nine": name.distribution,
        "pbem_nine": name.package,
        "nine": name.key,
        "Nine": name.title,
        "NI-": f"{name.letters}-",
    }
    return _NINE.sub(lambda found: renamed[found.group()], text)


def write(name: Named, into: Path) -> Path:
    """Write the package into a new folder, which it gives. Raises ConfigError."""
    folder = into / name.distribution
    if folder.exists():
        raise ConfigError(f"{folder} is there already, and nothing is written over it")
    for path, text in files(name):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return folder


def commands(name: Named, folder: Path) -> tuple[str, str, str]:
    """What installs a package beside this pbem, plays its game and tests it.

    The environment of a checkout has no pip, and its commands are those of `./run`.
    """
    root, made = Path(__file__).resolve().parents[3], folder.resolve()
    install = f"pip install --python {sys.executable} --no-deps -e {made}"
    if (root / "run").is_file() and Path(sys.prefix).resolve().parent == root:
        run = "./run" if Path.cwd() == root else str(root / "run")
        return f"{run} uv {install}", f"{run} play {name.key}", f"{run} dev pytest {made}"
    if find_spec("pip") is None:
        return f"uv {install}", f"pbem play {name.key}", f"pytest {folder}"
    own = f"{sys.executable} -m pip install --no-deps -e {folder}"
    return own, f"pbem play {name.key}", f"pytest {folder}"
