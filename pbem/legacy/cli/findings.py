"""What is found where `pbem check` looks: at templates, and at what contradicts the log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from pbem.legacy.cli.opening import Finding, told
from pbem.legacy.config.settings import Settings
from pbem.errors import ConfigError
from pbem.legacy.matches.match import Match, Status
from pbem.names import MatchId, TournamentId
from pbem.legacy.orders.handlers.wishes import TEST
from pbem.legacy.runners.timers import KINDS
from pbem.legacy.store import tables, timers, views
from pbem.legacy.store.damage import kind_of
from pbem.legacy.store.log import event_log
from pbem.legacy.transaction.coalescing import BEARINGS
from pbem.legacy.transaction.installation import find_match, match_stream
from pbem.legacy.transaction.timers import (
    DOUBTED,
    KEPT,
    OF_ORDERS,
    PAUSE,
    REGISTRATION,
    RESIGNATION,
    TAKEBACK,
)
from pbem.legacy.transaction.tournament_checks import contradictions

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.store.upkeep.deep import Kinds


# --- contradictions ------------------------------------------------------------------------------
# What `pbem check --deep` asks of runners: what contradicts the log, and which kinds there are.

MAILS: Final = frozenset({"prompt", "turn", "news", "digest", "alert", "farewell", BEARINGS})
QUESTIONS: Final = frozenset(
    {REGISTRATION, DOUBTED, KEPT, RESIGNATION, TAKEBACK, PAUSE, TEST, "resign", *OF_ORDERS}
)


def kinds() -> Kinds:
    """The kinds of mails, questions and timers, which only those know who work with them."""
    return {
        ("outbox", "kind"): MAILS,
        ("question", "kind"): QUESTIONS,
        ("timer", "kind"): {*KINDS, timers.BOT},
    }


def found(conn: Connection) -> Iterator[str]:
    """What does not fit, in words."""
    for stream in event_log.streams(conn, "match"):
        name = MatchId(stream.partition("-")[2])
        try:
            loaded = find_match(conn, name)
            if loaded is not None:
                yield from _view(conn, loaded.match)
                yield from _deadlines(conn, loaded.match)
        except Exception as error:  # noqa: BLE001 - the other matches are looked at all the same
            yield f"match {name}: {kind_of(error)}"
    for stream in event_log.streams(conn, "tournament"):
        played = TournamentId(stream.partition("-")[2])
        try:
            yield from contradictions(conn, played)
        except Exception as error:  # noqa: BLE001 - the other tournaments are looked at all the same
            yield f"tournament {played}: {kind_of(error)}"


def _view(conn: Connection, match: Match) -> Iterator[str]:
    row = views.match_row(conn, match.id)
    if row is None:
        return  # told already
    to_act = tuple(match.player_at(seat) for seat in match.to_act)
    if match.status is Status.CHALLENGE:
        to_act = match.waiting_for
    # The seat behind a link is listed nowhere.
    open_seats = match.table.open_seats if match.table.link_until is None else 0
    listed = {
        "ruleset": (row.ruleset, match.terms.ruleset),
        "status": (row.status, match.status.value),
        "players": (row.players, match.table.players),
        "to_act": (row.to_act, to_act),
        "ply": (row.ply, match.course.ply),
        "open_seats": (row.open_seats, open_seats),
    }
    for column, (have, wanted) in listed.items():
        if have != wanted:
            yield f"match {match.id} is listed with another {column} than the log has"


def _deadlines(conn: Connection, match: Match) -> Iterator[str]:
    """A clock that runs has a timer; a match that was imported has none at all."""
    if match.clocks is None or match.status is not Status.RUNNING:
        return
    timer = tables.timer.c
    of_match = select(timer.key).where(timer.stream == match_stream(match.id))
    keys = set(conn.execute(of_match).scalars())
    for seat in match.clocks.running if keys else ():
        if f"deadline:{match.id}:{seat}" not in keys:
            yield f"match {match.id}: the clock of seat {seat} runs without a timer"


# --- templates -----------------------------------------------------------------------------------
# What is found of the templates: each compiles, and each of an operator's own is of use.

_ENDING: Final = ".j2"
_NEEDED: Final = ("subject", "headline")
"""The blocks that each notice has."""


def templates(settings: Settings) -> Iterator[Finding]:
    """Every template is compiled, an operator's own in place of ours."""
    from jinja2 import TemplateError

    from pbem.legacy.notices.rendering.environment import environment

    folder = settings.templates.folder
    if folder is not None and not folder.is_dir():
        raise ConfigError(f"templates.folder: there is no folder {folder}")
    env = environment([folder] if folder is not None else None)
    names = [name for name in env.list_templates() if name.endswith(_ENDING)]
    own = _own(env, folder) if folder is not None else {}
    wrong: list[str] = []
    for name in names:
        try:
            env.get_template(name)
            wrong += _useless(env, name, own) if name in own else ()
        except (TemplateError, UnicodeDecodeError) as error:
            why = "it is no UTF-8" if isinstance(error, UnicodeDecodeError) else error
            wrong.append(f"{name}: {why}; mend it, or delete your version of it")
    yield from told("templates", wrong, f"{len(names)}, {len(own)} of them your own")


