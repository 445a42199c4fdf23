"""What is kept of a script, and how what is made now differs from it."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Final

from tests.kept.html import Styles
from tests.kept.mails import Entry

FOLDER: Final = Path(__file__).parent / "kept"
MOST: Final = 80
"""Lines of a difference that are shown."""

_ARCHIVE: Final = "html.xz"
_STYLES: Final = "styles.txt"
_PART: Final = re.compile(r"^(?:>>>|===) (\d{4}-\d\d-\d\d)", re.MULTILINE)
_BLOCK: Final = re.compile(r"^(?=(?:===|>>>) \d{4}-)", re.MULTILINE)
_WEEKS: Final = 7
_BRIEF: Final = re.compile(r"^[-+ ]?--- html as in html\.xz: ([0-9a-f]+)$", re.MULTILINE)


def write(
    name: str, entries: Sequence[Entry], styles: Styles, kinds: Mapping[str, Sequence[str]]
) -> int:
    """Keep what came of a script, one file for some days of it; how many bytes that is.

    The HTML of a mail is written out where it is the first of a kind in a language; that of all
    stands in an archive beside, in which a difference is looked up.
    """
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    seen: set[tuple[str, str]] = set()
    full: set[int] = set()
    for number, entry in enumerate(entries):
        about = {(kind, entry.lang) for kind in kinds.get(entry.ident, ())}
        if entry.html and about - seen:
            full.add(number)
            seen |= about
    texts = [entry.text(full=number in full) for number, entry in enumerate(entries)]
    for file, text in _files(entries, texts).items():
        (folder / file).write_text(text, encoding="utf-8", newline="\n")
    (folder / _STYLES).write_text(styles.text(), encoding="utf-8", newline="\n")
    pages = {entry.digest: "\n".join(entry.html) for entry in entries if entry.html}
    whole = "".join(f"=== {digest}\n{page}\n" for digest, page in pages.items())
    if pages:
        (folder / _ARCHIVE).write_bytes(lzma.compress(whole.encode(), preset=9))
    return sum(file.stat().st_size for file in folder.iterdir())


def _files(entries: Sequence[Entry], texts: Sequence[str]) -> dict[str, str]:
    """The texts by the file that they stand in: that of a week, or one for all."""
    files: dict[str, list[str]] = {}
    name, first = "all.txt", None
    for entry, text in zip(entries, texts, strict=True):
        if found := _PART.match(entry.first):
            day = _day(found[1])
            first = day if first is None else first
            name = f"week_{(day - first) // _WEEKS + 1}.txt"
        files.setdefault(name, []).append(text)
    return {name: "".join(found) for name, found in files.items()}


def _day(text: str) -> int:
    from datetime import date

    return date.fromisoformat(text).toordinal()


def differences(
    name: str, entries: Sequence[Entry], styles: Styles, *, days: int | None = None
) -> str:
    """How what came of a script differs from what is kept; or nothing.

    Of some `days` of it what came has to be what is kept as far as it goes.
    """
    folder = FOLDER / name
    among = None if days is None else {f"week_{day // 7 + 1}.txt" for day in range(days)}
    kept = {
        file.name: file.read_text(encoding="utf-8")
        for file in folder.glob("*.txt")
        if file.name != _STYLES and (among is None or file.name in among)
    }
    where = _written_out(kept.values())
    texts = [
        entry.text(full=key in where)
        for entry, key in zip(entries, _keys(entry.first for entry in entries), strict=True)
    ]
    made = _files(entries, texts)
    if among is not None:
        made = {file: text for file, text in made.items() if file in among}
    lines: list[str] = []
    for file in sorted(kept.keys() | made.keys()):
        before, after = kept.get(file, ""), made.get(file, "")
        if days is not None:
            before = before[: len(after)]
        if before != after:
            lines += _pages(folder, before, after, entries)
            lines += diff(before, after, f"kept/{name}/{file}")
    if not lines:
        return ""
    known = (folder / _STYLES).read_text(encoding="utf-8")
    new = [f"style ~{key} is new: {style}" for key, style in styles.new(known).items()]
    return report(name, [*new[:5], *lines])


def _keys(firsts: Iterable[str]) -> list[tuple[str, int]]:
    """The first line of each, and how many before it have the same."""
    count: dict[str, int] = {}
    keys = []
    for first in firsts:
        keys.append((first, count.get(first, 0)))
        count[first] = count.get(first, 0) + 1
    return keys


def _written_out(files: Iterable[str]) -> set[tuple[str, int]]:
    """Which mails have their HTML written out in what is kept."""
    blocks = [block for file in files for block in _BLOCK.split(file)[1:]]
    keys = _keys(block.partition("\n")[0] for block in blocks)
    return {
        key
        for key, block in zip(keys, blocks, strict=True)
        if re.search(r"^--- html [0-9a-f]+$", block, re.MULTILINE)
    }


def _pages(folder: Path, before: str, after: str, entries: Sequence[Entry]) -> list[str]:
    """How the HTML of the first mail differs that is not written out and has changed."""
    old, new = _BRIEF.findall(before), _BRIEF.findall(after)
    changed = [(was, now) for was, now in zip(old, new, strict=False) if was != now]
    if not changed or len(old) != len(new):
        return []
    was, now = changed[0]
    archive = lzma.decompress((folder / _ARCHIVE).read_bytes()).decode()
    page = archive.partition(f"=== {was}\n")[2].partition("\n=== ")[0]
    entry = next(one for one in entries if one.html and one.digest == now)
    note = f"{len(changed)} mails of which the HTML is not written out differ; the first of them:"
    return [note, *diff(page, "\n".join(entry.html), f"the HTML of {entry.first[4:]}")]


def diff(before: str, after: str, where: str) -> list[str]:
    """A unified difference, as lines."""
    lines = unified_diff(before.splitlines(), after.splitlines(), where, "made now", lineterm="")
    return list(lines)


def report(name: str, lines: Sequence[str]) -> str:
    """The first lines of a difference, and where to look further."""
    more = [f"... and {len(lines) - MOST} lines more"] if len(lines) > MOST else []
    return "\n".join(
        [
            f"what is kept as {name} (tests/kept/kept/{name}) is not what is made now:",
            *lines[:MOST],
            *more,
            "Where it is meant: `python -m tests.kept.record`, then read the difference in git,",
            "and say in the commit why. See tests/kept/scripts/README.md.",
        ]
    )


def write_lines(name: str, lines: Sequence[str]) -> int:
    """Keep lines in a file; how many bytes that is."""
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
    return path.stat().st_size


def read_lines(name: str) -> list[str]:
    """What is kept in a file of lines."""
    return (FOLDER / name).read_text(encoding="utf-8").split("\n")[:-1]


def differing(name: str, before: Sequence[str], after: Sequence[str]) -> str:
    """How lines differ from those that are kept; empty if they do not."""
    if before == after:
        return ""
    return report(name, diff("\n".join(before), "\n".join(after), f"kept/{name}"))
