"""Synonyms and translations of the words that players can type (LL-7.1 to LL-7.3)."""

from __future__ import annotations

from typing import Final

from pbem.games.looney_ludo.lexicon import WAYS
from pbem.games.vocabulary import Vocabulary

VOCABULARY: Final = Vocabulary(
    {
        "": "please|it|put|choose|use|using|degrees|degree|rotated|around|spot",
        "top": "on top|onto the top|on the top|up on top|climb up|up to the top",
        "left": "leftwards|left-wards",
        "right": "rightwards",
        "down": "downwards|downward",
        "pass": "skip|nothing|do nothing|no move|stop",
        "swap": "exchange|switch|swaps|trade",
        "hop": "hops|jump|jumps",
        "aim": "spin",
        "180": "twice right|twice left|right twice|left twice|twice cw|twice ccw|half turn"
        "|half a turn|two quarter turns",
        "keep": "keep them|keep the dice|keep both|keep both dice",
        "reroll": "roll again|reroll both dice|reroll both|reroll the dice|reroll them"
        "|re-roll both dice|re-roll them|throw again|roll both dice again|roll them again",
    },
    {
        "de": {
            "": "bitte|grad|um|bretter|wähle|nimm|nehme|nutze|stelle|lege",
            "and": "und",
            "to": "nach|auf|zu|richtung",
            "red": "rot|rote|rotes|roten|roter",
            "yellow": "gelb|gelbe|gelbes|gelben|gelber",
            "green": "grün|gruen|grüne|gruene|grünes|grünen|grüner",
            "blue": "blau|blaue|blaues|blauen|blauer",
            "purple": "violett|lila|purpur|violette|violettes|violetten",
            "small": "klein|kleine|kleiner|kleinen",
            "medium": "mittel|mittlere|mittlerer|mittleren",
            "large": "groß|gross|große|grosse|großer|grosser|großen|grossen",
            "north": "nord|norden|nördlich|noerdlich",
            "east": "ost|osten|östlich|oestlich",
            "south": "süd|sued|süden|sueden|südlich|suedlich",
            "west": "westen|westlich",
            "top": "oben|nach oben|spitze|hoch|hinauf|obendrauf|ganz nach oben",
            "down": "unten|nach unten|runter|hinunter",
            "left": "links|nach links",
            "right": "rechts|nach rechts",
            "swap": "tausche|vertausche|tauschen|wechsle",
            "hop": "versetze|springe|spring|hüpfe|huepfe|versetzen",
            "aim": "drehe|dreh|richte|ziele|drehen",
            "cw": "rechtsherum|rechts herum|im uhrzeigersinn",
            "ccw": "linksherum|links herum|gegen den uhrzeigersinn",
            "half": "halb|halb herum|halbe drehung|eine halbe drehung",
            "tip": "kippe|kippen",
            "dig": "grabe|graben",
            "wild": "joker",
            "stay": "bleibe|bleibt|bleib",
            "dot": "punkt|marke",
            "of": "von",
            "keep": "behalten|behalte|behalte sie",
            "reroll": "neu würfeln|neu wuerfeln|würfle neu|wuerfle neu|nochmal würfeln|nochmal",
            "doubles": "pasch|pasche",
            "ask": "fragen|frage",
            "pass": "passe|passen|nichts|aussetzen",
        }
    },
    letters={"de": {"e": "o"}},
    lettered=WAYS,
)
