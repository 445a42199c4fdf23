"""The words for how far a letter or a mail has come."""

from typing import Final, Literal, get_args

LetterState = Literal["new", "waits", "done", "refused", "shunted"]

MailState = Literal[
    "new", "held", "leased", "failed", "sent", "bounced", "superseded", "dead", "shunted"
]
"""`shunted`: writing it has ended the service, and only `resend` has it tried once more."""

LETTERS: Final = get_args(LetterState)
MAILS: Final = get_args(MailState)
