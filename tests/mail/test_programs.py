"""Replies as more than a hundred mail programs write them, in many languages: what was typed.

The emails quote emails of an earlier design. Thunderbird and neomutt wrote those with two digits.
"""

from __future__ import annotations

import json
from email import message_from_bytes, policy
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.mail.inbound import parse_inbound
from pbem.mail.quoting import list_sent_lines, remove_quote

FOLDER: Final = Path(__file__).parent / "samples"
WANTED: Final = json.loads((FOLDER / "wanted.json").read_text(encoding="utf-8"))
NOT_READ: Final = {
    "170-charset-utf-16",  # a line end with its bytes swapped is left behind the text
    "237-em-client",  # nothing typed above fields without a colon
    "241-groupwise",  # quotes without a prefix below a line that looks quoted
}
NOT_READ_WITHOUT_LINES: Final = NOT_READ | {"240-groupwise", "305-gateway"}


@cache
def read_sent(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the lines of an email that is answered, and the addresses and names in it."""
    raw = (FOLDER / f"sent-{name}.eml").read_bytes()
    sent: Any = message_from_bytes(raw, policy=policy.default)
    html = sent.get_body(("html",))
    text = sent.get_body(("plain",)).get_content()
    lines = list_sent_lines(text, html.get_content() if html else "")
    return lines, (*parseaddr(str(sent["From"])), parseaddr(str(sent["Reply-To"]))[1])


@cache
def read_text(name: str) -> str:
    raw = (FOLDER / f"{name}.eml").read_bytes()
    return parse_inbound(raw, own_address="games@pbem.example", authserv_id="").text


@pytest.mark.parametrize("knows_lines", [True, False])
def test_the_typed_text_of_programs(*, knows_lines: bool) -> None:
    names = WANTED.keys() - (NOT_READ if knows_lines else NOT_READ_WITHOUT_LINES)
    assert len(names) > 320
    wrong = {}
    for name in sorted(names):
        lines, own = read_sent(WANTED[name]["sent"])
        sent_lines = lines if knows_lines else ()
        typed = remove_quote(read_text(name), sent_lines=sent_lines, own_addresses=own)
        if " ".join(typed.split()) != WANTED[name]["words"]:
            wrong[name] = (typed, WANTED[name]["words"])
    assert wrong == {}
