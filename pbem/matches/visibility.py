"""Who may know that something happened, and read the texts that it names: said by its class."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Eyes(Enum):
    """For whose eyes something is, beside those whose own it is: while the match runs, and after.

    EVERYBODY: those who watch, too. TABLE: those who play, and everybody after the end.
    TABLE_ALONE: those who play, and nobody else ever. OWN: nobody, and everybody after the end.
    OWN_ALONE: nobody ever; the operator may read it after the end. PRIVATE: the operator neither.
    """

    EVERYBODY = "everybody"
    TABLE = "table"
    TABLE_ALONE = "table alone"
    OWN = "own"
    OWN_ALONE = "own alone"
    PRIVATE = "private"

    def may_see(self, *, seated: bool, over: bool) -> bool:
        """Whether somebody else may: who sits at the table or not, before or after the end."""
        match self:
            case Eyes.EVERYBODY:
                return True
            case Eyes.TABLE:
                return seated or over
            case Eyes.TABLE_ALONE:
                return seated
            case Eyes.OWN:
                return over
            case Eyes.OWN_ALONE | Eyes.PRIVATE:
                return False


@dataclass(frozen=True, slots=True)
class Visible:
    """For whose eyes the events of a class are, and the sealed texts that they name."""

    event: Eyes
    texts: Eyes = Eyes.OWN_ALONE
