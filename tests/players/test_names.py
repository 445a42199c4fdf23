"""Names: which may be borne, and which look like one another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.players.confusables import CONFUSABLES
from pbem.players.names import (
    LONGEST,
    ROLES,
    is_linked,
    is_name,
    is_reserved,
    plain_name,
    skeleton,
    skeletons,
)


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
     "-h", "--resign", "- Ann", "\u2010h", "A\u0301\u0302\u0303n"],
)  # fmt: skip
def test_what_shows_nothing_or_deceives_is_no_name(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize("name", ["-h", "--resign", "- h", "\u2010h", "<b>-h"])
def test_a_name_of_another_log_is_no_option_of_a_command(name: str) -> None:
    assert is_name(plain_name(name))


letters = st.characters(min_codepoint=0x20, max_codepoint=0x24F) | st.characters(
    min_codepoint=0x410, max_codepoint=0x44F
)


@given(st.text(letters, max_size=LONGEST))
def test_case_and_blanks_do_not_change_a_skeleton(text: str) -> None:
    assert skeleton(f" {text.casefold()} ") == skeleton(text)


# --- what a mail program makes of a name ----------------------------------------------------------

REAL = (
    "O'Brien", "O\u2019Neil", "Jean-Luc", "李雷", "Ann B.", "J.R.R. Tolkien", "Tom & Jo", "Ann1985",
    "Саша", "Øyvind Å.", "Fatma Işık", "박지성", "St. John", "José Ñ", "Zoë-Mae", "अमित", "سارة",
    "\u2764\ufe0f", "\U0001f44d\U0001f3fd", "Nguyễn Văn A", "ǃKung", "Əli", "Kɔfi", "ガール子",
    "Ann王", "김철수", "Dot Smith", "Ελένη", "გიორგი", "Արամ", "ကျော်", "สมชาย", "דוד",
)  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_names_that_people_have_may_be_borne(name: str) -> None:
    assert is_name(name)
    assert not is_linked(name)


@pytest.mark.parametrize(
    "name",
    [
        "evil.com", "www.evil", "www evil", "http://x", "//evil", "ann@x", "t.co", "D.Va",
        "10.0.0.1",
        "ann\u3002com", "ann\uff0ecom", "mailto:ann", "0151 2345678", "+49 30 1234", "1234567",
        "<b>Ann</b>", "[b]Ann", "{{ ann }}", "*Ann*", "_Ann_", "`Ann`", "~Ann~", "#Ann", "Ann|Bob",
        "Ann, Bob", "Ann;", 'Ann "A"', "Ann\\", "Ann/Bob", "Ann=1", "%s", "$Ann", "^Ann", "(Ann)",
        "evil dot com", "evil - punkt - com", "\u15e9nn", "Bo\u0299", "\u1d00nn", "Ann\u13a0",
        "\ua4d0ob",
        "\u2c80nn", "Ann\u05d0", "\u0251nn\u03b1", "\U0001d54f\u0430", "\u16a0\u16a2",
        "Bob\u1d47\u0431",
        "Ann\ufe0f", "An\u034fn", "Bob\u20dd", "Ann\u2028", "A\u00adnn", "\ufeffAnn", "An\u2066n",
    ],
)  # fmt: skip
def test_no_name_is_a_link_or_markup_or_hides_something(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "\u13aann"),  # a Cherokee letter
        ("victor", "\u03bdictor"),  # a small Greek nu
        ("Bob", "\u15f7ob"),  # Canadian syllabics
        ("O'Brien", "O\u02bcBrien"),
        ("Bob", "Bob\ufe0f"),
        ("pawa", "\u0440\u0430\u0461\u0430"),  # a whole word in Cyrillic
        ("oscar", "\u0585scar"),  # an Armenian letter
        ("\u4e00", "\u30fc"),  # a Chinese one and a Japanese sign
    ],
)
def test_confusables_of_uts_39_are_found(one: str, other: str) -> None:
    assert skeletons(one) & skeletons(other)


def test_every_confusable_letter_is_seen_as_what_it_looks_like() -> None:
    # By UTS 39 twice is as once: what a letter looks like looks like itself.
    for letter, looks in CONFUSABLES.items():
        seen = skeletons(chr(letter))
        assert skeleton(looks) in seen | {skeleton(skeleton(chr(letter)))}, ascii(chr(letter))


@pytest.mark.parametrize(
    "name",
    ["Operator", "0perator", "The Operator", "Operator 2", "Club Admin",
     "\u041e\u0440erator", "resign",
     "Resign", "Support Team", "Betreiber"],
)  # fmt: skip
def test_roles_and_orders_are_nobodys_names(name: str) -> None:
    assert is_reserved(name, frozenset(map(skeleton, (*ROLES, "resign", "Club"))))


@pytest.mark.parametrize(
    "name",
    ["Operators", "Operator2", "The Operators 7", "MAILER-DAEMON", "Admin1", "You", "Ihr",
     "no-reply", "Betreiberinnen", "resign me"],
)  # fmt: skip
def test_a_number_or_a_plural_makes_no_other_name_of_it(name: str) -> None:
    words = frozenset(map(skeleton, (*ROLES, "resign", "no")))
    assert is_reserved(name, words, frozenset(map(skeleton, ("i", "me", "up"))))


@pytest.mark.parametrize("name", ["Allen", "Jas", "An", "My", "Me", "Up", "Mays"])
def test_a_word_that_only_ends_alike_is_a_name(name: str) -> None:
    words = frozenset(map(skeleton, (*ROLES, "resign", "ja", "may")))
    assert not is_reserved(name, words, frozenset(map(skeleton, ("an", "my", "me", "up"))))


@pytest.mark.parametrize("name", ["Ann Operator", "Opera", "Ann Club", "Resi", "2", "Ann 2"])
def test_a_role_in_a_name_is_no_role(name: str) -> None:
    assert not is_reserved(name, frozenset(map(skeleton, (*ROLES, "resign", "Club"))))
