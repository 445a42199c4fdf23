"""The functions of the commands; importing this package registers them."""

from pbem.service.handlers import (
    account,
    challenges,
    clocks,
    looking,
    offers,
    playing,
    standing,
    talk,
)

__all__ = ["account", "challenges", "clocks", "looking", "offers", "playing", "standing", "talk"]
