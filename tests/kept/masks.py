"""What is masked of mails and pages, so that only what somebody may notice is compared.

- The name of a match, five letters that are drawn: `Mat01`, `Mat02`, by when it is first seen.
- Reply addresses, addresses of pages, `[ref ...]`, the fields of forms that nobody sees: `TOKEN`.
- Message-IDs: `<ID>`; where a mail refers to one, when that mail went out and to whom.
- Heads of chains, commitments, checksums, secrets, keys: `HEX`, for 12 or more hexadecimal digits.
- How many events a match has had, where a page says it to its script: `VERSION`.
- The packed pictures of a replay, of which only is compared that they are there.
- Ids of players and of calendars' entries: `ID`. The date of a mail, which has the time of its
  sending in its first line.
- How many bytes something takes where it is kept packed: `SIZE`.
- Styles, by the first digits of their checksum: `styles.txt` has them in words (html.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from tests.kept.adapter import ADDRESS

_LOCAL, _, DOMAIN = ADDRESS.partition("@")
_NAME: Final = r"[2-9A-HJ-NP-TV-Z]{5}"
_IN_SUBJECT: Final = re.compile(rf"\b(?=[A-Z]*\d)({_NAME})\b")

_TOKENS: Final = (
    (re.compile(rf"{_LOCAL}(\+|%2B)[\w.=-]+(@|%40)(?={re.escape(DOMAIN)})"), r"games\1TOKEN\2"),
    (re.compile(r"\[ref(\s+)[\w.]+\]"), r"[ref\1TOKEN]"),
    (re.compile(r"/(act|seat|view|player|calendar|stop)/[a-z0-9.]{8,}"), r"/\1/TOKEN"),
    (re.compile(r'name="(nonce|made|own)" value="[^"]*"'), r'name="\1" value="TOKEN"'),
    (re.compile(r'(<script type="text/plain" id="frames">)[^<]*'), r"\1(packed pictures)"),
    (re.compile(r'(data-version="|/live\?since=)\d+'), r"\1VERSION"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "ID"),
    (re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{12,}\b"), "HEX"),
    # How small something is packed depends on what the process has packed before.
    (re.compile(r'("|&quot;)kept("|&quot;): \d+'), r"\1kept\2: SIZE"),
    (re.compile(r"<[\w.+-]+@" + re.escape(DOMAIN) + ">"), "<ID>"),
)  # fmt: skip


@dataclass
class Masks:
    """The names of matches that have been seen, and the mails that others may refer to."""

    names: dict[str, str] = field(default_factory=dict)
    mails: dict[str, str] = field(default_factory=dict)

    def see(self, subject: str) -> None:
        """Notice the names of matches in a subject."""
        for name in _IN_SUBJECT.findall(subject):
            self.names.setdefault(name, f"Mat{len(self.names) + 1:02}")

    def real(self, text: str) -> str:
        """A text of a script with the names that its matches really have."""
        for name, mask in self.names.items():
            text = text.replace(mask, name)
        return text

    def of_mails(self, text: str) -> str:
        """References, by the mails that they name."""
        return re.sub(
            r"<[^<>\s]+>", lambda found: self.mails.get(found[0], f"<{_other(found[0])}>"), text
        )

    def __call__(self, text: str) -> str:
        """A text with all masks."""
        for pattern, mask in _TOKENS:
            text = pattern.sub(mask, text)
        if self.names:
            known = "|".join(self.names)
            text = re.sub(
                rf"(?:\b|(?<=%20)|(?<=%5B))({known})\b",
                lambda found: self.names[found[1].upper()],
                text,
                flags=re.IGNORECASE,
            )
        return text


def _other(ident: str) -> str:
    return "ID" if ident.endswith(f"@{DOMAIN}>") else ident.strip("<>")
