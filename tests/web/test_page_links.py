"""Tokens of pages: each for one purpose, none to be guessed, none that another key made."""

from __future__ import annotations

import pytest

from pbem.mail.addresses import Keys, PageLink, Purpose, page_path, page_token, read_page_token

KEYS = Keys("a", {"a": bytes(range(32))})
LINK = PageLink(Purpose.ACT, "K7QX2", 3, 40)


def test_a_token_says_what_it_was_made_of() -> None:
    token = page_token(KEYS, LINK)
    assert read_page_token(KEYS, Purpose.ACT, token) == PageLink(Purpose.ACT, "k7qx2", 3, 40)
    assert page_path(KEYS, LINK) == f"/act/{token}"


@pytest.mark.parametrize("purpose", [one for one in Purpose if one is not Purpose.ACT])
def test_a_token_is_for_nothing_else(purpose: Purpose) -> None:
    assert read_page_token(KEYS, purpose, page_token(KEYS, LINK)) is None


def test_no_changed_token_is_read() -> None:
    token = page_token(KEYS, LINK)
    for at, sign in enumerate(token):
        other = "b" if sign != "b" else "c"
        assert read_page_token(KEYS, Purpose.ACT, token[:at] + other + token[at + 1 :]) is None
    for text in ("", token.upper(), token + "a", token[:-1], f"{token}\n", "ü" * 40):
        assert read_page_token(KEYS, Purpose.ACT, text) is None


def test_a_key_that_went_reads_no_more() -> None:
    token = page_token(KEYS, LINK)
    rotated = Keys("b", {"a": KEYS.secrets["a"], "b": bytes(32)})
    assert read_page_token(rotated, Purpose.ACT, token) is not None
    assert page_token(rotated, LINK) != token
    assert read_page_token(Keys("b", {"b": bytes(32)}), Purpose.ACT, token) is None


def test_what_no_token_can_carry_is_refused() -> None:
    with pytest.raises(ValueError, match="no page"):
        page_token(KEYS, PageLink(Purpose.VIEW, "a.b"))
