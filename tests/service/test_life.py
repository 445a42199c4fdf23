"""Faults of the life of a match that were found once: short conversations that show each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.service import begin

SCRIPTS = {
    "a banned player answers an open question": """
register ann bob cleo
bob writes
    new address
expect bob question exactly 1
operator ban bob@example.net
bob replies to question
    new logger with cleo@example.com
expect cleo invitation exactly 0
""",
    "an earlier board of a challenge that was closed": """
register ann bob
ann writes
    new logger with bob@example.net starter=given
expect bob invitation in M1 exactly 1
bob replies
    decline
expect ann challenge in M1
ann replies
    board 0
expect ann answer|refusal in M1
ann replies
    replay
expect ann refusal in M1
""",
    "draw agrees to an open offer while one's own move waits": """
setting window 5

match logan stones ann bob
ann replies
    add 1 L21

    draw
wait 5 minutes
expect bob turn|offer in M1
bob replies
    add 1 N21
expect bob receipt in M1
bob replies
    draw
expect bob end in M1 exactly 1
    not: You offered
""",
    "a draw that can never be offered does not wait with a move": """
setting window 5

match logger ann bob
ann replies
    a1
ann replies to receipt
    draw
expect ann refusal in M1
""",
    "nothing binding is done beside a move that is asked about": """
match logan stones ann bob
ann replies
    Or maybe wait
    add 1 L21

    draw
expect ann question in M1
expect bob offer in M1 exactly 0
""",
    "a yes to an older email agrees to no draw": """
match logan stones ann bob
ann replies
    add 1 L21
bob replies
    say Lunch tomorrow?
expect ann message in M1
bob replies to turn
    draw
expect ann offer in M1
ann replies to message
    ok
expect ann end in M1 exactly 0
ann replies to message
    no
expect bob news|offer in M1 exactly 1
""",
    "a forged unsubscribe declines nothing": """
register ann
ann writes
    new logger with bob@example.net starter=given
expect bob invitation in M1 exactly 1
bob writes verdict fail
    + Subject: unsubscribe
    x
expect ann challenge in M1 exactly 0
""",
    "who was asked about somebody else's invitation gets no account": """
register ann cleo
ann writes
    new logger with bob@example.net starter=given
expect bob invitation in M1 exactly 1
emil replies for bob
    yes
expect emil question exactly 1
wait 1 day
cleo writes
    new logger with bob@example.net starter=given
expect bob invitation in M2 exactly 1
bob replies in M2
    accept
expect cleo turn in M2
emil replies to question
    yes
cleo replies in M2
    a1
expect bob turn in M2
    to: bob@example.net
""",
    "a condition behind a move that waits": """
setting window 5

match logger ann bob
ann replies
    a1

    if e5 then b1; plant a1
expect ann receipt in M1
wait 10 minutes
expect bob turn in M1
    place a1
bob replies
    e5
wait 10 minutes
expect bob turn in M1 exactly 1
    b1; plant a1
""",
    "a condition behind a move that is taken back": """
setting window 5

match logger ann bob
ann replies
    a1

    if e5 then b1; plant a1
expect ann receipt in M1
ann replies
    undo
expect ann answer|turn in M1
ann opens /act/
ann tries a1
ann presses Play
expect bob turn in M1
    place a1
bob replies
    e5
wait 5 minutes
expect ann turn in M1
    place e5
""",
    "a condition for a move that the operator takes back": """
match logger ann bob
play
    ann: a1
    bob: e5
bob writes
    if b1; plant a1 then d5; plant e5
expect bob answer in M1
operator rollback M1 1
bob replies
    e5
expect ann turn in M1
ann replies
    b1; plant a1
expect bob turn in M1
    b1; plant a1
expect ann nothing
""",
    "a turn that the relay has not taken is not sent after a page has shown it": """
match logger ann bob
play
    ann: place a1
ann opens /act/
relay delays ann
bob replies
    place e5
ann reloads
ann sends history
relay accepts ann
wait 1 hour
expect ann turn exactly 0
""",
    "never inside of a sentence": """
register ann
ann writes
    new logger with bob@example.net starter=given
expect bob invitation in M1 exactly 1
bob replies
    I've never played this, but yes!
bob replies to invitation
    yes
expect bob start|turn in M1
""",
    "a question about a move lapses with a takeback": """
match logger ann bob
play
    ann: a1
    bob: e5
ann replies
    Maybe I go
    b1; plant a1
expect ann question in M1
bob replies
    board
bob replies
    undo
expect ann offer in M1
ann replies to offer
    yes
expect bob turn in M1
bob replies to turn
    e1
expect ann turn in M1
    place e1
ann replies to question
    yes
expect bob turn in M1 exactly 0
""",
    "what a player has prepared is dropped when the seat is given away": """
setting window 5

