"""What every mail measures, in every language: as text, as a page, and on a phone (table.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from pbem.replays import raster
from tests.notices.test_golden import MAILS
from tests.words.table import (
    HEAVIER,
    IN_COLUMNS,
    LANGUAGES,
    MORE_TO_TELL,
    faults,
    line,
    row,
    rows,
    with_pixels,
)

if TYPE_CHECKING:
    from playwright.async_api import Browser

needs_pictures = pytest.mark.skipif(not raster.draws(), reason="the extra `pictures` is missing")


@needs_pictures
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", MAILS)
def test_no_mail_has_more_lines_or_bytes_than_it_may(name: str, lang: str) -> None:
    assert list(faults(row(name, lang))) == []


@needs_pictures
@pytest.mark.browser
@pytest.mark.parametrize("lang", LANGUAGES)
async def test_every_mail_is_read_on_a_phone(lang: str, browser: Browser) -> None:
    found = await with_pixels(rows(lang), browser)
    assert [line(one) for one in found if list(faults(one))] == []
    turns = [one.pixels for one in found if "_in_" in one.name and one.is_turn]
    assert len(turns) >= 8  # early and late, in each game
    assert all(at is not None and at.button and at.bottom and at.choice for at in turns)


def test_no_mail_is_let_off_that_needs_not_be() -> None:
    let_off: Mapping[str, int] = {**HEAVIER, **MORE_TO_TELL, **dict.fromkeys(IN_COLUMNS, 0)}
    assert {*let_off} <= {*MAILS}
