"""The handlers of all commands. Importing this package registers them."""

from pbem.service.handlers import (
    account,
    bots,
    challenges,
    clocks,
    looking,
    offers,
    playing,
    standing,
    talk,
)

__all__ = [
    "account",
    "bots",
    "challenges",
    "clocks",
    "looking",
    "offers",
    "playing",
    "standing",
    "talk",
]
