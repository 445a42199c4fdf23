"""Ways to begin a match that no conversation shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.service import begin

SCRIPTS = {
    "bots fill the seats": """
register ann
ann writes
    new logger with bots hard seats=3 starter=given
expect ann turn in M1 exactly 1
    Strong bot
    Strong bot 2
ann writes
    new logger with bots seats=many
expect ann refusal exactly 1
    many
ann writes
    new logger with bob@example.net, bots
expect bob invitation exactly 1
    bot
""",
    "a level has another word, and stands before its bot": """
register ann
ann writes
    new landrush with easy bot starter=given
expect ann turn in M1 exactly 1
    Easy bot
ann writes
    new landrush with bot hard
expect ann refusal exactly 1
    easy, medium
""",
    "a part of a title is enough, and a misspelt one is asked about": """
register ann
ann writes
    new ludo open
expect ann challenge in M1 exactly 1
    Looney Ludo
ann writes
    open
expect ann answer exactly 1
    not: {M1}
ann writes
    new lodger open
expect ann refusal exactly 1
    Did you mean Logger?
""",
    "a player and an open seat": """
register ann bob cleo
ann writes
    new logger with bob@example.net open starter=given
expect bob invitation in M1
bob replies
    accept
expect bob answer in M1 exactly 1
    tap: leave
expect ann challenge in M1 exactly 1
    Bob
cleo writes
    join {M1}
expect ann turn in M1 exactly 1
expect bob start in M1 exactly 1
expect cleo start in M1 exactly 1
""",
    "a seat that is passed on": """
setting pages off

register ann
ann writes
    new logger link starter=given
expect ann challenge in M1 exactly 1
    games@pbem.example
    join {M1}
bob writes
    open
expect bob question exactly 1
cleo writes
    join {M1}
expect cleo question exactly 1
    join {M1}
cleo replies
    yes
expect ann turn in M1 exactly 1
    Cleo
bob replies
    yes
expect bob answer exactly 1
    not: {M1}
bob writes
    page
expect bob refusal exactly 1
bob writes
    join XXXXX
expect bob refusal exactly 1
    XXXXX
""",
    "another address that accepts nothing is not asked": """
address bob work bob@work.example
register ann
ann writes
    new landrush with bob@example.net starter=given colour=black
expect bob invitation in M1
bob replies from work
    no
expect bob nothing
expect ann nothing
bob replies from work
    accept red
expect bob question exactly 1
bob replies to question from work
    yes
expect ann turn in M1 exactly 1
    another address
    Red
""",
    "a player who is blocked asks for no rematch": """
match logger ann bob
operator adjudicate M1 1 2
bob replies
    block ann
ann replies
    rematch
expect ann refusal exactly 1
expect bob nothing
""",
    "both players want to play again": """
match logger ann bob
ann replies
    resign
ann replies
    yes
expect ann end in M1
ann replies
    rematch
expect bob invitation in M2 exactly 1
expect ann challenge in M2 exactly 1
ann replies in M1
    rematch
expect ann refusal in M1 exactly 1
expect bob nothing
bob replies in M1
    rematch
expect ann turn|start in M2 exactly 1
expect bob turn|start in M2 exactly 1
""",
    "two matches each have a rematch of their own": """
match logger ann bob
match logger ann bob
operator adjudicate M1 1 2
operator adjudicate M2 1 2
ann replies in M1
    rematch
expect bob invitation in M3 exactly 1
bob replies in M2
    rematch
expect ann invitation in M4 exactly 1
expect ann start|turn exactly 0
""",
}


@pytest.mark.parametrize("name", SCRIPTS)
async def test_the_beginning_of_a_match(name: str, tmp_path: Path) -> None:
    await begin(SCRIPTS[name], tmp_path).play()
