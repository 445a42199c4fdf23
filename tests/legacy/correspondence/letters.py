"""Letters as people wrote them who knew nothing of the reader, and what a referee would have done.

Each has a list of outcomes that are right, the best first: `play MOVE` (with ` + ` between the
moves of two matches), `ask`, `refuse` (nothing is played, and the writer hears why), `do ORDER`,
`point WORD` (the answer names the word to send), `answer`, `nothing` (a greeting), `keep` (a held
move stays as it is). Several things in one letter are joined with ` + `.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.legacy.correspondence.outcome import Outcome

FOLDER: Final = Path(__file__).parent / "rounds"


@dataclass(frozen=True, kw_only=True, slots=True)
class Letter:
    """One letter: the place whose mail it answers, its text, what is right, and what is said."""

    id: str
    place: str
    lang: str
    kind: str
    text: str
    want: tuple[str, ...]
    say: str = ""
    note: str = ""


@cache
def read(path: Path) -> tuple[Letter, ...]:
    """The letters of a file."""
    return tuple(map(_letter, tomllib.loads(path.read_text(encoding="utf-8"))["letter"]))


def _letter(one: Mapping[str, Any]) -> Letter:
    wanted = one["want"]
    wanted = [wanted] if isinstance(wanted, str) else wanted
    return Letter(**{**one, "text": one["text"].strip("\n"), "want": tuple(wanted)})


_UNSURE: Final = frozenset(
    ["two_moves_in_mail", "which_match", "order_meant", "move_unread", "yes_ambiguous"]
)

_DONE: Final[Mapping[str, Callable[[Outcome], bool]]] = {
    "undo": lambda o: bool({"MoveWithdrawn", "TakebackAsked"} & {*o.events}),
    "now": lambda o: "MovePlayed" in o.events,
    "resign": lambda o: "ResignationHeld" in o.events or o.told_of("QuestionAsked"),
    "accept": lambda o: bool({"SeatTaken", "DrawAccepted", "TakebackGranted"} & {*o.events}),
    "decline": lambda o: bool(
        {"InvitationDeclined", "DrawDeclined", "TakebackDeclined", "ChallengeClosed"} & {*o.events}
    ),
    "yes": lambda o: bool({"SeatTaken", "DrawAccepted", "TakebackGranted"} & {*o.events}),
    "no": lambda o: bool({"InvitationDeclined", "DrawDeclined", "TakebackDeclined"} & {*o.events}),
    "draw": lambda o: (
        "DrawOffered" in o.events or any(getattr(n, "draw", False) for n in o.notices)
    ),
    "rematch": lambda o: "ChallengeIssued" in o.events,
    "new": lambda o: "ChallengeIssued" in o.events,
    "board": lambda o: o.told_of("BoardShown"),
    "history": lambda o: o.told_of("HistoryShown"),
    "rules": lambda o: o.told_of("RulesShown"),
    "help": lambda o: o.told_of("HelpShown", "NoOrderFound"),
    "games": lambda o: o.told_of("GamesListed"),
    "settings": lambda o: o.told_of("SettingsShown"),
    "note": lambda o: "NoteKept" in o.events,
    "try": lambda o: o.told_of("MovePreviewed"),
    "say": lambda o: bool(o.said),
    "language": lambda o: "WishChosen" in o.events,
    "stop": lambda o: "WishChosen" in o.events,
    "away": lambda o: bool({"LeavePlanned", "LeaveBegun"} & {*o.events}),
}
"""How it shows that an order was carried out."""

_CHANGES: Final = frozenset(
    [
        *("MoveHeld", "MovePlayed", "MoveWithdrawn", "TakebackAsked", "TakebackGranted"),
        *("TakebackDeclined", "SeatTaken", "DrawAccepted", "DrawDeclined", "DrawOffered"),
        *("ResignationHeld", "SeatResigned", "InvitationDeclined", "ChallengeIssued"),
        *("ChallengeClosed", "MessageSaid", "NoteKept", "WishChosen", "LeavePlanned"),
        *("ConditionsGiven", "StandingOrderGiven", "PlayerBlocked", "MatchEnded"),
    ]
)


def _clean(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()


def faults(letter: Letter, found: Outcome) -> list[str]:
    """What is wrong with what became of a letter; the first word is how grave it is."""
    wrong = list(_grave(letter, found))
    if not wrong and not any(_is(one, found) for one in letter.want):
        wrong.append("other")
    return wrong


def _grave(letter: Letter, found: Outcome) -> Iterator[str]:
    played = {move for one in letter.want for move in _moves(one)}
    sent = any("do now" in one for one in letter.want)  # what was held goes out as it is
    for move in found.moves.values():
        if move not in played and not sent:
            yield "wrong move"
    said = _clean(" ".join(found.said))
    if said != _clean(letter.say):
        yield "leaked" if said and said not in _clean(letter.say) else "lost say"
    if not found.told and not {*found.events} & _CHANGES and "nothing" not in letter.want:
        yield "silent"


def _moves(want: str) -> list[str]:
    return [part[5:].strip() for part in want.split(" + ") if part.startswith("play ")]


def _is(want: str, found: Outcome) -> bool:
    """Whether something that is right is what became of a letter."""
    if "do now" not in want and sorted(found.moves.values()) != sorted(_moves(want)):
        return False
    parts = want.split(" + ")
    return all(_happened(*part.partition(" ")[::2], found, alone=len(parts) == 1) for part in parts)


def _happened(kind: str, rest: str, found: Outcome, *, alone: bool) -> bool:
    match kind:
        case "answer" | "nothing" | "keep":
            changed = {*found.events} & _CHANGES
            if not found.told_of("Account"):
                changed -= {"WishChosen"}  # a newcomer's language, which they have written in
            return not alone or not changed
        case "ask":
            # A refusal that says what is missing, or the board with the words that work, asks too.
            asked = found.told_of("QuestionAsked", "NoOrderFound") or found.code in _UNSURE
            return asked or 'yes"' in found.told or _refused(found) or _lacks(found)
        case "refuse":
            return found.told_of("OrderRefused", "QuestionAsked") or _refused(found)
        case "do":
            return rest not in _DONE or _DONE[rest](found)
        case "point":
            return re.search(rf"\b{re.escape(rest)}\b", found.told) is not None
        case _:
            return True


def _lacks(found: Outcome) -> bool:
    """Whether a move was refused, in words of its game, and nothing of it was played."""
    return found.told_of("OrderRefused") and found.code != "unknown_order" and not found.moves


def _refused(found: Outcome) -> bool:
    results = (one for account in found.notices for one in getattr(account, "results", ()))
    return any(one.status == "refused" for one in results)
