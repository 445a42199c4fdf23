"""A piece that stands before a square is that piece, or asked about: never a pawn (MAIL 1)."""

from __future__ import annotations

import pytest

from tests.clubs.club import Club

from . import test_by_mail as by_mail
