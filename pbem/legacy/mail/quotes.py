"""Which lines of a reply are the quote of our own mail, by what we know that we sent (MAIL 1).

Four signals together: our address or display name in an attribution or header block, the
fingerprints of our lines, the structure of the quote, and the marker line. No table of words for
"wrote" is needed. A line that reads as an order is never taken for ours by its fingerprint alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Final

from pbem.legacy.mail.addresses import find_token_line
from pbem.legacy.mail.lines import Line, OwnText, fingerprints_of, letters_of
from pbem.legacy.mail.phrases.patterns import patterns

_COLONS: Final = (":", "：")
_FIELD: Final = re.compile(r"^\W{0,3}\w[\w .'/-]{0,24}\W{0,2}[:：](?!\d)")
_WHEN: Final = re.compile(r"\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b|\d{4}年")
_DATE: Final = re.compile(r"\b(?:19|20)\d{2}\b|\d{4}年|\d{1,4}[./-]\d{1,2}[./-]\d{2,4}")
"""A whole date, which no move has."""

_BLOCK: Final = 8
"""Lines that an attribution or header block may have above or below the line that names us."""

_PIECE: Final = 40
"""Letters of the line beside a broken line that tell whether both are one line of ours."""

_TAILS: Final = 5
"""Lines into which a mailer may break one."""

_ENOUGH: Final = 2
"""Lines of ours by which a quote without a prefix is known well enough to look below it."""

_WRAPPED: Final = 64
"""A quoted line at least this long may have been broken, with its end on a line without a `>`."""

IsOrder = Callable[[str], bool]


class Reply:
    """The lines of a reply beside what we sent; answers which of them a person typed.

    `start` and `begin`: where the first quote begins with its attribution, and where its lines do.
    `prefixed`: the quote is marked as one, so that what is not was typed.
    """

    def __init__(self, lines: Sequence[Line], own: OwnText, is_order: IsOrder) -> None:
        """Take down what is asked of lines again and again."""
        self.lines = lines
        self.own = own
        self.is_order = is_order
        names = {*own.addresses, own.display_name, own.display_name.partition(" (")[0]} - {""}
        longest_first = sorted(map(re.escape, names), key=len, reverse=True)
        self._us = re.compile("|".join(longest_first), re.IGNORECASE) if names else None
        self._sent_text = "\0".join(own.fingerprints)
        texts = [line.text for line in lines]
        said, self._markers = letters_of(texts), letters_of(own.markers)
        # Behind the last line there is nothing, and above the first one neither (its index is -1).
        self._letters = [*said, ""]
        self._prints = fingerprints_of(texts, said)
        folded, name = [text.casefold() for text in texts], own.display_name.casefold()
        self._named = [name != "" and name in text for text in folded]
        self._addressed = [any(one in text for one in own.addresses) for text in folded]
        self._rule = patterns().original_message
        self._known: dict[int, bool] = {}
        self._order: dict[int, bool] = {}
        self.start, self.begin = self._quote()
        below = enumerate(lines[self.begin :])
        self.prefixed = next(
            (line.quoted for at, line in below if line.text or (line.quoted and at == 0)), False
        )

    # --- single lines ----------------------------------------------------------------------------

    def order(self, at: int) -> bool:
        """Whether a line reads as an order."""
        if at not in self._order:
            text = self.lines[at].text
            # Our token line is nobody's order, and the name of a match may look like a word of its
            # game, whatever that finds in them.
            said = self._us.sub("", text) if self._us is not None else text
            self._order[at] = (
                bool(said.strip()) and find_token_line(text) is None and self.is_order(said)
            )
        return self._order[at]

    def known(self, at: int) -> bool:
        """Whether we sent this line, or the line that a mailer broke here."""
        if at not in self._known:
            # What was broken stands in one line of ours together with the line above or below.
            before, here, after = self._letters[at - 1], self._letters[at], self._letters[at + 1]
            self._known[at] = self._prints[at] in self.own.fingerprints or (
                here != ""
                and (
                    (before != "" and before[-_PIECE:] + here in self._sent_text)
                    or (after != "" and here + after[:_PIECE] in self._sent_text)
                )
            )
        return self._known[at]

    def solid(self, at: int) -> bool:
        """An unquoted line of ours that is no order: proof of a quote without a prefix."""
        line = self.lines[at]
        return not line.quoted and self.known(at) and not self.order(at)

    def _neighbours(self, at: int, step: int) -> Iterator[int]:
        at += step
        while 0 <= at < len(self.lines):
            if self.lines[at].text:
                yield at
            at += step

    def _marks(self, at: int) -> bool:
        """Whether the marker line stands here, whole or broken in two."""
        here, both = self._letters[at], self._letters[at] + self._letters[at + 1]
        return here != "" and any(
            marker in here or (here in marker and marker in both) for marker in self._markers
        )

    def _dated(self, at: int) -> bool:
        """Whether a date stands in a line or where a mailer may have broken it off."""
        if _WHEN.search(self.lines[at].text):
            return True
        if at > 0 and _WHEN.search(self.lines[at - 1].text) and not self.order(at - 1):
            return True
        below = at + 1
        return (
            below < len(self.lines)
            and _WHEN.search(self.lines[below].text) is not None
            and not self._named[below]
        )

    def _quoted_next(self, at: int) -> bool:
        following = next(self._neighbours(at, 1), None)
        return following is not None and (self.lines[following].quoted or self.solid(following))

    def _introduces(self, at: int) -> bool:
        """Whether a quote follows this line, or the last words of the attribution and then one."""
        return self._quoted_next(at) or self._ends_attribution(at + 1)

    def attributes(self, at: int) -> bool:
        """Whether a line says that what follows is by us: it names us as attributions do."""
        line = self.lines[at]
        ours = self._addressed[at] or self._named[at]
        if not ours or line.quoted or self.known(at):
            return False
        if self.order(at) and not (self._introduces(at) or self._beside_fields(at)):
            return False
        return (
            line.text.endswith(_COLONS)
            or _FIELD.match(line.text) is not None
            or self._dated(at)
            or self._rule.match(line.text) is not None
            or (self._addressed[at] and (self._introduces(at) or self._under_rule(at)))
        )

    def _beside_fields(self, at: int) -> bool:
        """Whether a line that holds our address is dated, or stands in a header block.

        The name of a match may look like a word of its game.
        """
        if not self._addressed[at]:
            return False
        around = self.lines[max(0, at - 1) : at + 2]
        dated = _DATE.search(self.lines[at].text) is not None
        return dated or (
            _FIELD.match(self.lines[at].text) is not None
            and sum(_FIELD.match(line.text) is not None for line in around) > 1
        )

    def _under_rule(self, at: int) -> bool:
        return self._ruled(at - 1) or (self._named[at - 1] and self._ruled(at - 2))

    def _ruled(self, at: int) -> bool:
        """Whether a rule that stands above quotes is drawn here."""
        return at >= 0 and self._rule.match(self.lines[at].text) is not None

    # --- the quote -------------------------------------------------------------------------------

    def _of_block(self, at: int, *, fields: bool) -> bool:
        """Whether a line may be part of an attribution; the words of some games are in dates.

        Beside a field of a header block other `fields` are part of it as well.
        """
        text = self.lines[at].text
        if self.lines[at].quoted or not text:
            return False
        if self._named[at] or self._addressed[at] or text.endswith("<") or _DATE.search(text):
            return True
        if self.order(at):
            return False
        field = fields and _FIELD.match(text) is not None
        return field or _WHEN.search(text) is not None or self._rule.match(text) is not None

    def _block_start(self, at: int) -> int:
        """Up from the line that names us over the adjoining `Xxx:` lines, dates and rules."""
        while True:
            start, fields = at, _FIELD.match(self.lines[at].text) is not None
            while start > 0 and at - start < _BLOCK and self._of_block(start - 1, fields=fields):
                start -= 1
                if self._ruled(start):
                    break  # a rule is drawn below what was typed
            above = start - 2
            spaced = above >= 0 and not self.lines[start - 1].text
            if spaced and self._ruled(above):
                return above
            if not spaced or not self.lines[above].text.endswith("<"):
                return start
            at = above  # the attribution is broken, and each line spaced out

    def _block_end(self, at: int) -> int:
        """Down from the line that names us over the rest of a header block."""
        end = at + 1
        fields, ruled = _FIELD.match(self.lines[at].text) is not None, self._ruled(at - 1)
        while end < len(self.lines) and end - at < _BLOCK:
            line = self.lines[end]
            inside = line.text and not line.quoted if ruled else self._of_block(end, fields=fields)
            if not inside or self.known(end):
                break
            end += 1
        return end + self._ends_attribution(end)

    def _ends_attribution(self, at: int) -> bool:
        """Whether the end of an attribution stands here that a mailer broke off (`wrote:`)."""
        return (
            at < len(self.lines)
            and not self.lines[at].quoted
            and self.lines[at].text.endswith(_COLONS)
            and not self.lines[at - 1].text.endswith(_COLONS)
            and not self.known(at)
            and self._quoted_next(at)
        )

    def _above_quote(self, at: int) -> int:
        """Where the attribution of a quote that begins here begins, though it does not name us."""
        for above in self._neighbours(at, -1):
            line = self.lines[above]
            if at - above > 3 or self.order(above) or not line.text.endswith(_COLONS):  # noqa: PLR2004 - two blank lines at most
                return at
            return self._block_start(above)
        return at

    def _first_known(self, at: int) -> int:
        """Up over lines of ours above one that proves a quote, where no attribution says more.

        An order that stands in the quote once more is a copy, and so was typed.
        """
        below = set(self._letters[at:-1])
        for above in self._neighbours(at, -1):
            if not self.known(above) or (self.order(above) and self._letters[above] in below):
                break
            at = above
        return at

    def _opens(self, at: int) -> bool:
        """Whether lines of ours follow this one with no prefix, which is one of them."""
        for other in self._neighbours(at, 1):
            if not self.lines[other].quoted and not self.known(other):
                if not self._prints[other]:
                    continue  # a board has lines too short to be known
                return False
            if self.solid(other):
                return True
        return False

    def _past_attribution(self, at: int) -> int:
        """Where the quote begins, if only an attribution is marked as quoted, as in forwards."""
        for below in range(at, min(at + _BLOCK + 2, len(self.lines))):
            if not self.lines[below].quoted and self.lines[below].text:
                marked = any(line.quoted for line in self.lines[below:])
                ours = self.solid(below) or (self.known(below) and not marked)
                return below if ours else at
        return at

    def _quote(self) -> tuple[int, int]:
        for at, line in enumerate(self.lines):
            if line.quoted:
                return self._above_quote(at), self._past_attribution(at)
            if not line.text:
                continue
            if self.attributes(at):
                return self._block_start(at), self._block_end(at)
            if self._marks(at) or (self.solid(at) and self._opens(at)):
                first = self._first_known(at)
                return self._above_quote(first), first
        return len(self.lines), len(self.lines)

    # --- below it --------------------------------------------------------------------------------

    def _tail(self, at: int) -> bool:
        """Whether a line is the end of a quoted line that a mailer broke."""
        if at == 0 or not self.lines[at - 1].quoted:
            return False
        broken = len(self.lines[at - 1].raw) >= _WRAPPED
        return broken and at + 1 < len(self.lines) and self.lines[at + 1].quoted

    def _ours(self, at: int, last: int) -> bool:
        """Whether an unquoted line below the start of the quote belongs to it."""
        if self._marks(at) or self._tail(at):
            return True
        if not self._letters[at] and at > 0 and self.lines[at - 1].quoted:
            return True  # signs that a mailer broke off
        if self.known(at):
            # Beside an order of ours stand more lines of ours: above it the attribution at least,
            # and a mail of ours does not end with an order.
            beside = last < 0 and at > 0 and self.solid(at - 1)
            if not self.order(at) or at < last or beside:
                return True
            return self._continues(at) or self._cut_off(at, last)
        if self.order(at):
            return False
        if at < last and not self._prints[at]:
            return True  # a rule or a row of a board
        near = [one for one in (at - 1, at + 1) if 0 <= one < len(self.lines)]
        return self._addressed[at] or any(self.solid(one) for one in near)

    def _continues(self, at: int) -> bool:
        """Whether a line is ours only together with those above it, the first of them quoted.

        Each must go on with the one above: a turn over several lines may be one line of ours, too.
        """
        if self._prints[at] in self.own.fingerprints:
            return False
        for above in range(at - 1, max(-1, at - _TAILS), -1):
            if not self._joins(above):
                return False
            if self.lines[above].quoted or not self.known(above):
                return self.lines[above].quoted
        return False

    def _joins(self, at: int) -> bool:
        """Whether a line and the one below it stand in one line of ours."""
        above = self._letters[at]
        return bool(above) and above[-_PIECE:] + self._letters[at + 1] in self._sent_text

    def _cut_off(self, at: int, last: int) -> bool:
        """Whether an order of ours is the end of a quote that its writer cut off.

        Whoever copies an order leaves it in the quote as well, or writes below its last line.
        """
        if last < 0 or self._last_line < at or self._firsts[self._letters[at]] < at:
            return False
        above = next(self._neighbours(at, -1), None)
        return above is not None and self.known(above)

    @cached_property
    def _last_line(self) -> int:
        """Where the token line stands, which ends our mails."""
        found = (at for at, line in enumerate(self.lines) if find_token_line(line.text) is not None)
        return next(found, len(self.lines))

    @cached_property
    def _firsts(self) -> dict[str, int]:
        """The first line with the same letters, by them."""
        return {said: at for at, said in reversed(list(enumerate(self._letters)))}

    def below(self) -> list[Line]:
        """The unquoted lines from where the quote begins that are not ours.

        In a quote without a prefix they end at the next attribution: what follows is an older
        round, where nobody types, and whose orders were played long ago. Where hardly a line of
        such a quote is known, nothing is: all of it may be somebody else's words.
        """
        begin, end, last = self.begin, len(self.lines), -1
        if not self.prefixed:
            older = next((at for at in range(begin, end) if self.attributes(at)), None)
            end = end if older is None else max(begin, self._block_start(older))
            ours = [at for at in range(begin, end) if self.solid(at)]
            if len(ours) < _ENOUGH:
                return []
            last = ours[-1]
        return [
            line
            for at, line in enumerate(self.lines[begin:end], begin)
            if not line.quoted and not (line.text and self._ours(at, last))
        ]
