"""What is told of how a match and the whole log can be checked."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.names import MatchId
from pbem.legacy.notices.notice import Notice, Traits


@dataclass(frozen=True, kw_only=True, slots=True)
class Signed:
    """A checkpoint of the log: how many events it has, their root in base64, when it was signed.

    `at` is ISO text. `witnesses` of `known` ones have signed the one of `witnessed` events: this
    one, or the newest that most of them have signed.
    """

    size: int
    root: str
    at: str
    witnesses: int = 0
    known: int = 0
    witnessed: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadTold:
    """The head of a history after so many events that its reader knows of, and whose turn began."""

    count: int
    head: str
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class VerificationShown(Notice):
    """What was checked of a match's draws and chain, and what came of it.

    `sealed` counts the secret draws that everybody can check only after the end; `seed` is that of
    the bots, which nobody is shown before it; `heads` are those that mails have shown, the newest.
    """

    traits = Traits(on_page=True)

    match: MatchId
    events: int
    draws: int
    head: str
    findings: tuple[str, ...]
    plies: int = 0
    sealed: int = 0
    seed: str = ""
    heads: tuple[HeadTold, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofShown(Notice):
    """That the first and the last event of a match are in the log that was signed last.

    The reader knows of `events` of the match, of which the checkpoint covers `covered`; by `due`
    (ISO text) another covers all, and it is empty where this one does. `head` is the hash of the
    last one that is covered, `lines` what a program checks. `sound`: it leads to what was signed.
    """

    traits = Traits(on_page=True)

    match: MatchId
    checkpoint: tuple[Signed, ...]
    events: int
    covered: int
    due: str
    head: str
    lines: tuple[str, ...]
    sound: bool = True
