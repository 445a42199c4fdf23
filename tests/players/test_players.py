"""What a player's stream does with commands."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import pytest

from pbem.errors import Rejection
from pbem.names import Digest, PlayerId
from pbem.players.decide import (
    Act,
    ask_registration,
    block,
    choose_name,
    confirm,
    forget,
    invite,
    refuse_invitations,
    renew_reply_address,
    unblock,
    welcome_invitations,
)
from pbem.players.events import (
    AddressConfirmed,
    Event,
    InvitationsRefused,
    InvitationsWelcomed,
    NameChosen,
    PlayerBlocked,
    PlayerForgotten,
    PlayerInvited,
    PlayerUnblocked,
    RegistrationAsked,
    ReplyAddressRenewed,
)
from pbem.players.player import replay

ANN, BOB = PlayerId("ann"), PlayerId("bob")
NAME = Digest("0" * 64)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "when", "then"),
    [
        ([], partial(ask_registration), [RegistrationAsked()]),
        ([RegistrationAsked()], partial(ask_registration), []),
        ([], partial(invite, by=BOB), [PlayerInvited(by=BOB)]),
        ([RegistrationAsked()], partial(invite, by=BOB), []),
        ([], partial(confirm), [AddressConfirmed(at=NOW)]),
        ([AddressConfirmed(at=NOW)], partial(confirm), []),
        ([], partial(choose_name, name=NAME), [NameChosen(name=NAME)]),
        ([InvitationsRefused()], partial(forget, by="player"), [PlayerForgotten(by="player")]),
        ([PlayerForgotten(by="player")], partial(forget, by="operator"), []),
        ([], partial(renew_reply_address, generation=1), [ReplyAddressRenewed(generation=1)]),
        ([], partial(block, other=BOB), [PlayerBlocked(blocked=BOB)]),
        ([PlayerBlocked(blocked=BOB)], partial(block, other=BOB), []),
        (
            [PlayerBlocked(blocked=BOB)],
            partial(unblock, other=BOB),
            [PlayerUnblocked(unblocked=BOB)],
        ),
        ([], partial(unblock, other=BOB), []),
        ([], partial(refuse_invitations), [InvitationsRefused()]),
        ([InvitationsRefused()], partial(refuse_invitations), []),
        ([InvitationsRefused()], partial(welcome_invitations), [InvitationsWelcomed()]),
        ([], partial(welcome_invitations), []),
        ([PlayerBlocked(blocked=BOB), PlayerUnblocked(unblocked=BOB)], partial(invite, by=BOB), []),
        ([InvitationsRefused(), InvitationsWelcomed()], partial(invite, by=BOB), []),
    ],
)
def test_commands_become_events(given: list[Event], when: Act, then: list[Event]) -> None:
    assert when(replay(ANN, given), NOW) == then


@pytest.mark.parametrize(
    ("given", "when", "code"),
    [
        ([PlayerBlocked(blocked=BOB)], partial(invite, by=BOB), "invitations_refused"),
        ([InvitationsRefused()], partial(invite, by=BOB), "invitations_refused"),
        ([], partial(block, other=ANN), "cannot_block_yourself"),
    ],
)
def test_some_commands_are_refused(given: list[Event], when: Act, code: str) -> None:
    with pytest.raises(Rejection) as refused:
        when(replay(ANN, given), NOW)
    assert refused.value.code == code


def test_a_player_is_confirmed_by_an_answer() -> None:
    assert not replay(ANN, [PlayerInvited(by=BOB)]).confirmed
    assert replay(ANN, [PlayerInvited(by=BOB), AddressConfirmed(at=NOW)]).confirmed
