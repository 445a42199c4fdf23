"""docs/players.md is played: what people write in it is sent, what it quotes is what they get.

What its reference, docs/players-reference.md, has people write is read.


A fence `typed Ann move say` holds a letter of Ann with these orders; with `-` nobody sends it.
A fence `mail Bob` holds Bob's newest mail, in which `[...]` stands for any lines.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from pbem.games import newest
from pbem.mail.free_text import read_orders
from pbem.mail.verbs.playing import Move
from pbem.mail.verbs.verb_table import BY_WORD, VERBS
from pbem.players.wishes import BY_NAME
from tests.clubs.club import ANN, BOB, Clock, Club, open_club

DOCS: Final = Path(__file__).parents[2] / "docs"
GUIDE: Final = DOCS / "players.md"
PAGE: Final = DOCS / "players-reference.md"
THREE_PAGES: Final = 165
"""Lines of the guide, of which the fences take their share."""

FENCE: Final = re.compile(r"^```(typed|mail) (\S+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ADDRESSES: Final = {"Ann": ANN, "Bob": BOB}
LEFT_OUT: Final = "[...]"


@dataclass(frozen=True, slots=True)
class Block:
    """A fence of the page: what it is, whose, which orders it has, its text."""

    kind: str
    person: str
    orders: tuple[str, ...]
    text: str


class Unhurried(Clock):
    """A clock that no number of readings brings to the next minute: the page names times."""

    def __call__(self) -> datetime:
        self.time += timedelta(milliseconds=50)
        return self.time


BLOCKS: Final = [
    Block(kind, person, tuple(orders.split()), text)
    for page in (GUIDE, PAGE)
    for kind, person, orders, text in FENCE.findall(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.kind == "typed"])
def test_what_is_typed_is_read_as_the_page_says(block: Block) -> None:
    reading = read_orders(block.text.splitlines(), newest("logger"))
    kinds = []
    for typed in reading.orders:
        if isinstance(typed.order, Move):
            kinds.append("move")
        else:
            word = typed.typed.removeprefix("K7QX2 ").removeprefix("!").split()[0]
            kinds.append(BY_WORD[word].name)
    assert tuple(kinds) == block.orders


def test_the_guide_is_three_pages_and_all_that_it_names_can_be_written() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= THREE_PAGES
    told = re.findall(r"`([a-z][^`\n]*)`", FENCE.sub("", text))
    prose = [said for said in told if said.split()[0] in BY_WORD]
    assert len(prose) > 20
    assert [said for said in prose if not read_orders([said], newest("logger")).orders] == []


def test_every_order_of_the_table_is_read() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("| write | for |")[2].partition("\n\n")[0]
    first = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    typed = [text for cell in first for text in re.findall(r"`([^`]+)`", cell)]
    assert len(typed) > 30
    unread = [text for text in typed if not read_orders([text], None).orders]
    assert unread == []


def test_every_order_and_every_wish_stands_in_the_table() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("| write | for |")[2].partition("\n\n")[0]
    typed = re.findall(r"`([^`]+)`", table)
    words = {" ".join(text.split()[:size]).casefold() for text in typed for size in (1, 2, 3)}
    assert [verb.name for verb in VERBS if not {verb.name, *verb.also} & words] == []
    told = {**dict.fromkeys(words), "glyphs": "unicode", "everything": "stop"}
    kinds = {text.removeprefix("stop ") for text in typed}
    assert [wish for wish in BY_NAME if wish not in told and wish not in kinds] == []


def test_every_other_name_that_the_page_gives_is_one() -> None:
    page = PAGE.read_text(encoding="utf-8")
    (named,) = re.findall(r"other names, as (.*?);", page, re.DOTALL)
    words = re.findall(r"`([a-z]+)`", named)
    assert [word for word in words if BY_WORD[word].name == word] == []
    told = {word for typed in re.findall(r"`([^`\n]+)`", page) for word in typed.casefold().split()}
    assert [word for word in BY_WORD if not set(word.split()) <= told] == []


def test_what_a_spectator_may_ask_for_is_told() -> None:
    watching = PAGE.read_text(encoding="utf-8").partition("### Watching")[2].partition("###")[0]
    told = re.findall(r"`(\w+)`", watching.partition("you can ask for")[2].partition(".")[0])
    public = [
        verb.name
        for verb in VERBS
        if any(one.order.public for one in read_orders([verb.examples[0]], None).orders)
    ]
    # An analysis is for who has played: it is public for that answer alone.
    assert sorted(told) == sorted({*public} - {"analysis"})


async def test_the_page_is_played_as_it_is_told(tmp_path: Path) -> None:
    for seed in range(20):
        folder = tmp_path / str(seed)
        folder.mkdir()
        club = open_club(
            folder, address="games@example.org", clock=Unhurried(), window=5, resign=24
        )
        club.house = replace(club.house, entropy=random.Random(seed).randbytes)
        site = club.house.settings.site.model_copy(update={"title": "pbem"})
        settings = club.house.settings.model_copy(update={"site": site})
        club.house = replace(club.house, settings=settings)
        told = await _play(club)
        club.house.db.close()
        if told:
            return
    pytest.fail("Ann never sits first")


async def _play(club: Club) -> bool:
    """Play the page; False if the draw has Bob first, and then it is another story."""
    mover, seated, begun = "", False, False
    for block in BLOCKS:
        reader = ADDRESSES.get(block.person, "")
        if mover and (block.kind == "typed" or reader != mover):
            await club.wait(minutes=6)  # the move has gone out
            mover = ""
        if "move" in block.orders:
            mover = reader
        if block.kind == "mail":
            problem = _difference(block.text, _text(club, reader))
            assert problem == "", problem
        elif reader and club.mails(reader):
            await club.answer(reader, block.text)
            seated = seated or (reader == ADDRESSES["Bob"] and block.orders == ("yes",))
            if seated and not begun and "you move first" not in club.last(ANN).text:
                return False
            begun = begun or seated
        elif reader:
            await club.write(f"{block.person} <{reader}>", block.text, to="games@example.org")
    return True


def _text(club: Club, reader: str) -> list[str]:
    """The newest mail's lines, with the name that the page gives the match."""
    mail = club.last(reader)
    names = re.findall(r"Logger (\w{5})\b", " ".join(m.subject for m in club.mails(ANN)))
    text = mail.text.replace("\r", "")
    return (text.replace(names[0], "K7QX2") if names else text).splitlines()


def _difference(quoted: str, lines: Sequence[str]) -> str:
    """Why the lines are not what is quoted; empty if they are."""
    at = 0
    for number, piece in enumerate(quoted.strip("\n").split(LEFT_OUT)):
        wanted = piece.strip("\n").splitlines()
        if not wanted:
            continue
        last = 0 if number == 0 else len(lines) - len(wanted)
        while at <= last and list(lines[at : at + len(wanted)]) != wanted:
            at += 1
        if at > last:
            return "\n".join(["not in this order:", *wanted, "", "in the mail:", *lines])
        at += len(wanted)
    return ""
