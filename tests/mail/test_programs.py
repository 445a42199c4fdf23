"""Replies as more than a hundred mail programs write them, in many languages: what was typed.

The emails quote emails of an earlier design.
"""

from __future__ import annotations

import json
from email import message_from_bytes, policy
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from typing import Any, Final

from pbem.mail.inbound import parse_inbound
from pbem.mail.quoting import list_sent_lines, remove_quote

FOLDER: Final = Path(__file__).parent / "samples"
WANTED: Final = json.loads((FOLDER / "wanted.json").read_text(encoding="utf-8"))


@cache
def read_sent(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the lines of an email that is answered, and the addresses and names in it."""
    raw = (FOLDER / f"sent-{name}.eml").read_bytes()
    sent: Any = message_from_bytes(raw, policy=policy.default)
    html = sent.get_body(("html",))
    text = sent.get_body(("plain",)).get_content()
    lines = list_sent_lines(text, html.get_content() if html else "")
    return lines, (*parseaddr(str(sent["From"])), parseaddr(str(sent["Reply-To"]))[1])


NOT_READ: Final = {
    "170-charset-utf-16",  # a line end with its bytes swapped is left behind the text
    "237-em-client",  # nothing typed above fields without a colon
    "241-groupwise",  # quotes without a prefix below a line that looks quoted
}


def read_typed_words(name: str) -> str:
    raw = (FOLDER / f"{name}.eml").read_bytes()
    inbound = parse_inbound(raw, own_address="games@pbem.example", authserv_id="")
    lines, own = read_sent(WANTED[name]["sent"])
    return " ".join(remove_quote(inbound.text, sent_lines=lines, own_addresses=own).split())


def test_the_typed_text_of_programs() -> None:
    names = sorted(WANTED.keys() - NOT_READ)
    assert len(names) > 300
    wrong = {
        name: (typed, WANTED[name]["words"])
        for name in names
        if (typed := read_typed_words(name)) != WANTED[name]["words"]
    }
    assert wrong == {}
