"""MAIL 3: a consent is a yes alone on the first line; nothing that people say beside it is one."""

import pytest

from pbem.mail.free_text import Answer, answer_of
from pbem.wiring.words import words_of

WORDS = words_of()


@pytest.mark.parametrize(
    "text",
    [
        "yes", "Yes.", "YES!", '"yes"', "ja", "Ja.", "jawohl", "\n\nyes\n", "yes\n\nThanks!",
        "yes\n\nBest regards,\nAnn", "Ja\n\nViele Grüße\nAnn Archer", "yes\nAnn",
    ],
)  # fmt: skip
def test_a_yes_alone_is_a_consent(text: str) -> None:
    assert answer_of(text.split("\n"), WORDS, "Ann Archer") is Answer.YES


@pytest.mark.parametrize(
    "text",
    ["accept", "Accept.", 'accept "tall trees"', "accept with words tall trees", "annehmen",
     "accept\n\nRegards\nAnn"],
)  # fmt: skip
def test_an_invitation_is_accepted_by_its_own_word(text: str) -> None:
    assert answer_of(text.split("\n"), WORDS, "Ann") is Answer.ACCEPT


@pytest.mark.parametrize("text", ["never", "Never.", "never again", "Never again!", "nie wieder"])
def test_never_is_known(text: str) -> None:
    assert answer_of(text.split("\n"), WORDS) is Answer.NEVER


@pytest.mark.parametrize(
    "text",
    [
        "No, that was not me.", "This is spam", "no", "Nein danke", "It wasn't me", "STOP",
        "please stop this", "I am not interested.", "I did not ask for this", "Not me!",
        "Das war nicht ich", "Remove me from your list", "yes\n\nno, stop", "unsubscribe",
    ],
)  # fmt: skip
def test_words_that_refuse_are_known(text: str) -> None:
    assert answer_of(text.split("\n"), WORDS) is Answer.REFUSAL


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n", "ok", "Okay", "yes but who are you", "yes\nbut who are you?", "Yes, it was me.",
        "yes please", "yes yes", "sure", "I think yes", "e1", "e1\nyes", "yes\ne1",
        "yes\n\naddress add thief@evil.example", "yes\nresign yes", "> yes", "yes?", "y", "1",
        "I am out of the office until Monday.\n\nyes", "Ich bin im Urlaub.", "Who is this?",
        "yes\n\nAnn wrote that she would come", "accept, but who are you", "accept\nbut why",
        "maybe", "say yes", "queue", "yes\nBob", "Re: yes",
    ],
)  # fmt: skip
def test_anything_else_is_no_consent(text: str) -> None:
    assert answer_of(text.split("\n"), WORDS, "Ann Archer") is Answer.OTHER


@pytest.mark.parametrize(
    "behind",
    [
        (), ("--", "Ann Archer", "Example Ltd, 1 High Street"), ("Sent from my phone",),
        ("___", "If you are not the intended recipient, please tell the sender, and delete it."),
        ("--", *["A line of an office"] * 20),
    ],
)  # fmt: skip
def test_a_signature_does_not_count(behind: tuple[str, ...]) -> None:
    assert answer_of(["yes"], WORDS, "Ann", behind) is Answer.YES
    assert answer_of(["accept"], WORDS, "Ann", behind) is Answer.ACCEPT


@pytest.mark.parametrize(
    "behind",
    [
        ("--", "no, this is spam"), ("--", "This was not me!"), ("Sent from my phone", "", "No."),
        ("--", "Ann", "Das war nicht ich"), ("--", *["A line of a letter"] * 40),
        ("--", "x" * 3_000),
    ],
)  # fmt: skip
def test_a_refusal_below_a_signature_undoes_the_yes(behind: tuple[str, ...]) -> None:
    assert answer_of(["yes"], WORDS, "Ann", behind) is Answer.OTHER
    assert answer_of(["accept"], WORDS, "Ann", behind) is Answer.OTHER
