"""What draws are bound to of a letter, as it came over the wire."""

import pytest

from pbem.fairness import letter_digest
from pbem.legacy.mail.letter import read_letter

WHOLE = letter_digest("<42@example.org>", "Sun, 22 Nov 2026 10:00:00 +0000")


def bond(*fields: str) -> tuple[str, str]:
    lines = ["From: ann@example.org", "To: games@pbem.example", *fields, "", "accept", ""]
    found = read_letter("\r\n".join(lines).encode()).bond
    return found.digest, found.unsure


ID = "Message-ID: <42@example.org>"
DATE = "Date: Sun, 22 Nov 2026 10:00:00 +0000"


@pytest.mark.parametrize(
    "fields",
    [
        (ID, DATE),
        (DATE, ID),
        ("MESSAGE-ID:<42@example.org>", "date:  Sun, 22 Nov 2026 10:00:00 +0000  "),
        ("Message-ID:\r\n <42@example.org>", "Date: Sun, 22 Nov\r\n\t2026 10:00:00  +0000"),
        (ID, DATE, "Message-ID: <lower@example.org>", "Date: Mon, 23 Nov 2026 10:00:00 +0000"),
        (ID, DATE, "Subject: other", "X-Original-Message-ID: <42@example.org>"),
    ],
)
def test_the_two_fields_are_taken_as_a_reader_sees_them(fields: tuple[str, ...]) -> None:
    assert bond(*fields) == (WHOLE, "")


@pytest.mark.parametrize(
    ("fields", "digest", "unsure"),
    [
        ((), "", "both"),
        (("Message-ID:", "Date: "), "", "both"),
        ((ID,), letter_digest("<42@example.org>", ""), "date"),
        ((DATE,), letter_digest("", "Sun, 22 Nov 2026 10:00:00 +0000"), "id"),
        ((ID, DATE, "X-Google-Original-Message-ID: <mine@home>"), WHOLE, "rewritten"),
        ((ID, DATE, "X-Microsoft-Original-Message-ID: <mine@home>"), WHOLE, "rewritten"),
        ((ID, DATE, "X-Original-Message-ID: <mine@home>"), WHOLE, "rewritten"),
    ],
)
def test_what_a_letter_lacks_is_known(fields: tuple[str, ...], digest: str, unsure: str) -> None:
    assert bond(*fields) == (digest, unsure)


def test_a_field_of_any_shape_has_a_digest() -> None:
    found = {bond(f"Message-ID: {value}", DATE)[0] for value in ("no brackets", "<ü@x>", "<a> <b>")}
    assert len(found) == 3
