"""Conditional orders as typed: chains, several opponents, lines that were broken, and sentences."""

from __future__ import annotations

import pytest

from pbem.games import newest
from pbem.mail.free_text import read_orders
from pbem.mail.verbs.if_lines import LONGEST, branch_of, joined
from pbem.mail.verbs.playing import DropConditions, If, Move, ShowConditions
from pbem.mail.verbs.verb import Order
from pbem.matches.branches import Branch
from tests.effort import clock, in_reference_seconds

ONE = Branch(("e4",), "e5")
CHAIN = Branch(("e4",), "e5", (Branch(("d4",), "d5"),))


@pytest.mark.parametrize(
    ("typed", "branch"),
    [
        ("if e4 then e5", ONE),
        ("IF E4 Then E5.", Branch(("E4",), "E5")),
        ('if "e4", then "e5"!', ONE),
        ("if e4 then e5, if d4 then d5", CHAIN),
        ("if e4 then e5 if d4 then d5", CHAIN),
        ("if e4 then e5 and if d4 then d5", CHAIN),
        ("if e4 if d4 then e5", Branch(("e4", "d4"), "e5")),
        ("if e4 and if any move then e5", Branch(("e4", "any"), "e5")),
        ("if anything then resign yes", Branch(("any",), "resign yes")),
        ("if e4 if drawn Suns 3 then e5", Branch(("e4", "drawn Suns 3"), "e5")),
        ("if e4 if coin: Suns 3 then e5", Branch(("e4", "drawn Suns 3"), "e5")),
        ("if -A0 to A2 then flip A2", Branch(("-A0 to A2",), "flip A2")),
    ],
)
def test_a_condition_is_read_in_many_forms(typed: str, branch: Branch) -> None:
    assert branch_of(typed) == branch


@pytest.mark.parametrize(
    "typed",
    ["if e4", "if e4 then", "if then e5", "then e5", "e4 then e5", "if e4 then e5 then e6",
     "if e4 then e5 if d4", "well, if e4 then e5", f"if e4 then {'e' * LONGEST}"],
)  # fmt: skip
def test_what_is_not_whole_is_none(typed: str) -> None:
    assert branch_of(typed) is None


def read(*lines: str) -> list[Order]:
    return [typed.order for typed in read_orders(lines, newest("logger")).orders]


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("queue", ShowConditions()),
        ("Queue.", ShowConditions()),
        ("queue clear", DropConditions()),
        ("premove e5", If(Branch(("any",), "e5"))),
        ("queue e4 then e5", If(ONE)),
        ("queue if e4 then e5", If(ONE)),
        ("premove: if e4 then e5, if d4 then d5", If(CHAIN)),
    ],
)
def test_queue_shows_drops_and_adds(typed: str, order: Order) -> None:
    assert read(typed) == [order]


def test_several_lines_are_several_branches() -> None:
    assert read("if e4 then e5", "if d4 then d5") == [If(ONE), If(Branch(("d4",), "d5"))]


@pytest.mark.parametrize(
    "lines",
    [
        ("if e4 then e5,", "if d4 then d5"),
        ("if e4", "then e5, if d4", "then d5"),
        ("if e4 then", "e5", "and if d4 then d5"),
        ("if e4 then e5, if", "d4 then d5"),
    ],
)
def test_a_chain_may_run_over_lines(lines: tuple[str, ...]) -> None:
    assert read(*lines) == [If(CHAIN)]


def test_a_line_that_a_mailer_broke_is_one() -> None:
    long = "if e3 plant d3 then a3 plant b3, if any then stay c3>c2 protest a1"
    assert joined([long, "c3"]) == [f"{long} c3"]
    assert joined([long, "if any then e5"]) == [long, "if any then e5"]


def test_a_move_comes_before_its_conditions() -> None:
    orders = read("e3 plant d3", "if a3 plant b3 then e2 plant e1")
    assert [type(order) for order in orders] == [Move, If]


@pytest.mark.parametrize(
    "typed",
    ["If you like, then we can play faster.", "If it rains then I have time.",
     "If you stay then I will win?", "If only!"],
)  # fmt: skip
def test_sentences_that_begin_so_are_no_conditions(typed: str) -> None:
    assert not any(isinstance(order, If) for order in read(typed))


def test_a_condition_of_endless_lines_is_read_in_no_time() -> None:
    lines = ["if e4 then e5,", *["then e5, if e4"] * 20_000]
    began = clock()
    assert len(joined(lines)) > 19_000
    read(*lines[:5_000])
    assert in_reference_seconds(clock() - began) < 5


@pytest.mark.parametrize("lines", ["say x\nif a3 then e2 plant e1", "say x\nifx y z", "wf a3"])
def test_endless_lines_of_talk_and_plans_are_read_in_no_time(lines: str) -> None:
    began = clock()
    read(*lines.split("\n") * 10_000)
    assert in_reference_seconds(clock() - began) < 5
