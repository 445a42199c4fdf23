"""Write the samples anew: `python -m tests.legacy.mail.corpus`."""

from __future__ import annotations

import sys

from tests.legacy.mail.corpus.samples import FOLDER, write
from tests.legacy.mail.corpus.sent import sent_mails

sys.stdout.write(f"{write(sent_mails())} samples in {FOLDER}\n")
