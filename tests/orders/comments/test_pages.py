"""Comments on the pages of a match that is over: who reads them, who can make them, and where."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.addresses import Purpose
from pbem.store.log.sealed import unseal
from tests.clubs.club import ANN, BOB, CLEO
from tests.clubs.hostile import registered
from tests.orders.comments.test_by_mail import over
from tests.web.site import Site, open_site


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    one = open_site(tmp_path)
    await registered(one.club)
    yield one
    await one.client.aclose()
    one.club.house.db.close()


async def filled(site: Site, path: str, comment: str, of: str = "") -> dict[str, str]:
    """The form for a comment, filled in."""
    page = (await site.get(path)).text
    form = page[page.index('<section id="comments">') :]
    marks = dict(re.findall(r'name="(nonce|made|own)" value="([^"]*)"', form))
    return {"comment": comment, "of": of, **marks}


async def made(site: Site) -> list[tuple[int | None, str]]:
    """What has been said of which move."""
    comments = (await site.match()).table.comments
    texts: Any = await site.club.read(partial(unseal, digests=[one.text for one in comments]))
    return [(one.ply, texts[one.text]) for one in comments]


async def test_a_player_comments_at_the_board_that_they_look_at(site: Site) -> None:
    await over(site.club)
    path = await site.path(Purpose.ACT)
    form = await filled(site, f"{path}?at=1", "A bold\r\n\r\nresign\r\nbeginning <b>.", "1")
    page = (await site.post(f"{path}?at=1", form)).text
    assert await made(site) == [(1, "A bold resign beginning <b>.")]
    assert "Your comment stands below the board." in page
    shown = "<strong>Ann (after the end):</strong> A bold resign beginning &lt;b&gt;."
    assert shown in page
    for purpose in (Purpose.SEAT, Purpose.VIEW):
        other = await site.path(purpose)
        assert shown in (await site.get(f"{other}?at=1")).text
        assert shown not in (await site.get(f"{other}?at=2")).text
        assert "1 comment<" in (await site.get(other)).text


async def test_of_the_whole_match_it_stands_beside_the_end(site: Site) -> None:
    await over(site.club)
    path = await site.path(Purpose.ACT)
    await site.post(path, await filled(site, path, "12 moves would have been better."))
    assert await made(site) == [(None, "12 moves would have been better.")]
    said = "Ann (after the end, of the whole match):"
    assert said in (await site.get(await site.path(Purpose.VIEW))).text
    assert said not in (await site.get(f"{path}?at=0")).text


async def test_a_spectator_comments_on_a_page_of_their_own(site: Site) -> None:
    name = await over(site.club)
    own = await site.path(Purpose.PLAYER, CLEO)
    assert f'href="{own}/{name.lower()}"' in (await site.get(own)).text
    path = f"{own}/{name.lower()}"
    page = (await site.post(f"{path}?at=2", await filled(site, f"{path}?at=2", "Nice!", "2"))).text
    assert await made(site) == [(2, "Nice!")]
    assert "Your comment stands here now." in page
    assert "<strong>Cleo (after the end):</strong> Nice!" in page
    assert '<input type="hidden" name="text"' not in page
    form = await site.form(path, f"{name} comment 1: by the other field")
    assert (await site.post(path, form)).status_code == 409
    assert len(await made(site)) == 1


@pytest.mark.parametrize("purpose", [Purpose.VIEW, Purpose.SEAT])
async def test_a_link_that_only_shows_has_no_form(site: Site, purpose: Purpose) -> None:
    await over(site.club)
    page = (await site.get(await site.path(purpose))).text
    assert "<form" not in page
    assert '<section id="comments">' not in page


async def test_while_it_runs_there_is_no_form(site: Site) -> None:
    from tests.orders.comments.test_by_mail import at_play

    name = await at_play(site.club)
    assert 'name="comment"' not in (await site.get(await site.path(Purpose.ACT))).text
    own = await site.path(Purpose.PLAYER, CLEO)
    answer = await site.get(f"{own}/{name.lower()}")
    assert answer.status_code == 200
    assert "<form" not in answer.text


async def test_what_is_refused_can_be_mended(site: Site) -> None:
    await over(site.club)
    path = await site.path(Purpose.ACT)
    page = (await site.post(path, await filled(site, path, "Hm, well.", "99"))).text
    assert await made(site) == []
    assert "There is no move 99" in page
    assert re.search(r"<textarea[^>]*>Hm, well\.</textarea>", page)


async def test_who_is_muted_is_not_read_on_ones_own_page(site: Site) -> None:
    await over(site.club)
    await site.club.answer(BOB, "comment 2: Ha!")
    await site.club.answer(ANN, "mute Bob")
    page = (await site.get(f"{await site.path(Purpose.ACT)}?at=2")).text
    assert "Ha!" not in page
    assert "You have muted them." in page
    assert "Ha!" in (await site.get(f"{await site.path(Purpose.VIEW)}?at=2")).text


async def test_what_is_forgotten_is_shown_as_such(site: Site) -> None:
    await over(site.club)
    await site.club.answer(CLEO, "comment 2: My secret.")
    path = f"{await site.path(Purpose.VIEW)}?at=2"
    assert "My secret." in (await site.get(path)).text
    await site.club.insist(CLEO, "delete me")
    page = (await site.get(path)).text
    assert "My secret." not in page
    assert "Cleo" not in page
    assert "It is no longer kept." in page


async def test_a_private_match_shows_them_to_its_players_alone(site: Site) -> None:
    await over(site.club, f"new logger with {BOB} seat_order=given private")
    await site.club.answer(ANN, "comment 2: Between us.")
    page = (await site.get(f"{await site.path(Purpose.ACT, BOB)}?at=2")).text
    assert "Between us." in page
    assert (await site.get(await site.path(Purpose.VIEW))).status_code == 404
