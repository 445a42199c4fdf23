"""The kind of an email, for programs: the header X-PBEM-Kind, which no rewording changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.legacy.notices import (
    checks,
    courtesies,
    news,
    personal,
    replies,
    seats,
    second_thoughts,
    tournaments,
)
from pbem.legacy.notices.notice import Notice

KINDS: Final[dict[str, tuple[type[Notice], ...]]] = {
    "digest": (replies.DailyDigest,),
    "end": (news.MatchOver,),
    "refusal": (replies.OrderRefused, replies.NoOrderFound),
    "question": (
        replies.QuestionAsked,
        replies.LetterUnbound,
        personal.ConfirmationAsked,
        personal.AddressAsked,
        personal.SenderDoubted,
        second_thoughts.ResignationKept,
    ),
    "invitation": (news.Invitation,),
    "turn": (news.TurnPrompt, second_thoughts.MoveReturned, second_thoughts.ResignationOff),
    "receipt": (
        second_thoughts.MoveReceipt,
        second_thoughts.MoveKept,
        second_thoughts.PagePlayed,
    ),
    "start": (news.MatchBegan,),
    "offer": (
        courtesies.DrawProposed,
        courtesies.PauseWanted,
        second_thoughts.TakebackWanted,
    ),
    "message": (courtesies.MessageReceived, courtesies.CommentMade),
    "reminder": (personal.Reminder, courtesies.TimeOver),
    "challenge": (
        news.ChallengeSent,
        news.InvitationAnswered,
        news.ChallengeOff,
        replies.SeatMissed,
    ),
    "tournament": (
        tournaments.SeasonStarted,
        tournaments.SeasonOver,
        tournaments.SeasonPutOff,
        tournaments.TakenOut,
        tournaments.PairDecided,
        tournaments.SeasonNews,
    ),
    "news": (
        courtesies.TimeReceived,
        courtesies.PauseRefused,
        courtesies.PauseStarted,
        courtesies.PauseOver,
        courtesies.LeaveUsed,
        courtesies.DrawRefused,
        second_thoughts.TakebackRefused,
        second_thoughts.MovesTakenBack,
        news.ConditionMet,
        seats.SeatFilled,
        seats.SeatVacated,
        seats.SeatOut,
        seats.OperatorActed,
        personal.MatchesStandStill,
        personal.MatchesGoOn,
        personal.PlayerAway,
        personal.PlayerUnreachable,
        personal.PlayerBack,
    ),
    "spectator": (news.WatchOpened, news.MatchWatched, news.WatchClosed),
    "answer": (
        checks.VerificationShown,
        checks.ProofShown,
        courtesies.HintAwaited,
        courtesies.HintShown,
        replies.MovePreviewed,
        replies.BoardShown,
        replies.ChangesShown,
        replies.ConditionsShown,
        replies.MessagesShown,
        replies.NotesShown,
        replies.HistoryShown,
        replies.ClocksShown,
        replies.RecordShown,
        replies.ReplayShown,
        replies.AnalysisShown,
        replies.GamesListed,
        replies.CalendarShown,
        replies.BotsShown,
        replies.PageShown,
        replies.OpenSeatsListed,
        replies.RulesShown,
        replies.HelpShown,
        personal.AddressesListed,
        personal.WhyTold,
        personal.SettingsShown,
        personal.SampleShown,
        personal.RatingsShown,
        personal.ProfileShown,
        personal.DataShown,
        personal.StatisticsShown,
        tournaments.TournamentsListed,
        tournaments.StandingsShown,
        replies.Account,
    ),
    "account": (
        replies.AddressShown,
        personal.Farewell,
        personal.Banned,
        personal.OperatorDecided,
    ),
    "welcome": (personal.Welcome,),
    "operator": (
        personal.ReportReceived,
        personal.LettersWait,
        personal.SendingCapNear,
    ),
}
"""The notices of each kind. An email of several kinds is of the one that stands first here."""

_RANKS: Final = {
    notice: (rank, kind) for rank, (kind, notices) in enumerate(KINDS.items()) for notice in notices
}


def kind_of_email(notices: Iterable[Notice]) -> str:
    """Return the kind of an email that consists of these notices."""
    return min(_RANKS[type(notice)] for notice in notices)[1]
