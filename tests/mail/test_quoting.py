from __future__ import annotations

import time

import pytest

from pbem.mail.inbound import parse_inbound
from pbem.mail.quoting import list_sent_lines, remove_quote

MARKER = "=== write your reply above this line ==="
ADDRESS = "games+k7qx2.1.aahscv3ifp64ef5laf@pbem.example"
NAME = "Logger K7QX2"
OWN = ("games@pbem.example", NAME)
CHOICES = (
    "You can answer with one of these moves, or with any other move in the words of the rulebook:"
)
SENT = f"""\
{MARKER}

Bob played place e5. It is your turn.

   +-----+-----+-----+
3  |     |     |  i  |  3
   +-----+-----+-----+
1  |  A  |     |     |  1

{CHOICES}
  b1; plant a1
  a2; plant a1
  stay; plant b2

You have 10 days. To see the rules, reply with: rules
"""
SENT_LINES = list_sent_lines(SENT, "")
QUOTED = "\n".join(f"> {line}" for line in SENT.splitlines())
INSIDE = QUOTED.replace(f"> {CHOICES}\n", f"> {CHOICES}\n\nb1; plant a1\n\n")
ATTRIBUTION = f"Am Fr., 27. Nov. 2026 um 10:00 Uhr schrieb {NAME} <{ADDRESS}>:"


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        # Attributions of any language, wrapped or with a name only.
        (f"a1\n\n{ATTRIBUTION}\n{QUOTED}", "a1"),
        (f"a1\n\nLe ven. 27 nov. 2026 à 10:00, {NAME}\n<{ADDRESS}> a écrit :\n\n{QUOTED}", "a1"),
        (f"a1\n\nOn Friday, someone wrote:\n\n{QUOTED}", "a1"),
        (f"a1\n\nFriday, games-k7qx2.1.aahs@pbem.example\n\n{QUOTED}", "a1"),  # another delimiter
        (f"a1\n\n{NAME} kirjoitti 27.11.2026 klo 10.00:\n\n{SENT}", "a1"),
        # No prefix and no attribution: only the marker, or the lines that we sent.
        (f"a1\n\n{SENT}", "a1"),
        ("a1\n\n" + "\n".join(SENT.splitlines()[1:]), "a1"),
        (f"a1\n\n-----Ursprüngliche Nachricht-----\nVon: x\nGesendet: heute\n\n{SENT}", "a1"),
        (f"------------------ Original ------------------\nFrom: {NAME}\nDate: x\n\n{SENT}", ""),
        # Below a quote without a prefix, what we did not send was typed.
        (f"{ATTRIBUTION}\n\n{SENT}\ne4; plant d4", "e4; plant d4"),
        (f"{ATTRIBUTION}\n\nsomething else\nb1; plant a1", ""),
        # A quoted line that a program has wrapped.
        (f"{ATTRIBUTION}\n> {CHOICES[:-27]}\n{CHOICES[-26:]}\n>   b1; plant a1\n", ""),
        (f"{ATTRIBUTION}\n\n{CHOICES[:-27]}\n{CHOICES[-26:]}\nb1; plant a1\n\ne4", "e4"),
        # Words above and a move inside; a line of ours without a prefix is not typed.
        (f"Hi!\n\n{ATTRIBUTION}\n{QUOTED}\n\ne4\n> x\nb1; plant a1\n", "Hi!\n\ne4"),
        # A move that our email offers is typed above, below and inside of the quote.
        (f"b1; plant a1\n\n{ATTRIBUTION}\n{QUOTED}", "b1; plant a1"),
        (f"b1; plant a1\n\n{ATTRIBUTION}\n{SENT}", "b1; plant a1"),
        (f"{ATTRIBUTION}\n{QUOTED}\n\nb1; plant a1", "b1; plant a1"),
        (f"{ATTRIBUTION}\n{INSIDE}", "b1; plant a1"),
        # Signatures and footers.
        ("a1\n\n-- \nAnn\nb1", "a1"),
        ("a1\n\n—\nAnn", "a1"),
        ("a1\n____\nAnn Example", "a1"),
        ("a1\n\nSent from my iPhone", "a1"),
        ("a1\n\nVon meinem Handy gesendet", "a1"),
        ("a1\n\nThis message is confidential. If you are not the recipient, delete it.", "a1"),
        (f"Sent from my phone\n\n{ATTRIBUTION}\n{QUOTED}\n\na1", "a1"),
        # What is not a quote stays.
        ("Move: a1\nAction: plant b1", "Move: a1\nAction: plant b1"),
        ("a1 > b1", "a1 > b1"),
        ("Hi!\n----------\na1\n*****", "Hi!\n----------\na1\n*****"),
        ("b1; plant a1", "b1; plant a1"),
        ("b1; plant a1\na2; plant a1", "b1; plant a1\na2; plant a1"),
        ("Logger K7QX2 is fun", "Logger K7QX2 is fun"),
        ("> c5; plant d5", ""),
        ("", ""),
    ],
)
def test_only_typed_text_is_left(text: str, typed: str) -> None:
    text = text.replace("—", "-").replace("-- \n", "--\n")  # as parse_inbound normalises it
    assert remove_quote(text, sent_lines=SENT_LINES, own_addresses=OWN) == typed


@pytest.mark.parametrize(
    "text",
    [
        "On " * 80_000,
        "On x wr\n" * 5000,
        "\n" * 5000,
        "-" * 250_000,
        "On Mon, Jan 1 ...\n" * 5000,
        "> " * 100_000,
        ("b" * 40 + "\n") * 5000,
        f"{ADDRESS}\n" * 5000,
        f"From: {ADDRESS}\n\n" * 2500,
        ("You can answer with one of these\n" * 4999),
        "Logger\n\n\n\n\n\n\n\n" * 600 + SENT,
    ],
)
def test_hostile_text_is_read_in_time(text: str) -> None:
    raw = b"From: a@b.c\r\n\r\n" + text.encode()
    begun = time.process_time()
    inbound = parse_inbound(raw, own_address="games@pbem.example", authserv_id="")
    remove_quote(inbound.text, sent_lines=SENT_LINES, own_addresses=OWN)
    assert time.process_time() - begun < 5
