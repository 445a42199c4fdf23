"""What is done with the letters of all corpora, a line each; it knows the service, too."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Final

from pbem.mail.letter import UnreadableLetter
from tests.correspondence.letters import FOLDER as ROUNDS
from tests.correspondence.letters import Letter
from tests.correspondence.letters import read as letters_of
from tests.correspondence.outcome import Outcome
from tests.correspondence.run import became
from tests.mail.corpus.samples import read_samples, read_sent
from tests.mail.corpus.understood import Sent, understand
from tests.mail.free_text import test_phrasings as phrasings
from tests.mail.test_recorded import FOLDER as RECORDED_IN
from tests.mail.test_recorded import RECORDED
from tests.mail.test_recorded import sent as sent_of

FUZZED: Final = Path(__file__).parents[1] / "fuzz" / "corpus"
_NAME: Final = re.compile(r"\b(?=[A-Z]*\d)[2-9A-HJ-NP-TV-Z]{5}\b")
_WORDS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def rounds() -> list[Letter]:
    """The letters that people wrote as answers at places of real matches."""
    return [one for path in sorted(ROUNDS.glob("*.toml")) for one in letters_of(path)]


async def done_with(letter: Letter) -> str:
    """What was done with one of the rounds."""
    return f"{letter.id} {letter.place}: {_told(await became(letter))}"


def _told(found: Outcome) -> str:
    moves = [f'plays "{move}"{_wait(found.waits[name])}' for name, move in found.moves.items()]
    told = [f'says "{" ".join(text.split())}"' for text in found.said]
    happened = [_plain(name) for name in found.events]
    notices = [_plain(type(one).__name__) for one in found.notices]
    first = " ".join(found.told.replace("\r", "").partition("\n\n")[0].split())
    parts = [
        *moves,
        *told,
        f"[{', '.join(happened)}]",
        f"told [{', '.join(notices)}]",
        f"{found.disposition} {found.code or ''}".strip(),
        _NAME.sub("MATCH", first)[:160],
    ]
    return "; ".join(filter(None, parts))


def _wait(span: timedelta) -> str:
    return f" after {int(span.total_seconds() / 60)} min" if span else " at once"


def _plain(name: str) -> str:
    return _WORDS.sub(" ", name).lower()


def raw_letters() -> dict[str, tuple[bytes, Sent]]:
    """Raw letters by their names, each with the mail of ours that it answers."""
    mails = read_sent()
    found = {f"sample {one.name}": (one.raw, mails[one.sent]) for one in read_samples()}
    for name in sorted(RECORDED):
        raw = (RECORDED_IN / f"{name}.reply.eml").read_bytes()
        found[f"recorded {name}"] = (raw, sent_of(name))
    for path in sorted(FUZZED.glob("*.eml")):
        raw = path.read_bytes()
        found[f"fuzzed {path.stem}"] = (raw, list(mails.values())[len(raw) % len(mails)])
    return found


def read_raw(name: str, raw: bytes, sent: Sent) -> str:
    """What is understood of a raw letter."""
    try:
        found = understand(raw, sent)
    except UnreadableLetter as error:
        return f"{name}: unreadable, {error}"
    orders = " ".join(f"orders {one};" for one in found.orders)
    asks = f" asks {list(found.asks)};" if found.asks else ""
    rest = f"{' two parts that differ;' if found.conflict else ''}{asks} {orders}".rstrip()
    return f"{name}: plays {found.plays};{rest} typed {json.dumps(found.words, ensure_ascii=False)}"


def phrased() -> list[tuple[str, str]]:
    """Each phrasing behind the name of its file."""
    kinds = ("one_move", "two_moves", "taken_back")
    return [(kind, one.text) for kind in kinds for one in phrasings.phrasings(kind)]


def read_phrased(kind: str, text: str) -> str:
    """What a phrasing is with each mail that it answers: a move, a question, or nothing."""
    came: dict[str, list[str]] = {}
    for key in (*phrasings.GAMES, *phrasings.VARIANTS):
        move, other = phrasings.moves_of(key)
        verdict = phrasings.verdict(phrasings.Phrasing("", text).letter(move, other), key)
        named = {move: "plays {M}", other: "plays {N}"}.get(verdict, verdict)
        came.setdefault(named, []).append(key)
    usual = max(came, key=lambda one: len(came[one]))
    rest = [f"{one} in {', '.join(keys)}" for one, keys in came.items() if one != usual]
    return f"{kind} {text}: {'; '.join([usual, *rest])}"
