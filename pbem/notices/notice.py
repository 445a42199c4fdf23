"""The notices: frozen facts of what somebody must be told, without a word of text.

A mail is an ordered list of notices for one reader; the first one gives it subject and first line.
Who reads stands with the mail, not in the notice; all of them speak of the stream version that the
mail notes.
"""

from __future__ import annotations

from typing import TypeAlias

from pbem.notices.news import (
    ChallengeOff,
    ChallengeSent,
    ConditionMet,
    DrawProposed,
    DrawRefused,
    Invitation,
    InvitationAnswered,
    LeaveUsed,
    MatchBegan,
    MatchOver,
    MatchWatched,
    MessageReceived,
    MoveKept,
    MoveReceipt,
    MoveReturned,
    MovesTakenBack,
    OperatorActed,
    ResignationKept,
    ResignationOff,
    SeatFilled,
    SeatVacated,
    TakebackRefused,
    TakebackWanted,
    TimeOver,
    TurnPrompt,
    WatchClosed,
    WatchOpened,
)
from pbem.notices.personal import (
    AddressAsked,
    AddressesListed,
    Banned,
    ConfirmationAsked,
    DataShown,
    Farewell,
    LettersWait,
    OperatorDecided,
    PlayerAway,
    PlayerBack,
    PlayerUnreachable,
    Reminder,
    SampleShown,
    SenderDoubted,
    SendingCapNear,
    SettingsShown,
    Welcome,
    WhyTold,
)
from pbem.notices.replies import (
    Account,
    AddressShown,
    BoardShown,
    CalendarShown,
    ChangesShown,
    ConditionsShown,
    DailyDigest,
    GamesListed,
    HelpShown,
    HistoryShown,
    LetterUnbound,
    MessagesShown,
    MovePreviewed,
    NoOrderFound,
    NotesShown,
    OpenSeatsListed,
    OrderRefused,
    QuestionAsked,
    RecordShown,
    ReplayShown,
    RulesShown,
    VerificationShown,
)

Notice: TypeAlias = (
    Invitation
    | ChallengeSent
    | InvitationAnswered
    | ChallengeOff
    | MatchBegan
    | TurnPrompt
    | MoveReceipt
    | MoveKept
    | MoveReturned
    | TakebackWanted
    | TakebackRefused
    | MovesTakenBack
    | ResignationKept
    | ResignationOff
    | ConditionMet
    | SeatVacated
    | SeatFilled
    | TimeOver
    | LeaveUsed
    | DrawProposed
    | DrawRefused
    | MatchOver
    | OperatorActed
    | WatchOpened
    | WatchClosed
    | MatchWatched
    | MessageReceived
    | OrderRefused
    | NoOrderFound
    | Account
    | QuestionAsked
    | AddressShown
    | MovePreviewed
    | BoardShown
    | ChangesShown
    | ConditionsShown
    | MessagesShown
    | NotesShown
    | HistoryShown
    | RecordShown
    | ReplayShown
    | VerificationShown
    | LetterUnbound
    | GamesListed
    | CalendarShown
    | DailyDigest
    | OpenSeatsListed
    | RulesShown
    | HelpShown
    | ConfirmationAsked
    | PlayerUnreachable
    | PlayerBack
    | PlayerAway
    | AddressAsked
    | AddressesListed
    | WhyTold
    | SettingsShown
    | SampleShown
    | Welcome
    | SenderDoubted
    | LettersWait
    | DataShown
    | Banned
    | OperatorDecided
    | Farewell
    | SendingCapNear
    | Reminder
)
