"""Compare what became of a reply with what a referee would have done.

A referee's outcomes are words: `play MOVE`, `ask` or `ask MOVE`, `refuse`, `do COMMAND`, `answer`
(the writer is told where things stand), `keep` (a waiting move stays), `nothing`. What happens
together is joined with ` + `.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from tests.replies.places import Result


class Verdict(StrEnum):
    """How what became of a reply compares with what a referee would have done."""

    EXACT = "exact"
    OFFERED = "asked, the right move is offered"
    ASKED = "asked otherwise"  # or refused, or answered: nothing binding was done
    PARTLY = "a command was not carried out"
    WRONG = "wrong move"
    OVERDONE = "a command that nobody gave"
    LOST = "a message was lost"
    LEAKED = "private words were sent"
    SILENT = "silent"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """A reply to the email of a place, and the outcomes that are right, the best first."""

    id: str
    place: str
    lang: str
    kind: str  # honest or tricky
    text: str
    want: tuple[str, ...]
    gives: Verdict = Verdict.EXACT  # what becomes of it, if that is not what the referee wants
    say: str = ""
    note: str = ""


DONE: Final[Mapping[str, frozenset[str]]] = {
    "accept": frozenset({"SeatTaken", "DrawAgreed", "MatchRolledBack", "accept"}),
    "yes": frozenset({"SeatTaken", "DrawAgreed", "MatchRolledBack"}),
    "no": frozenset({"InvitationDeclined", "DrawDeclined", "TakebackDeclined", "decline", "no"}),
    "decline": frozenset({"InvitationDeclined", "DrawDeclined", "TakebackDeclined", "decline"}),
    "draw": frozenset({"draw", "DrawOffered", "DrawAgreed"}),
    "doubles": frozenset({"StandingOrderGiven"}),
}
"""What shows that a command was carried out, besides its name."""

BINDING: Final = frozenset({
    "MovePlayed", "SeatTaken", "InvitationDeclined", "ChallengeClosed", "ChallengeIssued",
    "DrawOffered", "DrawAgreed", "DrawDeclined", "TakebackRequested", "TakebackDeclined",
    "MatchRolledBack", "SeatResigned", "MatchEnded", "DeadlineExtended", "ClockPaused",
})  # fmt: skip
"""Events that nobody must cause without having said so."""


def read_replies(path: Path) -> list[Reply]:
    """Return the replies of a file."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["reply"]
    return [
        Reply(
            **{
                **table,
                "text": table["text"].strip("\n"),
                "want": tuple(table["want"]),
                "gives": Verdict(table.get("gives", Verdict.EXACT)),
            }
        )
        for table in tables
    ]


def judge(reply: Reply, result: Result) -> Verdict:
    """Compare the result of a reply with what a referee would have done."""
    wanted = {move for want in reply.want for move in _list_parts(want, "play")}
    if not set(result.moves) <= wanted and not _wants(reply, "do now"):
        return Verdict.WRONG
    said, say = _fold(" ".join(result.said)), _fold(reply.say)
    if said and said not in say:
        return Verdict.LEAKED
    if say and said != say and result.moves:
        return Verdict.LOST
    is_answered = result.kinds or result.moves or result.said or BINDING & {*result.done}
    if not is_answered:
        return Verdict.EXACT if _wants(reply, "nothing") else Verdict.SILENT
    if any(_is_met(want, result) for want in reply.want):
        return Verdict.EXACT
    if result.moves:
        return Verdict.PARTLY
    if BINDING & {*result.done} and not any(_list_parts(want, "do") for want in reply.want):
        return Verdict.OVERDONE
    if any(_is_offered(move, result) for move in wanted):
        return Verdict.OFFERED
    return Verdict.ASKED


def _list_parts(want: str, word: str) -> list[str]:
    parts = (part.partition(" ") for part in want.split(" + "))
    return [rest.strip() for first, _, rest in parts if first == word and rest]


def _wants(reply: Reply, outcome: str) -> bool:
    return any(outcome in want.split(" + ") for want in reply.want)


def _is_met(want: str, result: Result) -> bool:
    if sorted(result.moves) != sorted(_list_parts(want, "play")) and "do now" not in want:
        return False
    return all(_happened(part, result) for part in want.split(" + "))


def _happened(part: str, result: Result) -> bool:
    word, _, rest = part.partition(" ")
    if word == "do":
        return _was_done(rest.split(), result)
    if word == "ask":
        is_asked = {"question", "refusal", "answer"} & {*result.kinds}
        return bool(is_asked) and (not rest or _is_offered(rest, result))
    if word == "refuse":
        return bool({"question", "refusal"} & {*result.kinds})
    if word in ("answer", "keep", "nothing"):
        return not BINDING & {*result.done}
    return True  # `play` was compared before


def _was_done(words: list[str], result: Result) -> bool:
    name = words[0]
    if name == "say":
        return bool(result.said)
    return bool({name} & {*result.done} or DONE.get(name, frozenset()) & {*result.done})


def _is_offered(move: str, result: Result) -> bool:
    return move in result.offers or (
        "question" in result.kinds and move in " ".join(result.text.split())
    )


def _fold(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()
