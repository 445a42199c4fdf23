from __future__ import annotations

import pytest

from pbem.errors import ConfigError
from pbem.mail.addresses import (
    EntrantAddress,
    Keys,
    PlayerAddress,
    QuestionAddress,
    ReplyAddress,
    add_tag,
    canonical_address,
    find_tag,
    is_own_message_id,
    make_envelope_sender,
    make_message_id,
    make_tag,
    read_envelope_sender,
    read_tag,
    remove_tags,
)
from pbem.names import MatchId, PlayerId

OURS = "Games@pbem.example"
KEYS = Keys("b", {"a": bytes(range(16)), "b": bytes(range(1, 33))})
OTHERS = Keys("b", {"b": bytes(range(2, 34))})
ANN = EntrantAddress(MatchId("K7QX2"), 2, 40)


@pytest.mark.parametrize(
    "address",
    [
        ANN,
        EntrantAddress(MatchId("K7QX2"), 1),
        PlayerAddress(PlayerId("7f3d-9"), 3),
        PlayerAddress(PlayerId("0" * 32)),
        QuestionAddress("x4z"),
    ],
)
def test_a_tag_is_read_back_in_any_case(address: ReplyAddress) -> None:
    full = add_tag(OURS, make_tag(KEYS, address))
    assert len(full.partition("@")[0]) <= 64
    for spelled in (full, full.upper(), full.lower()):
        tag = find_tag(spelled, OURS)
        assert tag
        assert read_tag(KEYS, tag) == address


@pytest.mark.parametrize(
    "address",
    [
        EntrantAddress(MatchId("P"), 1),
        EntrantAddress(MatchId("K7QX2"), -1),
        PlayerAddress(PlayerId("a.b")),
        PlayerAddress(PlayerId("")),
        QuestionAddress("X" * 37),
    ],
)
def test_a_name_that_fits_no_address_is_an_error(address: ReplyAddress) -> None:
    with pytest.raises(ValueError, match="no address can carry"):
        make_tag(KEYS, address)


def test_a_changed_tag_is_not_ours() -> None:
    tag = make_tag(KEYS, ANN)
    for at in range(len(tag)):
        other = "c" if tag[at] != "c" else "d"
        assert read_tag(KEYS, tag[:at] + other + tag[at + 1 :]) is None
    assert read_tag(OTHERS, tag) is None
    assert read_tag(KEYS, "") is None
    # The same names for another purpose have another MAC.
    assert read_tag(KEYS, make_tag(KEYS, PlayerAddress(PlayerId("x"))).replace("p.", "q.")) is None


def test_an_old_key_is_still_read() -> None:
    old = Keys("a", KEYS.secrets)
    assert read_tag(KEYS, make_tag(old, ANN)) == ANN


@pytest.mark.parametrize(
    ("address", "tag"),
    [
        ("games@PBEM.example", ""),
        ("games+X.1@pbem.example", "x.1"),
        ("games+@pbem.example", None),
        ("gamesx+y@pbem.example", None),
        ("other+x@pbem.example", None),
        ("games+x@other.example", None),
    ],
)
def test_tags_are_found_in_our_addresses_only(address: str, tag: str | None) -> None:
    assert find_tag(address, OURS) == tag


@pytest.mark.parametrize(
    ("address", "tag"),
    [("games@pbem.example", ""), ("X.1@pbem.example", "x.1"), ("x.1@other.example", None)],
)
def test_all_addresses_of_a_domain_can_be_ours(address: str, tag: str | None) -> None:
    assert find_tag(address, OURS, delimiter="") == tag
    assert add_tag(OURS, "x.1", delimiter="") == "x.1@pbem.example"


def test_a_long_mailbox_name_is_refused() -> None:
    with pytest.raises(ConfigError, match="shorter"):
        add_tag("a" * 50 + "@pbem.example", make_tag(KEYS, ANN))


@pytest.mark.parametrize(
    ("current", "secrets"),
    [("1", {"1": bytes(16)}), ("aa", {"aa": bytes(16)}), ("a", {"a": bytes(15)})],
)
def test_unsound_keys_are_refused(current: str, secrets: dict[str, bytes]) -> None:
    with pytest.raises(ConfigError):
        Keys(current, secrets)


@pytest.mark.parametrize("domain", ["pbem.example", "a." * 60 + "pbem.example", "x" * 63])
def test_message_ids_are_short_stable_and_ours(domain: str) -> None:
    message_id = make_message_id(KEYS, cause="turn 1", domain=domain)
    assert len(message_id) <= 64
    assert message_id == make_message_id(KEYS, cause="turn 1", domain=domain)
    assert message_id != make_message_id(KEYS, cause="turn 2", domain=domain)
    assert is_own_message_id(KEYS, message_id)
    assert is_own_message_id(KEYS, message_id.strip("<>").upper())
    assert not is_own_message_id(OTHERS, message_id)
    assert not is_own_message_id(KEYS, "<x@pbem.example>")


def test_an_envelope_sender_names_its_email() -> None:
    message_id = make_message_id(KEYS, cause="turn 1", domain="pbem.example")
    sender = make_envelope_sender(KEYS, OURS, message_id)
    beginning = read_envelope_sender(KEYS, sender.upper(), OURS)
    assert beginning is not None
    assert message_id.startswith(beginning)
    assert read_envelope_sender(OTHERS, sender, OURS) is None
    assert read_envelope_sender(KEYS, add_tag(OURS, make_tag(KEYS, ANN)), OURS) is None


def test_our_tags_are_removed_from_texts() -> None:
    tag = make_tag(KEYS, ANN)
    text = f"write to {add_tag('games@pbem.example', tag)} or {tag.upper()}; not to ann@x.example"
    assert remove_tags(KEYS, text) == "write to  or ; not to ann@x.example"
    assert remove_tags(OTHERS, text) == text


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("Dora@Example.edu", "dora@example.edu"),
        ("dora+games+x@example.edu", "dora@example.edu"),
        ("d.o.ra+games@googlemail.com", "dora@gmail.com"),
        ("d.ora@example.edu", "d.ora@example.edu"),
        ("+dora@example.edu", "+dora@example.edu"),
    ],
)
def test_addresses_of_one_mailbox(address: str, mailbox: str) -> None:
    assert canonical_address(address) == mailbox
