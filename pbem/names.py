"""The names by which streams and sealed facts refer to each other."""

from __future__ import annotations

from typing import NewType

MatchId = NewType("MatchId", str)
"""The short public name of a match, as in `K7QX2`."""

PlayerId = NewType("PlayerId", str)
"""The name of a player's stream; names and addresses stand in mutable rows, never in events."""

Digest = NewType("Digest", str)
"""SHA-256 in hex of a sealed fact; its text stands in the sealed rows, or nowhere any more."""
