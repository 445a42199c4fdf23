"""Synonyms and translations of the words that players can type (LG-7.2)."""

from __future__ import annotations

from typing import Final

from pbem.games.vocabulary import Vocabulary

VOCABULARY: Final = Vocabulary(
    {
        "": "please|i|i'll|i will|my|the|a|an|on|at|logger|tree|seedling|protester|it is|there",
        "plant": "plants|planting|sow|plant a seedling|put a seedling|place a seedling|put a tree"
        "|set a seedling",
        "chop": "chops|chop down|chops down|cut down|cuts|fell|fells|chopping|felling",
        "protest": "protests|protect|protects|protecting|put a protester|place a protester"
        "|put protesters|place protesters|guard",
        "stay": "stays|staying|remain|don't move|dont move|do not move|no move|stay put|stay here"
        "|stay there|stand still",
        "place": "put|set|start|begin",
        "go": "goes|going|moves|moving|walk|walks|step|steps",
        "and": "then|and then|&",
        "pass": "skip|nothing|do nothing|passes",
    },
    {
        "de": {
            "": "bitte|hier|ich|mein|meine|meinen|mit|der|die|das|den|dem|ein|eine|einen|einem"
            "|auf|bei"
            "|holzfäller|holzfaeller|baum|bäume|baeume|setzling|dort|da",
            "plant": "pflanze|pflanzen|pflanz|pflanzt|bepflanze|bepflanzen|säe|saee"
            "|setze einen setzling|pflanze einen setzling|pflanze einen baum",
            "chop": "fälle|faelle|fällen|faellen|fäll|fällt|hacke|säge|saege|absägen|umhauen"
            "|säge ab|hacke um",
            "protest": "schütze|schuetze|schützen|schuetzen|schützt|protestiere|protestieren"
            "|setze einen baumschützer|stelle einen baumschützer|setze einen protest",
            "stay": "bleibe|bleib|bleiben|bleibt|bleibe stehen|bleib stehen|bleibt stehen"
            "|stehen bleiben|stehenbleiben|stehe|bleibe hier|bleibe dort",
            "place": "setze|setz|setzt|stelle|stell|stellt|platziere|beginne",
            "move": "ziehe|zieh|zieht|gehe|geh|gehen|geht|laufe|lauf|laufen|läuft",
            "to": "nach|zu|zum",
            "from": "von",
            "and": "und|und dann|dann|danach",
            "pass": "passe|passen|nichts|tue nichts|aussetzen",
        }
    },
)
