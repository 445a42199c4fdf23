"""Synonyms and translations of the words that players can type (LR-7.1 to LR-7.3)."""

from __future__ import annotations

from typing import Final

from pbem.games.vocabulary import Vocabulary

VOCABULARY: Final = Vocabulary(
    {
        # LR-7.1
        "": "please|play|place|put|on|at|to|the|my|pyramid|pyramids"
        "|square|and|then|i|i'll|start|begin"
        "|a|an|one|in|goes|go|corner|tile|of|there",
        "small": "little|tiny",
        "large": "big",
        "top": "upper",
        "bottom": "lower",
        "take": "takes|taking|capture|captures|capturing",
        "replace": "replaces|replacing",
        "with": "using",
        "becomes": "become|turns into|turns|gets",
        "pass": "skip|nothing",
    },
    {
        "de": {
            "": "bitte|ich|ein|eine|einen|einer|einem|der|die|das|den|dem|im|in|mein"
            "|meine|meinen|meiner"
            "|auf|bei|nach|pyramide|pyramiden|stein|ecke|feld|geht|und|dann|spiele|ziehe|setze"
            "|stelle|lege|beginne",
            "small": "klein|kleine|kleiner|kleines|kleinen|kleinem",
            "medium": "mittel|mittlere|mittlerer|mittleres|mittleren|mittlerem",
            "large": "groß|gross|große|grosse|großer|grosser|großes|grosses|großen|grossen|großem",
            "with": "mit|durch",
            "take": "erobere|erobert|nehme|nimmt|schlage|schlägt",
            "replace": "ersetze|ersetzen|ersetzt",
            "becomes": "wird|bekommt",
            "top": "oben|obere|oberen",
            "bottom": "unten|untere|unteren",
            "left": "links|linke|linken",
            "right": "rechts|rechte|rechten",
            "nw": "nordwest|nordwesten",
            "ne": "nordost|nordosten",
            "sw": "südwest|südwesten|suedwest|suedwesten",
            "se": "südost|südosten|suedost|suedosten",
            "pass": "passe|passen|nichts",
            # The colours that players choose when they accept an invitation.
            "red": "rot",
            "yellow": "gelb",
            "green": "grün|gruen",
            "blue": "blau",
            "black": "schwarz",
        }
    },
)
