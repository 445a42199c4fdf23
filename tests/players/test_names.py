"""Names: which may be borne, and which look like one another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.players.names import LONGEST, is_name, skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ANN"),
        ("Ann Lee", "annlee"),
        ("Ann-Lee", "Ann Lee"),
        ("Bill", "B1ll"),
        ("Ian", "lan"),
        ("modern", "rnodern"),
        ("Zoe", "Zo\u00eb"),
        ("Bob", "\u0412\u043e\u0432"),  # three Cyrillic letters
        ("Bob", "\uff22\uff4f\uff42"),  # of double width
        ("Bob", "Bo\u0336b"),  # struck through
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anna"), ("Bob", "Rob"), ("राम", "रमा"), ("カ", "ガ"), ("王明", "王朋"), ("🦊", "🐻")],
)
def test_different_names_stay_different(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize("name", ["Ann", "Zoë", "राम", "Саша Smith", "王明", "🦊", "x" * LONGEST])
def test_people_may_be_called_as_they_are(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "x" * 25, "a@b", "An\u200bn", "An\u202en", "A\nn", "\u3164", "...", "B\u043eb",
     "A\u0301\u0302\u0303n"],
)  # fmt: skip
def test_what_shows_nothing_or_deceives_is_no_name(name: str) -> None:
    assert not is_name(name)


letters = st.characters(min_codepoint=0x20, max_codepoint=0x24F) | st.characters(
    min_codepoint=0x410, max_codepoint=0x44F
)


@given(st.text(letters, max_size=LONGEST))
def test_case_and_blanks_do_not_change_a_skeleton(text: str) -> None:
    assert skeleton(f" {text.casefold()} ") == skeleton(text)
