"""Nine keeps the contract of a game."""

from pbem.legacy.skeleton.nine import GAME
from pbem.legacy.testing.contract import Contract


class TestContract(Contract):
    """Every check of pbem, at every number of seats: what fails says what to mend."""

    games = (GAME,)