match logger ann bob
register cleo
ann replies
    a1

    say Secret words of Ann
expect ann receipt in M1
operator reassign M1 1 cleo@example.com
expect cleo turn in M1
wait 10 minutes
expect bob nothing
cleo replies to turn
    a1
wait 5 minutes
expect bob turn in M1 exactly 1
    not: Secret
cleo replies
    if e5 then b1; plant a1
expect cleo answer in M1
operator reassign M1 1 ann@example.org
bob replies to turn
    e5
wait 5 minutes
expect ann turn in M1 exactly 1
    place e5
""",
    "a move for a position that was taken back": """
match logger ann bob
play
    ann: a1
    bob: e5
expect ann turn in M1
bob replies
    board
bob replies
    undo
expect ann offer in M1
ann replies to offer
    yes
expect bob turn in M1
bob replies to turn
    e1
expect ann turn in M1
    place e1
ann replies to offer
    b1; plant a1
expect ann refusal in M1
expect bob turn in M1 exactly 0
""",
    "a match begins while a player is away for longer than it allows": """
register ann bob
ann writes
    new logger with bob@example.net starter=given time=fast
ann writes
    away 20 days
expect ann answer exactly 1
wait 1 hour
bob replies to invitation
    yes
expect ann turn in M1 exactly 1
wait 9 days
expect ann nothing
wait 20 days
ann writes
    new logger with bob@example.net starter=given
bob replies to invitation
    yes
expect ann turn in M2 exactly 1
expect bob refusal exactly 0
""",
    "a match begins a while after a player has left for some days": """
register ann bob
ann writes
    away 2 days
wait 1 hour
ann writes
    new logger with bob@example.net starter=given time=24/8/48
bob replies
    yes
expect ann turn in M1 exactly 1
    23 November
""",
    "a match begins while the emails of a player come back": """
match logger ann bob
register cleo
ann writes
    new logger with bob@example.net, cleo@example.com starter=given time=fast
bob replies to invitation
    yes
relay refuses bob
ann replies in M1
    say one
ann replies in M1
    say two
ann replies in M1
    say three
cleo replies to invitation
    yes
ann replies to turn in M2
    place a1
wait 2 days
expect ann nothing
""",
    "an address gets a player while we ask whether it is another player's": """
register ann bob
ann writes
    address add finn@example.biz
ann replies to question
    yes
expect finn question exactly 1
wait 1 day
bob writes
    new logger with finn@example.biz
expect finn invitation exactly 1
finn replies to question
    yes
expect ann refusal exactly 1
ann writes
    address list
expect ann answer exactly 1
    not: finn@example.biz
""",
    "a watched game is named if there are several": """
match logger ann bob
match logger ann bob
register cleo
cleo writes
    watch {M1}
cleo writes
    watch {M2}
cleo writes
    unwatch
expect cleo refusal exactly 1
cleo writes
    unwatch {M1}
expect cleo answer exactly 1
    {M2}
    not: {M1}
cleo writes
    unwatch {M1}
expect cleo refusal exactly 1
""",
    "never declines the invitation that it answers, and start allows the next one": """
register ann bob
ann writes
    new logger with bob@example.net
bob replies to invitation
    never
expect ann challenge in M1 exactly 1
    Bob
ann writes
    new logger with bob@example.net
expect bob nothing
bob writes
    start
ann writes
    new logger with bob@example.net
expect bob invitation exactly 1
""",
    "a button to unsubscribe declines the invitation that it came with": """
register ann
ann writes
    new logger with bob@example.net
bob unsubscribes by page
expect ann challenge in M1 exactly 1
    Bob
expect bob nothing
""",
    "what is said beside a doubtful move goes out after a yes": """
match logger ann bob
    starter=given time=fast
ann replies
    I guess place a1 is best

    say Good luck!
expect ann question in M1
    I guess place a1 is best
expect bob nothing
wait 20 hours
ann replies to question
    yes
expect ann receipt in M1 exactly 1
expect bob turn in M1 exactly 1
    Good luck!
ann replies in M1
    time
expect ann answer in M1
    11 hours
""",
    "who declines their first invitation causes nothing else": """
register ann
ann writes
    new logger with bob@example.net
bob replies
    no

    new logger with cleo@example.com
expect ann challenge in M1 exactly 1
expect cleo nothing
""",
    "a try beside a move": """
match logger ann bob
ann replies
    try e1

    a1
expect bob turn in M1
    place a1
""",
    "a try beside a move that waits": """
setting window 5

match logger ann bob
ann replies
    a1
expect ann receipt in M1
ann replies
    try e1

    now
expect bob turn in M1
    place a1
""",
}


@pytest.mark.parametrize("name", SCRIPTS)
async def test_a_fault_that_was_found(name: str, tmp_path: Path) -> None:
    await begin(SCRIPTS[name], tmp_path).play()