@dataclass(frozen=True, slots=True)
class _Own:
    """A template of an operator: the blocks in it, and the templates that it uses or extends."""

    blocks: frozenset[str] = frozenset()
    uses: frozenset[str | None] = frozenset()


def _own(env: Templates, folder: Path) -> Mapping[str, _Own]:
    """The operator's templates by their names."""
    from jinja2 import TemplateSyntaxError, meta, nodes

    found = {}
    for path in folder.rglob(f"*{_ENDING}"):
        try:
            tree = env.parse(path.read_text(encoding="utf-8"))
        except (TemplateSyntaxError, UnicodeDecodeError):  # it is told where it is compiled
            own = _Own()
        else:
            own = _Own(
                frozenset(node.name for node in tree.body if isinstance(node, nodes.Block)),
                frozenset(meta.find_referenced_templates(tree)),
            )
        found[path.relative_to(folder).as_posix()] = own
    return found


def _useless(env: Templates, name: str, own: Mapping[str, _Own]) -> Iterator[str]:
    """What an operator's template has to no effect, and what it lacks. Raises TemplateError."""
    from pbem.legacy.notices.rendering.environment import OURS

    if name in own[name].uses:
        yield f'{name} uses itself; the one that it takes the place of is called "{OURS}{name}"'
        return
    ours = _blocks_of_ours().get(name)
    if ours is None:
        if not any(name in other.uses for other in own.values()):
            yield f"{name}: no template of pbem has this name, so yours is never used{_moved(name)}"
        return
    if not ours and OURS + name not in own[name].uses:
        return
    for block in sorted(own[name].blocks - ours - _parts_of(name)):
        yield f'{name}: no block of pbem is called "{block}", so yours is never used; delete it'
    for block in sorted(ours - {*env.family(name)}):
        yield (
            f'{name} has no block "{block}": let it begin with {{% extends "{OURS}{name}" %}},'
            " then it needs only the blocks that you change"
        )


def _parts_of(name: str) -> frozenset[str]:
    """The blocks that the template of a notice may have; it needs those that ours has."""
    from pbem.legacy.notices.rendering.render import PARTS
    from pbem.legacy.notices.views.scene import TEMPLATES

    notices = {f"notices/{notice}.txt{_ENDING}" for notice in TEMPLATES.values()}
    return frozenset(PARTS if name in notices else ())


def _moved(name: str) -> str:
    """Where the words of a file have gone that is a block now."""
    folder, _, file = name.rpartition("/")
    block = file.partition(".")[0]
    if block in _blocks_of_ours().get(f"{folder}.txt{_ENDING}", ()):
        return f'; move its words to the block "{block}" of a {folder}.txt{_ENDING} of yours'
    return "; delete it"


@cache
def _blocks_of_ours() -> Mapping[str, frozenset[str]]:
    """All names that a template can have, each with its blocks; none for a page without."""
    from pbem.legacy.notices.rendering.environment import PAGES, environment
    from pbem.legacy.notices.views.scene import TEMPLATES

    env = environment()
    names = [name for name in env.list_templates() if name.endswith(_ENDING)]
    # Pages are rendered whole: their blocks are for those that extend them.
    families = {
        name for name in names if env.get_template(name).blocks and not name.startswith(PAGES)
    }
    found = {name: frozenset(env.family(name) if name in families else ()) for name in names}
    for notice in TEMPLATES.values():
        found.setdefault(f"notices/{notice}.txt{_ENDING}", frozenset(_NEEDED))
    return found
