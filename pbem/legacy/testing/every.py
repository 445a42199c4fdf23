"""All checks, by name: importing them puts them into the list."""

from pbem.legacy.testing import hidden, packaging, playing, reading, showing, words, worth
from pbem.legacy.testing.check import CHECKS, found

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
