"""All mutants, by what they are about."""

from __future__ import annotations

from typing import Final

from tests.mutants import games, joints, service
from tests.mutants.mutant import Mutant

MUTANTS: Final[list[Mutant]] = [
    *games.LOGGER,
    *games.LANDRUSH,
    *games.LOGAN_STONES,
    *games.LOONEY_LUDO,
    *service.FAIRNESS,
    *service.HOURS,
    *service.LETTERS,
    *service.PEOPLE,
    *service.STORE,
    *service.MATCHES,
    *service.WAITING,
    *joints.CODEC,
    *joints.OUTSIDE,
    *joints.DOOR,
    *joints.CONSENT,
    *joints.COALESCING,
    *joints.SCOPES,
    *joints.OUT,
]
