"""HTML in a form that can be compared line by line: a block a line, styles by their checksums."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_BLOCK: Final = re.compile(
    r"(?<!\n)(<(?:p|h[1-6]|table|tr|div|ul|ol|li|pre|form|section|details|header|footer|nav|main|svg"
    r"|figure|input|button|label|option|a class=\"tap\")\b)"
)
_DRAWING: Final = re.compile(r"(<svg\b[^>]*>).*?</svg>", re.DOTALL)
_STYLE: Final = re.compile(r'style="([^"]*)"')
_SHEET: Final = re.compile(r"<(style|script)\b([^>]*)>(.+?)</\1>", re.DOTALL)
_DATA: Final = re.compile(r"data:(image/[\w+.-]+)[^\"')\s]*")


@dataclass
class Styles:
    """Styles, sheets and scripts by the first digits of their checksums."""

    known: dict[str, str] = field(default_factory=dict)

    def name(self, style: str) -> str:
        digest = hashlib.sha256(style.encode()).hexdigest()[:5]
        self.known[digest] = style
        return f"~{digest}"

    def text(self) -> str:
        """All of them, as they are kept."""
        rows = sorted(self.known.items())
        return "".join(f"~{digest} {' '.join(style.split())}\n" for digest, style in rows)

    def new(self, kept: str) -> Mapping[str, str]:
        """Those that what is kept does not have."""
        before = {line[1:6] for line in kept.splitlines()}
        return {name: style for name, style in self.known.items() if name not in before}


def normal(html: str, styles: Styles) -> list[str]:
    """The lines of a page. Of a drawing there is only that it is there, and what it is called."""
    html = _DRAWING.sub(r"\1(a drawing)</svg>", html)
    html = _DATA.sub(r"data:\1", html)
    html = _SHEET.sub(lambda found: f"<{found[1]}{found[2]} {styles.name(found[3])}>", html)
    html = _STYLE.sub(lambda found: f"style={styles.name(found[1])}", html)
    return [line.rstrip() for line in _BLOCK.sub(r"\n\1", html).splitlines() if line.strip()]
