from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import ConfigError
from pbem.games.game import Seat
from pbem.legacy.mail.addresses import (
    DIGITS,
    TOKEN_LINE,
    Keys,
    MailAddress,
    PlayerAddress,
    ReplyTo,
    SeatAddress,
    find_token_line,
    mail_id,
    message_id,
    mint,
    read,
    read_message_id,
    read_verp,
    reply_address,
    tag_of,
    verp,
)
from pbem.names import MatchId, PlayerId

KEYS = Keys("b", {"a": b"an older secret.", "b": b"the current secret"})
OTHERS = Keys("b", {"b": b"somebody else's secret"})
BASE = "games@pbem.example"
SEAT = SeatAddress(MatchId("K7QX2"), Seat(2), 3)
PLAYER = PlayerAddress(PlayerId("0f8fad5b-d9cb-469f-a165-70867728950e"))

matches = st.text("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", min_size=5, max_size=6).map(MatchId)
players = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=36).map(PlayerId)
generations = st.integers(0, 5000)
addresses = st.one_of(
    st.builds(SeatAddress, matches, st.integers(1, 6).map(Seat), generations),
    st.builds(PlayerAddress, players, generations),
    st.builds(MailAddress, st.text(DIGITS, min_size=20, max_size=20), generations),
)


@given(addresses)
def test_what_is_minted_is_read(to: ReplyTo) -> None:
    assert read(KEYS, mint(KEYS, to)) == to


@given(addresses)
def test_capitals_do_not_matter(to: ReplyTo) -> None:
    assert read(KEYS, mint(KEYS, to).upper()) == to


@pytest.mark.parametrize("to", [SEAT, PLAYER])
def test_each_changed_character_is_refused(to: ReplyTo) -> None:
    tag = mint(KEYS, to)
    changed = [
        tag[:at] + other + tag[at + 1 :]
        for at in range(len(tag))
        for other in (*DIGITS, *"0189.-+@ ")
        if other != tag[at]
    ]
    assert len(changed) > 700
    assert [tag for tag in changed if read(KEYS, tag) is not None] == []


@pytest.mark.parametrize("to", [SEAT, PLAYER])
def test_each_missing_or_added_character_is_refused(to: ReplyTo) -> None:
    tag = mint(KEYS, to)
    shorter = [tag[:at] + tag[at + 1 :] for at in range(len(tag))]
    longer = [tag[:at] + other + tag[at:] for at in range(len(tag)) for other in "a2.-"]
    assert [tag for tag in [*shorter, *longer] if read(KEYS, tag) is not None] == []


def test_a_player_cannot_pass_for_a_seat() -> None:
    assert read(KEYS, mint(KEYS, PlayerAddress(PlayerId("2"))).replace("p.", "k7qx2.")) is None


def test_an_older_key_still_reads_and_an_unknown_one_does_not() -> None:
    older = mint(Keys("a", {"a": KEYS.secrets["a"]}), SEAT)
    assert read(KEYS, older) == SEAT
    assert read(Keys("b", {"b": KEYS.secrets["b"]}), older) is None
    assert read(OTHERS, mint(KEYS, SEAT)) is None


def test_a_new_generation_is_another_address() -> None:
    again = SeatAddress(SEAT.match, SEAT.seat, SEAT.generation + 1)
    assert mint(KEYS, again)[-16:] != mint(KEYS, SEAT)[-16:]


@pytest.mark.parametrize(
    "to",
    [
        SeatAddress(MatchId("P"), Seat(1)),
        SeatAddress(MatchId("B"), Seat(1)),
        SeatAddress(MatchId("K7 X2"), Seat(1)),
        SeatAddress(MatchId(""), Seat(1)),
        PlayerAddress(PlayerId("Ann.Smith")),
        PlayerAddress(PlayerId("a" * 37)),
    ],
)
def test_a_name_that_no_address_can_carry_is_refused(to: ReplyTo) -> None:
    with pytest.raises(ValueError, match="no address can carry"):
        mint(KEYS, to)


@pytest.mark.parametrize(
    ("current", "secrets"),
    [
        ("a", {"b": b"the current secret"}),
        ("1", {"1": b"the current secret"}),
        ("ab", {"ab": b"the current secret"}),
        ("a", {"a": b"short"}),
    ],
)
def test_keys_that_cannot_work_are_refused(current: str, secrets: dict[str, bytes]) -> None:
    with pytest.raises(ConfigError):
        Keys(current, secrets)


@pytest.mark.parametrize("delimiter", ["+", "-", "="])
@pytest.mark.parametrize("to", [SEAT, PLAYER])
def test_the_tag_comes_back_out_of_the_address(to: ReplyTo, delimiter: str) -> None:
    address = reply_address(BASE, mint(KEYS, to), delimiter=delimiter)
    local, _, domain = address.partition("@")
    assert (len(local) <= 64, domain) == (True, "pbem.example")
    tag = tag_of(address.upper(), BASE, delimiter=delimiter)
    assert tag is not None
    assert read(KEYS, tag) == to


