"""What is found of the templates: each compiles, and each of an operator's own is of use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pbem.cli.checks.finding import Finding, told
from pbem.config.settings import Settings
from pbem.errors import ConfigError

if TYPE_CHECKING:
    from pbem.notices.rendering.families import Templates

_ENDING: Final = ".j2"
_NOTICE: Final = frozenset(("subject", "headline", "body"))
"""The blocks of a notice that has a file of its own."""


def templates(settings: Settings) -> Iterator[Finding]:
    """Every template is compiled, an operator's own in place of ours."""
    from jinja2 import TemplateError

    from pbem.notices.rendering.environment import environment

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
        except TemplateError as error:
            wrong.append(f"{name}: {error}; mend it, or delete your version of it")
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
        except TemplateSyntaxError:  # it is told where it is compiled
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
    from pbem.notices.rendering.environment import OURS

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
    for block in sorted(own[name].blocks - ours):
        yield f'{name}: no block of pbem is called "{block}", so yours is never used; delete it'
    for block in sorted(ours - {*env.family(name)}):
        yield (
            f'{name} has no block "{block}": let it begin with {{% extends "{OURS}{name}" %}},'
            " then it needs only the blocks that you change"
        )


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
    from pbem.notices.codec import KINDS
    from pbem.notices.rendering.environment import PAGES, environment
    from pbem.notices.views.scene import template_name

    env = environment()
    names = [name for name in env.list_templates() if name.endswith(_ENDING)]
    # Pages are rendered whole: their blocks are for those that extend them.
    families = {
        name for name in names if env.get_template(name).blocks and not name.startswith(PAGES)
    }
    found = {name: frozenset(env.family(name) if name in families else ()) for name in names}
    for notice in map(template_name, KINDS.values()):
        found.setdefault(f"notices/{notice}.txt{_ENDING}", _NOTICE)
        found.setdefault(f"notices/{notice}.html{_ENDING}", frozenset())
    return found
