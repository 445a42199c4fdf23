"""Trying a game: whole matches by forms, chance that cannot be drawn twice, and nothing stored."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from pbem.legacy.bots.lessons import LONGEST
from pbem.legacy.config.settings import Web
from pbem.games import AnyGame
from pbem.legacy.mail.addresses import Keys
from pbem.legacy.matches.match import Match
from pbem.legacy.notices.views.lessons import lesson_part
from pbem.legacy.web import access, try_out
from pbem.legacy.web.access import Bucket
from pbem.legacy.web.rules_pages import games_today
from pbem.legacy.web.sealing import seal, unseal
from pbem.legacy.web.trials import LASTS, SEAT, Trial, begun, match_of, opened, played
from tests.legacy.effort import effort
from tests.legacy.web.site import Site

GAMES_TODAY = games_today()
GAMES = [pytest.param(game, id=game.key) for game in GAMES_TODAY]
SEED = bytes(range(16))


def slug(game: AnyGame) -> str:
    return game.key.replace("_", "-")


def trial_of(site: Site, path: str) -> Trial:
    house = site.club.house
    found = opened(house.keys, path.split("/")[2], int(house.now().timestamp()))
    assert found is not None
    return found


def _legal(trial: Trial) -> Sequence[Any]:
    return trial.game.legal(match_of(trial).course.position)


async def tried(site: Site, game: AnyGame) -> str:
    """Where a new match is."""
    answer = await site.get(f"/try/{slug(game)}")
    assert answer.status_code == 303
    return answer.headers["location"]


def stored(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}


@pytest.fixture(autouse=True)
def _nothing_looked_at() -> None:
    """Clubs of tests draw the same seeds."""
    try_out.looked_at.cache_clear()


@pytest.fixture
def unbounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((access, "WRITING"), (access, "READING")):
        monkeypatch.setattr(module, name, Bucket(room=1e9, a_second=1e9))
    for name in ("TRYING", "TRYING_ALL", "LOOKING", "LOOKING_ALL"):
        monkeypatch.setattr(try_out, name, Bucket(room=1e9, a_second=1e9))


@pytest.mark.usefixtures("unbounded")
@pytest.mark.parametrize("game", GAMES)
async def test_a_match_is_played_to_its_end_by_forms_and_nothing_is_stored(
    site: Site, game: AnyGame, tmp_path: Path
) -> None:
    rng, before = random.Random(5), stored(tmp_path)
    path = await tried(site, game)
    while (match := match_of(trial_of(site, path))).to_act:
        move = rng.choice(game.legal(match.course.position))
        answer = await site.client.post(path, data={"text": game.notation(move)})
        assert answer.status_code == 303
        path = answer.headers["location"]
        assert "?" not in path
        assert len(path) < 2_000
    last = await site.get(path)
    assert last.status_code == 200
    assert 'href="/#begin"' in last.text
    assert 'id="send"' not in last.text
    assert (await site.client.post(path, data={"text": "resign"})).headers["location"]
    assert stored(tmp_path) == before
    assert not site.club.postbox.sent


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
async def test_the_page_leads_to_a_move_by_its_links_alone(
    site: Site, game: AnyGame, lang: str
) -> None:
    site.client.headers["Accept-Language"] = lang
    rng, path = random.Random(2), await tried(site, game)
    page = await site.get(path)
    for _ in range(40):
        if found := re.search(r'<form id="send".*?name="text" value="(.*?)"', page.text, re.DOTALL):
            break
        links = re.findall(rf'href="({slug(game)}\?text=.*?)"', page.text)
        page = await site.get(f"{path.rpartition('/')[0]}/{unescape(rng.choice(links))}")
        assert page.status_code == 200
    else:
        raise AssertionError(page.text)
    answer = await site.client.post(path, data={"text": unescape(found[1])})
    assert "?" not in answer.headers["location"]
    assert len(trial_of(site, answer.headers["location"]).moves) >= 2


@pytest.mark.parametrize("game", GAMES)
def test_going_back_draws_nothing_again(game: AnyGame) -> None:
    trial = begun(game, SEED)
    legal = game.legal(match_of(trial).course.position)
    first = played(trial, game.notation(legal[0]))
    again = played(begun(game, SEED), game.notation(legal[0]))
    assert first == again
    assert match_of(first) == match_of(again)
    assert [step.move for step in match_of(first).course.steps] == [
        step.move for step in match_of(again).course.steps
    ]
    assert begun(game, bytes(16)).seed != SEED


def test_another_seed_draws_otherwise_and_so_does_another_move() -> None:
    game = next(game for game in games_today() if game.key == "looney_ludo")
    dice = {
        str(match_of(begun(game, bytes([number]) * 16)).course.steps[-1].move)
        for number in range(20)
    }
    assert len(dice) > 5
    trial = begun(game, SEED)
    moves = [game.notation(move) for move in game.legal(match_of(trial).course.position)]
    after = {str(match_of(played(trial, move)).course.steps[-1].move) for move in moves}
    assert len(after) > 1


async def test_the_page_follows_from_what_its_seat_knows(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = next(game for game in games_today() if game.secrets)
    path = await tried(site, game)
    trial = played(trial_of(site, path), game.notation(_legal(trial_of(site, path))[0]))
    sealed = trial.sealed(site.club.house.keys, int(site.club.house.now().timestamp()))
    path = f"/try/{sealed}/{slug(game)}"
    page = (await site.get(path)).text
    match = match_of(trial)
    known = game.known(match.course.position, SEAT)
    assert known != match.course.position
    *before, last = match.course.steps
    steps = (*before, replace(last, after=known))
    course = replace(match.course, position=known, steps=steps)
    monkeypatch.setattr(try_out, "match_of", lambda _: replace(match, course=course))
    try_out.looked_at.cache_clear()
    assert (await site.get(path)).text == page
    assert trial.seed.hex() not in page


async def test_a_changed_or_an_old_match_is_refused_with_a_clear_page(site: Site) -> None:
    game = games_today()[0]
    path = await tried(site, game)
    sealed = path.split("/")[2]
    for at in range(0, len(sealed), 7):
        other = "A" if sealed[at] != "A" else "B"
        changed = f"/try/{sealed[:at]}{other}{sealed[at + 1 :]}/{slug(game)}"
        for answer in (
            await site.get(changed),
            await site.client.post(changed, data={"text": "x"}),
        ):
            assert answer.status_code == 410
            assert "This match is gone" in answer.text
    assert (await site.get(f"/try/{sealed}/landrush")).status_code == 410
    await site.club.wait(seconds=LASTS + 10)
    assert (await site.get(path)).status_code == 410


async def test_no_move_says_why_and_plays_nothing(site: Site) -> None:
    path = await tried(site, games_today()[0])
    answer = await site.client.post(path, data={"text": "place c3"})
    assert answer.headers["location"].startswith(f"{path}?text=")
    page = await site.get(answer.headers["location"])
    assert 'id="refusal"' in page.text


async def test_moves_are_bounded_for_one_and_for_all(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(try_out, "TRYING", Bucket(room=3, a_second=0.001))
    for _ in range(3):
        await tried(site, games_today()[0])
    answer = await site.get(f"/try/{slug(games_today()[0])}")
    assert answer.status_code == 429
    assert "Many are trying" in answer.text
    assert (await site.get("/")).status_code == 200
    monkeypatch.setattr(try_out, "TRYING", Bucket(room=9, a_second=0.001))
    monkeypatch.setattr(try_out, "TRYING_ALL", Bucket(room=1, a_second=0.001))
    await tried(site, games_today()[0])
    assert (await site.get(f"/try/{slug(games_today()[0])}")).status_code == 429


async def test_looks_are_bounded_for_one_and_for_all(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await tried(site, games_today()[0])
    monkeypatch.setattr(try_out, "LOOKING", Bucket(room=2, a_second=0.001))
    looked = [(await site.get(path)).status_code for _ in range(3)]
    assert looked == [200, 200, 429]
    monkeypatch.setattr(try_out, "LOOKING", Bucket(room=9, a_second=0.001))
    monkeypatch.setattr(try_out, "LOOKING_ALL", Bucket(room=1, a_second=0.001))
    assert [(await site.get(path)).status_code for _ in range(2)] == [200, 429]
    assert (await site.get("/")).status_code == 200


async def test_few_wait_for_the_room(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    path, go_on = await tried(site, games_today()[0]), Event()
    shown = try_out._shown

    def slowly(*given: Any) -> Any:
        assert go_on.wait(120)
        return shown(*given)

    monkeypatch.setattr(try_out, "_shown", slowly)
    most = try_out.AT_ONCE + try_out.MOST_WAIT
    waiting = [asyncio.create_task(site.get(path)) for _ in range(most + 2)]
    refused, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED, timeout=100)
    go_on.set()
    answers = await asyncio.gather(*waiting)
    assert sorted(one.status_code for one in answers) == [200] * most + [429] * 2
    assert all(one.result().status_code == 429 for one in refused)
    assert (await site.get(path)).status_code == 200


async def test_a_match_is_computed_once_for_some_looks(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await tried(site, games_today()[0])
    computed: list[Trial] = []

    def counted(trial: Trial) -> Match:
        computed.append(trial)
        return match_of(trial)

    monkeypatch.setattr(try_out, "match_of", counted)
    first = await site.get(path)
    assert (await site.get(f"{path}?at=0")).status_code == 200
    assert (await site.get(path)).text == first.text
    german = await site.get(path, headers={"Accept-Language": "de"})
    assert 'lang="de"' in german.text
    assert len(computed) == 1


async def test_an_operator_may_have_none(site: Site) -> None:
    club = site.club
    path = await tried(site, games_today()[0])
    assert "/try/logger" in (await site.get("/")).text
    settings = club.house.settings.model_copy(update={"web": Web(try_out=False)})
    object.__setattr__(club.house, "settings", settings)
    assert "/try/" not in (await site.get("/")).text
    assert (await site.get("/try/logger")).status_code == 404
    assert (await site.get(path)).status_code == 410


# --- seals ---------------------------------------------------------------------------------------

KEYS = Keys("a", {"a": bytes(range(32))})


def test_a_seal_is_for_one_purpose_and_one_key_and_shows_nothing() -> None:
    text = b"a secret that is long enough for more than one block of the mask"
    sealed = seal(KEYS, "one", text, 1_700_000_000)
    assert unseal(KEYS, "one", sealed) == (text, 1_700_000_000)
    assert unseal(KEYS, "other", sealed) is None
    assert unseal(Keys("a", {"a": bytes(32)}), "one", sealed) is None
    assert unseal(Keys("b", {**KEYS.secrets, "b": bytes(32)}), "one", sealed) is not None
    for wrong in ("", "a", "aA", sealed[:-1], sealed + "AAAA", "ä" * 80, "a" + "%" * 40):
        assert unseal(KEYS, "one", wrong) is None
    assert sealed != seal(KEYS, "one", text, 1_700_000_001)
    for at in range(1, len(sealed)):
        for sign in "AZaz09-_%":
            changed = f"{sealed[:at]}{sign}{sealed[at + 1 :]}"
            assert changed == sealed or unseal(KEYS, "one", changed) is None
        assert unseal(KEYS, "one", f"{sealed[:at]}.{sealed[at:]}") is None


def test_a_match_of_the_most_plies_is_short_and_quickly_shown() -> None:
    game = next(game for game in games_today() if game.key == "looney_ludo")
    trial, rng = begun(game, SEED), random.Random(1)
    while (match := match_of(trial)).to_act:
        legal = game.legal(match.course.position)
        trial = played(trial, game.notation(rng.choice(legal)))
    assert len(trial.sealed(KEYS, 1_700_000_000)) < 2_000
    assert effort(lambda: match_of(trial)) < 2


@pytest.mark.parametrize("game", GAMES)
async def test_the_words_of_a_board_are_those_of_its_picture(site: Site, game: AnyGame) -> None:
    path = await tried(site, game)
    trial = trial_of(site, path)
    move = trial.game.notation(_legal(trial)[0])
    spoken, signs = _board_in_words((await site.get(path)).text)
    then_spoken, then_signs = _board_in_words((await site.get(path, params={"text": move})).text)
    assert then_spoken != spoken
    assert then_signs != signs


def _board_in_words(page: str) -> tuple[str, str]:
    """As it is read aloud, and in signs."""
    spoken = re.search(r'<p id="spoken">(.*?)</p>', page, re.DOTALL)
    signs = re.search(r"<pre tabindex=.0.>(.*?)</pre>", page, re.DOTALL)
    assert spoken is not None
    assert signs is not None
    return spoken[1], signs[1]


# --- lessons -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_learnt_on_its_page_without_an_address(site: Site, game: AnyGame) -> None:
    answer = await site.get(f"/learn/{slug(game)}")
    path, taught = answer.headers["location"], []
    for _ in range(LONGEST):
        trial = trial_of(site, path)
        assert trial.teaches
        page = (await site.get(path)).text
        part = lesson_part(match_of(trial), {1: "Guest", 2: "Bot"})
        if part is None or part.stage.over:
            break
        if part.stage.topic:
            assert f"Lesson {part.stage.number} of {part.stage.of}" in page
            taught.append(part.stage.topic)
        move = part.offered[0] if part.offered else trial.game.notation(_legal(trial)[0])
        answer = await site.client.post(path, data={"text": move})
        assert answer.status_code == 303
        path = answer.headers["location"]
    assert len(taught) >= 2
    assert len({*taught}) == len(taught)


async def test_who_only_tries_a_game_is_not_taught(site: Site) -> None:
    path = await tried(site, GAMES_TODAY[0])
    assert not trial_of(site, path).teaches
    assert 'id="lesson"' not in (await site.get(path)).text


async def test_who_begins_is_told_the_aim(site: Site) -> None:
    for game in GAMES_TODAY:
        path = await tried(site, game)
        trial = trial_of(site, path)
        assert 'id="aim"' in (await site.get(path)).text
        answer = await site.client.post(path, data={"text": trial.game.notation(_legal(trial)[0])})
        assert 'id="aim"' not in (await site.get(answer.headers["location"])).text
        path = (await site.get(f"/learn/{slug(game)}")).headers["location"]
        assert "The aim: " in (await site.get(path)).text


async def test_where_something_is_wrong_the_way_back_is_named(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no")

    path = await tried(site, GAMES_TODAY[0])
    monkeypatch.setattr(try_out, "looked_at", broken)
    answer = await site.get(path)
    assert answer.status_code == 500
    assert "Go back to the page before" in answer.text


async def test_a_lesson_that_ends_with_the_match_says_what_did_not_come_up(site: Site) -> None:
    [game] = [one for one in GAMES_TODAY if one.key == "logan_stones"]
    for seed in range(8):
        trial = begun(game, bytes([seed] * len(SEED)), teaches=True)
        while (match := match_of(trial)).to_act:
            part = lesson_part(match, {1: "Guest", 2: "Bot"})
            assert part is not None
            move = part.offered[0] if part.offered else game.notation(_legal(trial)[0])
            trial = played(trial, move)
        ended = lesson_part(match, {1: "Guest", 2: "Bot"})
        sealed = trial.sealed(site.club.house.keys, int(site.club.house.now().timestamp()))
        page = (await site.get(f"/try/{sealed}/{slug(game)}")).text
        assert "Play without help" in page
        assert ended is not None
        assert ("What did not come up:" in page) == bool(ended.stage.untold)
        if ended.stage.untold:
            return
    raise AssertionError("no match was won before the lesson was over")
