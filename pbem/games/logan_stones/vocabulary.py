"""Synonyms and translations of the words that players can type (LS-7.2)."""

from __future__ import annotations

from itertools import product
from typing import Final

from pbem.games.vocabulary import Vocabulary

_FACES: Final = (
    *("back", "back side", "backside", "reverse", "reverse side", "other side", "other face"),
    *("other way", "hidden side", "hidden face", "underside", "under side", "lower side"),
    *("bottom", "bottom side", "bottom face"),
)
_UP: Final = ("up", "upwards", "upward", "on top", "showing", "facing up", "uppermost", "visible")
_GERMAN_FACES: Final = (
    *("rückseite", "rueckseite", "andere seite", "anderen seite", "unterseite", "untere seite"),
    *("unteren seite", "verdeckte seite", "verdeckten seite"),
)
_GERMAN_UP: Final = ("oben", "nach oben", "zuoberst")
_SYMBOLS: Final = {"rock": "stein", "paper": "papier", "scissors": "schere"}


def _join(faces: tuple[str, ...], ups: tuple[str, ...]) -> str:
    return "|".join(" ".join(words) for words in product(faces, ups))


VOCABULARY: Final = Vocabulary(
    {
        # No `a` and no `i`, because both are rows.
        "": "please|my|the|its|it|is|are|so that|and|then|with|from|stone"
        "|stones|tile|piece|number|nr",
        "add": "i add|i put|i place|i lay|i play|lay|lay down|play|set|drop",
        "move": "i move|moves|shift|slide",
        "flip": "i flip|i turn|flips|turn|turns",
        "turned": "flipped|reversed|inverted|upside-down|face-down|rotated|other way"
        "|other way round|other way around|turned around|" + _join(_FACES, _UP),
        "over": "around",
        "unturned": "as it lies|as it is|just as it is|just as it lies|exactly as it lies",
        "pass": "nothing|do nothing|no move",
    },
    {
        "de": {
            "": "bitte|ich|mein|meine|meinen|der|die|das|den|dem|es|ihn|sie|ist|und|dann|mit|von"
            "|den stein|der stein|dem stein|einen stein|meinen stein|plättchen|plaettchen|nummer",
            "add": "lege|leg|legen|lege an|anlegen|hinzufügen|setze|platziere|stelle",
            "move": "ziehe|versetze|bewege|schiebe|verschiebe",
            "flip": "wende|wenden|drehe|dreh|drehen|umdrehen",
            "turned": "gewendet|umgedreht|gedreht|andersherum|anders herum|verkehrt herum"
            "|andere seite|anderen seite|auf dem kopf|auf den kopf|kopfüber|"
            + _join(_GERMAN_FACES, _GERMAN_UP),
            "over": "um|herum",
            "unturned": "ungewendet|wie es liegt|wie er liegt|so wie es liegt|so wie er liegt",
            "to": "nach|zu",
            "on": "auf|bei|an",
            "rock": "fels",
            "paper": "papier",
            "scissors": "schere",
            "pass": "passe|passen|nichts",
            **{
                f"{symbol} on top": "|".join(
                    f"{german}{side} {up}" for side in ("", "seite", "nseite") for up in _GERMAN_UP
                )
                for symbol, german in _SYMBOLS.items()
            },
        }
    },
)
