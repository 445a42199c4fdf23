"""A match from a file: its lines within bounds, its values, what verification finds, its replay."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from pbem.matches.events import Event
    from pbem.matches.match import Match
    from pbem.matches.verify import Verification
    from pbem.names import MatchId
    from pbem.store.log.exported import Exported

_SHOWN: Final = 200
"""Characters of why something failed: it may repeat what stands in the file."""


MOST_BYTES: Final = 100_000_000
"""A file that is greater is not read: the longest matches have some hundred kilobytes."""


def read_lines(file: Path) -> list[str]:
    """The lines of a file, or of standard input for `-`. Raises ConfigError."""
    from pbem.errors import ConfigError

    try:
        if str(file) == "-":
            read = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with file.open("rb") as opened:  # its size is not asked for: it may be a pipe
                read = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    if len(read) > MOST_BYTES:
        raise ConfigError(f"{file} has more than {MOST_BYTES // 1_000_000} MB: it is no export")
    if read.startswith(b"\x1f\x8b"):
        raise ConfigError(f"{file} is packed by gzip: unpack it first, with `gzip -d`")
    try:
        # Not by splitlines: JSON may hold U+2028 as it is.
        return read.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        line = read.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{file} cannot be read: line {line} is no UTF-8") from None


def verified_lines(lines: Sequence[str]) -> tuple[Verification, str, Exported]:
    """A match checked from its lines, and its head. Raises ImportRefused for what is none."""
    from pbem.store.log.exported import read_export

    read = read_export(lines)
    found = verified(read)
    return replace(found, findings=(*read.findings, *found.findings)), read.head, read


def verified(read: Exported) -> Verification:
    """What the rules and the chains of its draws find in a match, each with its line."""
    from pbem.matches.verify import Caused, verify
    from pbem.store.log.event_log import cause_of

    events = events_of(read)
    _require_known_game(read)
    stream = [
        Caused(event=event, cause=cause_of(one))
        for event, one in zip(events, read.events, strict=True)
    ]
    with playable():
        found = verify(name_of(read), stream, read.sealed, whole=read.is_whole)
    return replace(found, findings=tuple(map(read.placed, found.findings)))


def _require_known_game(read: Exported) -> None:
    from pbem.games import GAMES
    from pbem.store.log.outside_lines import ImportRefused

    for line, event in zip(read.lines, read.happened, strict=True):
        ruleset = getattr(event, "ruleset", None)
        if ruleset is not None and ruleset not in GAMES:
            why = f"there are no rules {ruleset[:_SHOWN]!r}; there are {', '.join(GAMES)}"
            raise ImportRefused(f"line {line}: {why}")


def replayed(read: Exported) -> Match:
    """A match that was read, as far as it can be replayed. Raises ImportRefused."""
    from pbem.matches.match import replay
    from pbem.store.log.outside_lines import ImportRefused

    with playable():
        try:
            return replay(name_of(read), events_of(read), read.sealed)
        except LookupError:
            why = "what was drawn in secret is not in the lines: replay it when the match is over"
            raise ImportRefused(why) from None


# --- what was read -------------------------------------------------------------------------------


def name_of(read: Exported) -> MatchId:
    """The name of the match."""
    from pbem.names import MatchId

    return MatchId(read.stream.partition("-")[2])


def events_of(read: Exported) -> list[Event]:
    """What happened to it."""
    return cast("list[Event]", read.happened)


@contextmanager
def playable() -> Iterator[None]:
    """In place of whatever goes wrong with a match, an ImportRefused.

    Whoever can count hashes can write events that follow from nothing.
    """
    from pbem.errors import PbemError
    from pbem.store.log.outside_lines import ImportRefused

    try:
        yield
    except PbemError:
        raise
    except Exception as error:
        why = f"its events are of no match that can be played: {type(error).__name__}"
        raise ImportRefused(f"{why}: {error}"[:_SHOWN]) from error