def test_a_catch_all_domain_needs_no_mailbox_name() -> None:
    address = reply_address(BASE, mint(KEYS, SEAT), catch_all=True)
    assert address == f"{mint(KEYS, SEAT)}@pbem.example"
    tag = tag_of(address, BASE, catch_all=True)
    assert tag is not None
    assert read(KEYS, tag) == SEAT


@pytest.mark.parametrize(
    ("address", "catch_all", "tag"),
    [
        ("games+k7qx2.2.abc@pbem.example", False, "k7qx2.2.abc"),
        ("GAMES+K7QX2.2.ABC@PBEM.EXAMPLE", False, "k7qx2.2.abc"),
        ("games+k7qx2.2.abc@pbem.example", True, "k7qx2.2.abc"),
        ("games@pbem.example", False, ""),
        ("games@pbem.example", True, ""),
        ("games+@pbem.example", False, None),
        ("k7qx2.2.abc@pbem.example", False, None),
        ("k7qx2.2.abc@pbem.example", True, "k7qx2.2.abc"),
        ("games+k7qx2.2.abc@evil.example", True, None),
        ("games@evil.example", True, None),
        ("games+k7qx2.2.abc@pbem.example@evil.example", False, None),
        ("", False, None),
        ("@pbem.example", True, None),
    ],
)
def test_only_our_addresses_have_tags(address: str, catch_all: bool, tag: str | None) -> None:  # noqa: FBT001 - a table's column
    assert tag_of(address, BASE, catch_all=catch_all) == tag


def test_a_long_mailbox_name_is_the_operators_mistake() -> None:
    with pytest.raises(ConfigError, match="64 octets"):
        reply_address(f"{'g' * 50}@pbem.example", mint(KEYS, SEAT))


@pytest.mark.parametrize(
    "domain",
    ["pbem.example", "play.board-games-of-the-village.example.co.uk", "x" * 63, "a.bc-" + "d" * 40],
)
@given(cause=st.text(st.characters(codec="utf-8"), max_size=60))
def test_our_message_ids_are_known_again(domain: str, cause: str) -> None:
    made = message_id(KEYS, cause=cause, domain=domain)
    assert len(made) <= 64
    assert (made[0], made[-1]) == ("<", ">")
    ident = read_message_id(KEYS, made)
    assert ident == mail_id(made)
    assert read_message_id(KEYS, made.strip("<>").upper()) == ident
    assert read_message_id(OTHERS, made) is None
    assert message_id(KEYS, cause=cause, domain=domain) == made


def test_each_changed_character_of_a_message_id_is_refused() -> None:
    made = message_id(KEYS, cause="mail:ann", domain="pbem.example")
    proved = made[1 : made.index("@")]
    changed = [
        proved[:at] + other + proved[at + 1 :]
        for at in range(len(proved))
        for other in DIGITS + ".-1"
        if other != proved[at]
    ]
    assert [one for one in changed if read_message_id(KEYS, f"<{one}@pbem.example>")] == []


@pytest.mark.parametrize("text", ["", "<>", "<CAF=x@mail.gmail.com>", "<" * 100_000, "a" * 100_000])
def test_foreign_message_ids_are_not_ours(text: str) -> None:
    assert read_message_id(KEYS, text) is None


def test_a_bounce_address_names_its_mail() -> None:
    made = message_id(KEYS, cause="mail:ann", domain="pbem.example")
    ident, address = mail_id(made), verp(KEYS, BASE, made)
    assert read_verp(KEYS, address.upper(), BASE) == ident
    assert read_verp(OTHERS, address, BASE) is None
    assert read_verp(KEYS, BASE, BASE) is None
    assert read_verp(KEYS, reply_address(BASE, mint(KEYS, SEAT)), BASE) is None
    assert read(KEYS, tag_of(address, BASE) or "") is None


@pytest.mark.parametrize(
    "quote", ["{}", "> {}", ">> {}", "   {}  ", "see {} at the foot", "Hi\n\n> a\n> {}\n"]
)
def test_the_token_line_is_found_in_a_quote(quote: str) -> None:
    tag = mint(KEYS, SEAT)
    assert find_token_line(quote.format(TOKEN_LINE.format(tag).upper())) == tag


def test_the_newest_quote_comes_first() -> None:
    newest, older = mint(KEYS, SEAT), mint(KEYS, SeatAddress(MatchId("AAAAA"), Seat(1)))
    quote = f"> {TOKEN_LINE}\n>> {TOKEN_LINE}".format(newest, older)
    assert find_token_line(quote) == newest


@pytest.mark.parametrize(
    "text", ["", "[ref]", "[ref x]", "[ref " * 50_000, "[ref " + "a" * 100_000]
)
def test_no_token_line_is_found_where_none_is(text: str) -> None:
    assert find_token_line(text) is None
