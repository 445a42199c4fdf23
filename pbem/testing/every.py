"""All checks, by name: importing them puts them into the list."""

from pbem.testing import hidden, packaging, playing, reading, showing, words, worth
from pbem.testing.check import CHECKS, found

__all__ = [
    "CHECKS",
    "found",
    "hidden",
    "packaging",
    "playing",
    "reading",
    "showing",
    "words",
    "worth",
]
