"""The settings: a TOML file, over it the environment (PBEM_IMAP__HOST), and files for secrets.

Nothing here knows what a setting is used for: no import of another part of pbem but its errors.
config.example.toml is the manual. A new setting is a field in `settings` and a line there; a test
compares the two. Secrets are read when they are asked for, so that most commands need none.
"""

from pbem.legacy.config.loading import fault_of, find_file, load_settings
from pbem.legacy.config.secrets import (
    FIRST_KEY,
    SEED_BYTES,
    AddressKeys,
    ReplacedSecret,
    load_keys,
    open_to_others,
    replace_keys,
    write_keys,
    write_private,
)
from pbem.legacy.config.settings import Imap, Login, Settings, Smtp, setting_names

__all__ = [
    "FIRST_KEY",
    "SEED_BYTES",
    "AddressKeys",
    "Imap",
    "Login",
    "ReplacedSecret",
    "Settings",
    "Smtp",
    "fault_of",
    "find_file",
    "load_keys",
    "load_settings",
    "open_to_others",
    "replace_keys",
    "setting_names",
    "write_keys",
    "write_private",
]
