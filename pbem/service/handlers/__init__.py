"""The functions of the commands; importing this package registers them."""

from pbem.service.handlers import account, challenges, looking, playing

__all__ = ["account", "challenges", "looking", "playing"]
