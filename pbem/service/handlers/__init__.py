"""The handlers of all commands. Importing this package registers them."""

from pbem.service.handlers import (  # noqa: F401 - the import registers their commands
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
