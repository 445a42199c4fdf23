"""The text inside an opaque-signed S/MIME mail: in clear, in a wrapping of ASN.1 (RFC 5652 5).

The signature is not checked: what a mail may do is told by its reply address, as with every other.
Only the way to the content is read, each byte once; whatever is not as it must be is no content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_SIGNED_DATA: Final = bytes.fromhex("2a864886f70d010702")
_DATA: Final = bytes.fromhex("2a864886f70d010701")
_INTEGER, _OCTETS, _OID, _OCTETS_IN_PARTS = 0x02, 0x04, 0x06, 0x24
_SEQUENCE, _SET, _EXPLICIT = 0x30, 0x31, 0xA0
_END: Final = b"\0\0"
_LONGEST_LENGTH: Final = 4
"""Bytes of a length; a letter is shorter than four of them can say."""

_MANY_PARTS: Final = 10_000
"""Pieces that content may be cut into; mailers write some KB in each."""


class _NoContent(Exception):  # noqa: N818 - what it says is enough
    """Something is not as it must be."""


@dataclass(slots=True)
class _Reader:
    """Goes forward through the bytes; never looks behind what is there."""

    data: bytes
    at: int = 0

    def header(self, *tags: int) -> tuple[int, int | None]:
        """Tag and end of the element that begins here; the end is None where a mark tells it."""
        tag, first = self._byte(), self._byte()
        if tag not in tags:
            raise _NoContent
        if first == 0x80:  # noqa: PLR2004 - X.690 8.1.3.6, the indefinite form
            return tag, None
        length = first
        if first > 0x80:  # noqa: PLR2004 - X.690 8.1.3.5, the long form
            count = first & 0x7F
            if count > _LONGEST_LENGTH:
                raise _NoContent
            length = int.from_bytes(self.take(count), "big")
        end = self.at + length
        if end > len(self.data):
            raise _NoContent
        return tag, end

    def take(self, count: int) -> bytes:
        """The next bytes."""
        taken = self.data[self.at : self.at + count]
        if len(taken) != count:
            raise _NoContent
        self.at += count
        return taken

    def whole(self, tag: int) -> bytes:
        """The content of an element whose length is given."""
        _, end = self.header(tag)
        if end is None:
            raise _NoContent
        return self.take(end - self.at)

    def _byte(self) -> int:
        return self.take(1)[0]


def signed_content(data: bytes) -> bytes | None:
    """What was signed, if this is SignedData with its content inside; never an exception."""
    reader = _Reader(data)
    try:
        reader.header(_SEQUENCE)
        if reader.whole(_OID) != _SIGNED_DATA:
            return None
        reader.header(_EXPLICIT)
        reader.header(_SEQUENCE)
        reader.whole(_INTEGER)
        reader.whole(_SET)
        reader.header(_SEQUENCE)
        if reader.whole(_OID) != _DATA:
            return None
        reader.header(_EXPLICIT)
        return _octets(reader)
    except _NoContent:
        return None


def _octets(reader: _Reader) -> bytes:
    """The content, in one piece or in several (BER, as mailers write it while they read a file)."""
    tag, end = reader.header(_OCTETS, _OCTETS_IN_PARTS)
    if tag == _OCTETS:
        if end is None:
            raise _NoContent
        return reader.take(end - reader.at)
    parts: list[bytes] = []
    while len(parts) < _MANY_PARTS:
        if end is not None and reader.at >= end:
            break
        if end is None and reader.data[reader.at : reader.at + 2] == _END:
            break
        parts.append(reader.whole(_OCTETS))
    else:
        raise _NoContent
    if end is not None and reader.at != end:
        raise _NoContent
    return b"".join(parts)
