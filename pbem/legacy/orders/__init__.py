"""What each order does: one module a family of verbs.

`order_table.py` leads from a typed order to its handler, after `powers.py` has said whether the
letter's proof grants it. A handler decides on matches and players through the transaction and says
what became of the order; it never commits, sends or reads a clock. A new verb is a row in
mail/verbs/, a handler in its family here that says its power, and its words in templates/.
"""

from pbem.legacy.orders.handlers import (
    accepting,
    conditions,
    courtesies,
    people,
    playing,
    resigning,
    seats,
    second_thoughts,
    showing,
    standing,
    talking,
    tournaments,
    wishes,
)

__all__ = [
    "accepting",
    "conditions",
    "courtesies",
    "people",
    "playing",
    "resigning",
    "seats",
    "second_thoughts",
    "showing",
    "standing",
    "talking",
    "tournaments",
    "wishes",
]
