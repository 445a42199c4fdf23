"""A replay as one HTML file that needs nothing else: boards as changes, the moves in words."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from pbem.games.game import Marks, Played
from pbem.legacy.replays.raster import key_apart

if TYPE_CHECKING:
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.notices.views.match_parts import AnalysisPart, Drawing
    from pbem.legacy.replays.frames import Replay

PAGE: Final = "pages/replay.html.j2"
ANALYSIS: Final = "pages/analysis_file.html.j2"
STYLE: Final = "pages/replay.css"
BOARDS: Final = "pages/boards.css"
SCRIPT: Final = "pages/replay.js"


def replay_page(replay: Replay, env: Templates, *, lang: str, result: str = "") -> str:
    """The file; `env` has the templates of the language, `result` says how the match ended."""
    boards = [picture(replay, number) for number in range(len(replay.frames))]
    style, script = _source(env, STYLE) + _source(env, BOARDS), _source(env, SCRIPT)
    moves = [
        {"told": frame.told, "proof": frame.proof, "comments": replay.comments_from(number)}
        for number, frame in enumerate(replay.frames[1:], 1)
    ]
    symbols, key = key_apart(env, replay.game, boards)
    return env.get_template(PAGE).render(
        lang=lang,
        symbols=symbols,
        key=key,
        title=replay.title,
        names=replay.names,
        result=result,
        last=Markup(boards[-1]),  # noqa: S704 - the games' own drawing, in which every text is escaped
        moves=moves,
        begun=replay.comments_from(0),
        proved=any(frame.proof for frame in replay.frames),
        lines=replay.lines(len(replay.frames) - 1),
        frames=_packed(changes_of(boards)),
        style=Markup(style),  # noqa: S704 - a file of ours or the operator's
        script=Markup(script),  # noqa: S704 - the same
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def drawn_by(env: Templates) -> Callable[[Drawing], Markup]:
    """Draws with the words of a language."""
    word = env.filters["word"]
    return lambda draws: Markup(draws(word))  # noqa: S704 - the games' own drawing, in which every text is escaped


def analysis_file_page(
    made: AnalysisPart, env: Templates, *, title: str, lang: str, result: str = ""
) -> str:
    """A match that was looked at as one file that needs nothing else."""
    style = _source(env, STYLE) + _source(env, BOARDS)
    return env.get_template(ANALYSIS).render(
        lang=lang,
        title=title,
        result=result,
        made=made,
        svg=drawn_by(env),
        style=Markup(style),  # noqa: S704 - a file of ours or the operator's
        style_hash=_hash(style),
    )


def picture(replay: Replay, number: int) -> str:
    """The board of a frame as SVG, with what has made it marked."""
    frame = replay.frames[number]
    change = frame.change
    since: tuple[Played[Any, Any], ...] = ()
    if change is not None and change.move is not None:
        since = (Played(change.move, change.before, change.after),)
    marks: Marks[Any, Any] = Marks(
        since=since, names=replay.names, signs=replay.signs, word=replay.word
    )
    return replay.game.picture(frame.position, replay.viewpoint, marks)


def changes_of(boards: Sequence[str]) -> dict[str, Any]:
    """The boards as parts and changes: `parts` are texts, `frames` what to put where, in turn.

    A change is [from, to, parts put there], as positions in the list of parts of the frame before;
    the changes of a frame come last first, so that none moves what another means.
    """
    known: dict[str, int] = {}
    frames: list[list[list[Any]]] = []
    before: list[int] = []
    for board in boards:
        now = [known.setdefault(part, len(known)) for part in _parts(board)]
        frames.append(list(_changed(before, now)))
        before = now
    return {"parts": list(known), "frames": frames}


def _parts(board: str) -> Iterator[str]:
    """An SVG text in parts of whole tags."""
    for part in board.strip().split("><"):
        start = "" if part.startswith("<") else "<"
        end = "" if part.endswith(">") else ">"
        yield f"{start}{part}{end}"


def _changed(before: Sequence[int], now: Sequence[int]) -> Iterator[list[Any]]:
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    for kind, begin, end, first, last in reversed(matcher.get_opcodes()):
        if kind != "equal":
            yield [begin, end, list(now[first:last])]


def boards_of(changes: Mapping[str, Any]) -> Iterator[str]:
    """The boards again: what the page's script does."""
    parts: list[int] = []
    for frame in changes["frames"]:
        for begin, end, put in frame:
            parts[begin:end] = put
        yield "".join(changes["parts"][part] for part in parts)


def _source(env: Templates, name: str) -> str:
    loader = env.loader
    if loader is None:
        raise LookupError(name)
    source, _, _ = loader.get_source(env, name)
    return source


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _packed(value: object) -> str:
    """JSON as gzip in base64: boards differ little from one another, and shrink to a sixth."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
