"""Bots, which are automatic players: `levels` chooses their moves by a `search` for any game.

All random numbers come from a seed that the caller gives, so that the moves of a bot can be
computed again.
"""
