"""Write the samples anew: `python -m tests.mail.corpus`."""

from __future__ import annotations

import sys

from tests.mail.corpus.samples import FOLDER, write
from tests.mail.corpus.sent import sent_mails

sys.stdout.write(f"{write(sent_mails())} samples in {FOLDER}\n")
