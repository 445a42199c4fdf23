"""The page of a seat in a real browser: sizes, taps, the script, and accessibility."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.conversations.runner import PUBLIC_URL, Conversation
from tests.web.played import find_link, play, serve

pytest.importorskip("playwright", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
from axe_playwright_python.async_playwright import Axe, AxeResults  # type: ignore[import-untyped]
from playwright.async_api import Browser, Page, Response, async_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium"),
]
SIZES = [(390, 844), (844, 390), (1280, 800), (360, 640)]
GAMES = {
    "logger": "match logger ann bob\nplay\n    ann: place a1\n    bob: place e5\n",
    "looney ludo": "match looney ludo ann bob\n",
    "logan stones": "match logan stones ann bob\n",
    "landrush": "match landrush ann bob\nplay taps 4 times\n",
}


@asynccontextmanager
async def launch() -> AsyncIterator[Browser]:
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic"]
    async with async_playwright() as programs:
        browser = await programs.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield browser
        await browser.close()


async def find_turn(club: Conversation, page: Page, base: str) -> str:
    """Open the page of the player who is to move. Return its address."""
    for who in ("ann", "bob"):
        link = find_link(club, who, "/act/").replace(PUBLIC_URL, base)
        await page.goto(link)
        if await page.locator(".board a.next").count():
            return link
    raise AssertionError("nobody is to move")


async def has_room(page: Page, selector: str) -> bool:
    """Whether all of an element is on the screen without scrolling."""
    box = await page.locator(selector).first.bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def watch_faults(page: Page, faults: list[str]) -> None:
    """Collect what the browser complains about: scripts, and the content security policy."""
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))


@pytest.mark.parametrize("game", GAMES)
async def test_each_step_is_on_the_screen(tmp_path: Path, game: str) -> None:
    # The name comes before the game, which may be cut.
    shows_opponent = """line => {
        const range = document.createRange(), text = line.querySelector(".muted").firstChild;
        range.setStart(text, 0);
        range.setEnd(text, "Ann".length);
        return /^(Ann|Bob)/.test(text.data)
            && range.getBoundingClientRect().right <= line.getBoundingClientRect().right - 16;
    }"""
    async with play(GAMES[game], tmp_path) as club, serve(club) as base, launch() as browser:
        page = await browser.new_page()
        faults: list[str] = []
        watch_faults(page, faults)
        link = await find_turn(club, page, base)
        boxes: dict[int, object] = {}
        is_whole = False
        for number in range(9):
            is_whole = await page.locator(".ask button.primary").count() > 0
            for width, height in SIZES:
                await page.set_viewport_size({"width": width, "height": height})
                assert await page.locator(".bar .line").evaluate(shows_opponent)
                assert await has_room(page, ".first .board svg:not(.shape)")
                assert await has_room(page, ".ask .prompt")
                board = await page.locator(".first .board").bounding_box()
                assert board is not None
                assert board["height"] >= 0.4 * height
                # The board neither moves nor shrinks while a move is put together.
                assert boxes.setdefault(width, board) == board
                assert not is_whole or await has_room(page, ".ask button.primary")
                assert await page.evaluate("document.documentElement.scrollWidth") <= width
            assert (await page.locator(".ask .back").count() > 0) == (number > 0)
            if is_whole:
                break
            places = page.locator(".board a.next")
            words = page.locator(".ask a.button:not(.back)")
            chosen = places if await places.count() else words
            await page.goto(link + (await chosen.last.get_attribute("href") or ""))
        assert is_whole
        assert not faults


async def test_the_task_of_a_lesson_is_on_the_screen(tmp_path: Path) -> None:
    """The first two lines of a lesson, the question and the button are visible on phones."""
    is_visible = """task => {
        const box = task.getBoundingClientRect();
        const top = document.elementFromPoint(box.x + 20, box.y + 38);
        return top !== null && task.contains(top);
    }"""
    # The first lesson has a throw of the dice with a long prompt.
    keys = ("looney_ludo", "logger", "logan_stones", "landrush")
    async with play("", tmp_path) as club, serve(club) as base, launch() as browser:
        for key in keys:
            page = await browser.new_page(viewport={"width": 390, "height": 664})
            await page.goto(f"{base}/learn/{key}")
            for button in (".ask .example", ".ask button.primary"):
                for height in (664, 844):
                    await page.set_viewport_size({"width": 390, "height": height})
                    assert await page.locator(".task").evaluate(is_visible), key
                    assert await has_room(page, ".ask .prompt")
                    assert await has_room(page, button)
                if button == ".ask .example":
                    # Other than a click, this waits until the style sheet is loaded.
                    shown = await page.locator(button).get_attribute("href") or ""
                    await page.goto(page.url + shown)
            await page.close()


async def press_play(page: Page) -> None:
    """Tap the first places until a move is whole, and play it."""
    while not await page.locator(".ask button.primary").count():
        await page.locator(".board a.next").first.click()
    await page.locator(".ask button.primary").click()
    await page.wait_for_url("**?done=*")


def has_news(response: Response) -> bool:
    """Whether a look at the state of a page found that it is not the one that the page knows."""
    return response.url.endswith("/state") and response.status == 200


HURRY = "const wait = setTimeout; setTimeout = (work, delay) => wait(work, delay / 10)"


async def test_the_opponent_sees_the_move_by_itself(tmp_path: Path) -> None:
    async with play(GAMES["logger"], tmp_path) as club, serve(club) as base, launch() as browser:
        ann, bob = await browser.new_page(), await browser.new_page()
        await bob.add_init_script(HURRY)
        links = [find_link(club, who, "/act/").replace(PUBLIC_URL, base) for who in ("ann", "bob")]
        await ann.goto(links[0])
        await bob.goto(links[1])
        # What Bob reads stays open, and where it was.
        await bob.locator("summary").first.click()
        await bob.evaluate("scrollTo(0, 300)")
        await press_play(ann)
        bits = ann.locator("details", has_text="random bits").last
        assert "browser -" not in (await bits.text_content() or "")
        await bob.wait_for_selector(".board a", timeout=15_000)
        assert "Your turn" in await bob.title()
        assert await bob.locator("details").first.get_attribute("open") is not None
        assert await bob.evaluate("scrollY") == 300
        # Nothing appears below his finger while Bob puts a move together; a link says so, which
        # keeps the move so far.
        await bob.locator(".board a.next").first.click()
        begun = bob.url
        assert "?m=" in begun
        await ann.fill("textarea", "Hello Bob")
        await ann.get_by_role("button", name="Send").last.click()
        await bob.locator(".news a").wait_for(timeout=15_000)
        assert not await bob.get_by_text("Hello Bob").count()
        await bob.locator(".news a").click()
        await bob.get_by_text("Hello Bob").wait_for(timeout=15_000)
        assert bob.url == begun
        await bob.fill("textarea", "A half-written answer")
        # What Bob types stays while he does something else, and Ann says more.
        await bob.locator("textarea").blur()
        await ann.fill("textarea", "Are you there?")
        await ann.get_by_role("button", name="Send").last.click()
        for _ in range(2):  # the second look comes when the page would have been replaced
            async with bob.expect_response(has_news, timeout=15_000):
                pass
        assert await bob.locator("textarea").input_value() == "A half-written answer"
        await press_play(bob)
        moves = bob.locator("details", has_text="random bits").last
        assert "browser -" not in (await moves.text_content() or "")


async def test_nothing_is_cut_on_a_phone_at_twice_the_size(tmp_path: Path) -> None:
    async with play(GAMES["logger"], tmp_path) as club, serve(club) as base, launch() as browser:
        page = await browser.new_page(viewport={"width": 195, "height": 422})
        act = find_link(club, "ann", "/act/").removeprefix(PUBLIC_URL)
        for path in (act, "/learn/looney_ludo", "/fair-play"):
            await page.goto(base + path)
            for summary in await page.locator("summary").all():
                await summary.click()
            assert await page.evaluate("document.documentElement.scrollWidth") == 195, path
            for lesson in await page.locator(".task").all():
                assert await lesson.evaluate("box => box.scrollHeight <= box.clientHeight")


async def test_without_styles_no_empty_picture_is_shown(tmp_path: Path) -> None:
    async with play("", tmp_path) as club, serve(club) as base, launch() as browser:
        page = await browser.new_page()
        await page.goto(f"{base}/try/logger")
        await page.set_viewport_size({"width": 390, "height": 844})
        box = await page.locator(".board .shape").bounding_box()
        assert box is not None
        assert box["height"] > 300
        await page.route("**/*.css", lambda route: route.abort())
        await page.reload()
        assert await page.locator(".board .shape").bounding_box() is None


FIND_MIDDLES = """links => links.map(link => {
    const text = document.createRange();
    text.selectNodeContents(link);
    const box = text.getBoundingClientRect();
    return box.y + box.height / 2;
})"""


async def test_buttons_of_the_home_page_are_in_line(tmp_path: Path) -> None:
    async with play("", tmp_path) as club, serve(club) as base, launch() as browser:
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        await page.goto(base)
        middles = await page.locator(".tile .button, .tile .more-link").evaluate_all(FIND_MIDDLES)
        assert len(middles) == 8
        assert max(middles) - min(middles) <= 1
        footer, main = [await page.locator(name).bounding_box() for name in ("footer", "main")]
        assert footer is not None
        assert main is not None
        assert footer["x"] == main["x"]


CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


def list_violations(result: AxeResults) -> list[tuple[str, str]]:
    violations = result.response["violations"]
    return [(one["id"], one["nodes"][0]["target"]) for one in violations]


async def test_accessibility(tmp_path: Path) -> None:
    script = (
        f"{GAMES['logger']}ann replies\n    page\nann writes\n    new logger link\n"
        "bob replies\n    say Hello\n"
    )
    async with play(script, tmp_path) as club, serve(club) as base, launch() as browser:
        act = find_link(club, "ann", "/act/")
        code = act.removeprefix(f"{PUBLIC_URL}/act/").partition(".")[0].upper()
        links = [act, f"{act}?m=b1", f"{act}?m=nonsense", f"{act}?step=1"]
        links += [find_link(club, "ann", path) for path in ("/player/", "/join/")]
        links += [f"{PUBLIC_URL}{path}" for path in ("/", "/rules/logger", f"/view/{code}", "/no")]
        links += [f"{PUBLIC_URL}{path}" for path in ("/ratings", "/tournaments", "/fair-play")]
        links += [f"{PUBLIC_URL}/{path}" for path in ("try/looney_ludo", "learn/logan_stones")]
        links.append(club.received[-1].unsubscribe_page)
        context = await browser.new_context(
            viewport={"width": 390, "height": 844}, color_scheme="light", bypass_csp=True
        )
        page = await context.new_page()
        for link in links:
            await page.goto(link.replace(PUBLIC_URL, base))
            for summary in await page.locator("summary").all():
                await summary.click()
            assert not list_violations(await Axe().run(page)), link
            if link in links[:3]:  # all pages have the same colours
                await page.emulate_media(color_scheme="dark")
                assert not list_violations(await Axe().run(page, options=CONTRAST)), link
                await page.emulate_media(color_scheme="light")
