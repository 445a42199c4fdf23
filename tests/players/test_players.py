"""What a player's stream does with commands."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.errors import Rejection
from pbem.names import Digest, PlayerId
from pbem.players.commands import (
    AskRegistration,
    Block,
    ChooseName,
    Command,
    Confirm,
    Forget,
    Invite,
    RefuseInvitations,
    RenewReplyAddress,
    Unblock,
    WelcomeInvitations,
)
from pbem.players.decide import decide
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
        ([], AskRegistration(), [RegistrationAsked()]),
        ([RegistrationAsked()], AskRegistration(), []),
        ([], Invite(by=BOB), [PlayerInvited(by=BOB)]),
        ([RegistrationAsked()], Invite(by=BOB), []),
        ([], Confirm(), [AddressConfirmed(at=NOW)]),
        ([AddressConfirmed(at=NOW)], Confirm(), []),
        ([], ChooseName(name=NAME), [NameChosen(name=NAME)]),
        ([InvitationsRefused()], Forget(by="player"), [PlayerForgotten(by="player")]),
        ([PlayerForgotten(by="player")], Forget(by="operator"), []),
        ([], RenewReplyAddress(generation=1), [ReplyAddressRenewed(generation=1)]),
        ([], Block(player=BOB), [PlayerBlocked(blocked=BOB)]),
        ([PlayerBlocked(blocked=BOB)], Block(player=BOB), []),
        ([PlayerBlocked(blocked=BOB)], Unblock(player=BOB), [PlayerUnblocked(unblocked=BOB)]),
        ([], Unblock(player=BOB), []),
        ([], RefuseInvitations(), [InvitationsRefused()]),
        ([InvitationsRefused()], RefuseInvitations(), []),
        ([InvitationsRefused()], WelcomeInvitations(), [InvitationsWelcomed()]),
        ([], WelcomeInvitations(), []),
        ([PlayerBlocked(blocked=BOB), PlayerUnblocked(unblocked=BOB)], Invite(by=BOB), []),
        ([InvitationsRefused(), InvitationsWelcomed()], Invite(by=BOB), []),
    ],
)
def test_commands_become_events(given: list[Event], when: Command, then: list[Event]) -> None:
    assert decide(when, replay(ANN, given), now=NOW) == then


@pytest.mark.parametrize(
    ("given", "when", "code"),
    [
        ([PlayerBlocked(blocked=BOB)], Invite(by=BOB), "invitations_refused"),
        ([InvitationsRefused()], Invite(by=BOB), "invitations_refused"),
        ([], Block(player=ANN), "cannot_block_yourself"),
    ],
)
def test_some_commands_are_refused(given: list[Event], when: Command, code: str) -> None:
    with pytest.raises(Rejection) as refused:
        decide(when, replay(ANN, given), now=NOW)
    assert refused.value.code == code


def test_a_player_is_confirmed_by_an_answer() -> None:
    assert not replay(ANN, [PlayerInvited(by=BOB)]).confirmed
    assert replay(ANN, [PlayerInvited(by=BOB), AddressConfirmed(at=NOW)]).confirmed
