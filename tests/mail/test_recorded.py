"""Replies that Thunderbird and neomutt wrote to emails of an earlier design, in all games."""

from __future__ import annotations

import json
from email import message_from_bytes, policy
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest

from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.mail.commands import CommandTable, ParsedEmail, parse
from pbem.mail.inbound import parse_inbound
from pbem.mail.quoting import list_sent_lines, remove_quote

FOLDER = Path(__file__).parent / "recorded"
RECORDED = json.loads((FOLDER / "recorded.json").read_text(encoding="utf-8"))
# The old service put the number of the ply before the move that a tap sends.
NAMES = [name for name in RECORDED if "tap" not in name and "ply" not in name]


class Grammar:
    def __init__(self, ruleset: str, position: str, seat: int) -> None:
        self.game: Any = GAMES[ruleset]
        self.position = self.game.load(position)
        self.seat = Seat(seat)

    def read(self, text: str) -> str:
        return str(self.game.notation(self.game.parse(text, self.position, self.seat)))

    def has_word(self, text: str) -> bool:
        return self.game.move_words.search(text) is not None


def read_reply(name: str, *, with_sent_lines: bool) -> ParsedEmail:
    sent: Any = message_from_bytes(
        (FOLDER / f"{name}.sent.eml").read_bytes(), policy=policy.default
    )
    raw = (FOLDER / f"{name}.reply.eml").read_bytes()
    inbound = parse_inbound(raw, own_address="games@pbem.example", authserv_id="")
    page = sent.get_body(("html",))
    lines = list_sent_lines(
        sent.get_body(("plain",)).get_content(), page.get_content() if page else ""
    )
    own = [*parseaddr(str(sent["From"])), parseaddr(str(sent["Reply-To"]))[1]]
    typed = remove_quote(
        inbound.text, sent_lines=lines if with_sent_lines else (), own_addresses=own
    )
    recorded = RECORDED[name]
    grammar = Grammar(recorded["ruleset"], recorded["position"], recorded["seat"])
    return parse(typed, CommandTable([]), grammar)


@pytest.mark.parametrize("with_sent_lines", [True, False])
def test_the_moves_of_real_replies_are_read(*, with_sent_lines: bool) -> None:
    assert len(NAMES) == 20
    for name in NAMES:
        email = read_reply(name, with_sent_lines=with_sent_lines)
        assert email.moves == (RECORDED[name]["plays"],), name
        assert not email.attempts, name
        assert not email.remarks, name
        assert not email.is_doubtful, name
