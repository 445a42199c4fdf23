"""The words for how far a letter or a mail has come."""

from typing import Literal

LetterState = Literal["new", "waits", "done", "refused", "shunted"]

MailState = Literal[
    "new", "held", "leased", "failed", "sent", "bounced", "superseded", "dead", "shunted"
]
"""`shunted`: writing it has ended the service, and only `resend` has it tried once more."""
