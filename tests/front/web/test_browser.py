"""The page in a real headless Chromium. The short form runs in the suite where a browser is; the
long one, marked `browser`, by `make test-browser`.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Literal
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import move_in
from tests.front.web.browsing import Window, axe, browser, reading, window
from tests.front.web.memory import HOSTILE, Memory, remembered, waiting
from tests.front.web.serving import Page as Served
from tests.front.web.serving import served

AXE = os.environ.get("CLAWGIT_TEST_AXE", "")
Colours = Literal["light", "dark"]
COLOURS: tuple[Colours, ...] = ("light", "dark")
WIDTHS = (390, 800, 1440)
VIEWS = (
    "", "timeline", "soul", "memory", "search?q=boats&explain=1", "decide", "context?q=boats",
    "soul?file=identity", "memory?status=all", "search?q=nothing+at+all", "unlock",
)  # fmt: skip


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    folder = tmp_path_factory.mktemp("browser")
    with pytest.MonkeyPatch.context() as patch:
        move_in(folder / "home", patch)
        yield remembered(folder / "ws")


@pytest.fixture(autouse=True)
def _at_home(_hermetic: None, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every process lives where the workspace was made: there stands what its operator adopted."""
    home = memory.root.parent / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))


@pytest.fixture(scope="module")
def page(memory: Memory) -> Iterator[Served]:
    with served(memory.root) as running:
        yield running


@pytest.fixture(scope="module")
def full(memory: Memory) -> Memory:
    """The same, and all that can wait for the operator waits."""
    waiting(memory)
    return memory


def _views(memory: Memory) -> list[tuple[str, int]]:
    """Every page that there is, and its status."""
    *_, old, new = (row["sha"] for row in memory.does("soul", "log")["versions"][:1] * 2)
    return [
        *((view, 200) for view in VIEWS),
        (f"change/{memory.git.head()}", 200),
        (memory.entry("boats"), 200),
        (memory.entry("never *closed"), 200),
        (f"versions?a={old}^&b={new}", 200),
        ("memory?status=nonsense", 400),
        ("no/such/page", 404),
    ]


def _ours(memory: Memory, *words: str) -> None:
    """A process of an agent, which writes while somebody looks."""
    argv = [sys.executable, "-m", "clawgit", "-C", str(memory.root), *words]
    subprocess.run(argv, check=True, capture_output=True)


def test_somebody_reads_unlocks_rewords_and_takes_it_back(
    chromium: Browser, page: Served, memory: Memory
) -> None:
    """The short form: hostile memory is shown, and does nothing; a phone; a deed by keyboard; an
    agent's change comes in by itself.
    """
    with reading(chromium, page, viewport={"width": 390, "height": 800}) as reader:
        reader.unlocks(page, "memory")
        view = reader.page
        assert HOSTILE[0] in view.inner_text("main")
        assert reader.layout() == []
        view.get_by_text("The barge is called Gull.").click()
        view.locator("form[action$='do/edit'] textarea").fill("The barge is called Tern.")
        view.keyboard.press("Tab")
        view.keyboard.press("Enter")
        expect(view.locator("h1")).to_contain_text("Tern")
        assert reader.layout() == []
        assert "operator" in memory.git("log", "-1")
        assert "Taken back" in reader.does("undo")
        assert "Gull" in (memory.root / "MEMORY.md").read_text()
        reader.goes("timeline")
        _ours(memory, "memory", "add", "The ferry leaves at six.")
        expect(view.locator("main")).to_contain_text("The ferry leaves at six.")
        assert reader.layout() == []


@pytest.mark.browser
@pytest.mark.parametrize("colours", COLOURS)
def test_every_view_is_well_laid_out_and_open_to_all(
    chromium: Browser, page: Served, full: Memory, colours: Colours
) -> None:
    with reading(chromium, page) as reader:
        reader.page.emulate_media(color_scheme=colours)
        reader.unlocks(page)
        faults = [fault for view in _views(full) for fault in _faults(reader, *view)]
        assert not faults, "\n".join(faults)


def _faults(reader: Window, view: str, status: int) -> Iterator[str]:
    reader.goes(view, status)
    yield from _seen(reader, view)


def _seen(reader: Window, view: str) -> Iterator[str]:
    for wide in WIDTHS:
        reader.page.set_viewport_size({"width": wide, "height": 900})
        yield from (f"{view} at {wide}: {fault}" for fault in reader.layout())
    yield from (f"{view}: {fault}" for fault in axe(reader.page, Path(AXE)))


@pytest.mark.browser
def test_what_is_asked_for_is_as_harmless_as_what_is_remembered(
    chromium: Browser, page: Served, full: Memory
) -> None:
    with reading(chromium, page) as reader:
        for text in HOSTILE:
            for view in ("search?q=", "context?q=", "memory?tag=", "timeline?q="):
                reader.page.goto(reader.base + view + quote(text[:3000]))
                assert reader.layout() == [], view
        for row in full.does("log", "-n", "60")["commits"]:
            reader.goes(f"change/{row['sha']}")
        for row in full.does("memory", "list", "--file", "MEMORY.md")["entries"]:
            reader.goes(f"entry/{row['key']}")


@pytest.mark.browser
def test_a_file_of_the_page_does_nothing_either(
    chromium: Browser, full: Memory, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    _ours(full, "page", "--out", str(file))
    with window(chromium, file.as_uri()) as reader:
        reader.page.goto(file.as_uri())
        assert HOSTILE[0] in reader.page.inner_text("body")
        for colours in COLOURS:
            reader.page.emulate_media(color_scheme=colours)
            faults = [*_seen(reader, "file")]
            assert not faults, "\n".join(faults)


FORMS = (
    ("Gull", "edit", "The barge is called Tern."),
    ("", "undo", ""),
    ("crane", "correct", "The crane lifts ten tons."),
    ("pilot", "remove", ""),
    ("decide", "accept", ""),
    ("decide", "keep", ""),
    ("decide", "dismiss", ""),
    ("decide", "settle", "The office is in Oslo."),
    ("decide", "keep-a", ""),
    ("decide", "keep-b", ""),
    ("decide", "keep-both", ""),
    ("decide", "approve", ""),
)


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_each_form_is_a_commit_of_the_operator(
    chromium: Browser, tmp_path: Path, scripts: bool
) -> None:
    memory = remembered(tmp_path / "ws")
    waiting(memory)
    with (
        served(memory.root) as page,
        reading(chromium, page, java_script_enabled=scripts) as reader,
    ):
        reader.unlocks(page)
        for where, deed, text in FORMS:
            before = memory.git.head()
            if where:
                reader.goes(where if where == "decide" else memory.entry(where))
            assert reader.does(deed, text)
            made = memory.git("log", "--format=%b", f"{before}..").count("Clawgit-Op: operator/")
            assert (deed, made) == (deed, 1)
        reader.goes("decide")
        assert reader.does("reject", "Not now.")
        assert memory.does("soul", "proposals")["proposals"] == []
        reader.goes("")
        assert "Seen" in reader.does("seen")
        assert not [alert for alert in memory.does("status")["alerts"] if alert["id"]]


@pytest.mark.browser
def test_every_view_works_without_the_script(chromium: Browser, page: Served, full: Memory) -> None:
    with reading(chromium, page, java_script_enabled=False) as reader:
        for address, status in _views(full):
            reader.goes(address, status)
        view = reader.goes("")
        for name in ("Timeline", "Soul", "Memory", "Search", "Decide", "Context", "Today"):
            view.get_by_role("navigation").get_by_text(name, exact=True).click()
            assert view.inner_text("h1") == name
        view.fill("#q", "boats")
        view.keyboard.press("Enter")
        expect(view.locator("main")).to_contain_text("north harbour")


@pytest.mark.browser
def test_the_keyboard_is_enough(chromium: Browser, page: Served, full: Memory) -> None:
    with reading(chromium, page) as reader:
        reader.unlocks(page)
        view = reader.goes("timeline")
        press = view.keyboard.press
        press("Tab")
        assert view.evaluate("document.activeElement.className") == "skip"
        press("Enter")
        press("Tab")
        assert view.evaluate("!!document.activeElement.closest('main')")
        rows = [view.locator("article").nth(number) for number in range(2)]
        view.reload()
        for key, row in (("j", 0), ("j", 1), ("k", 0)):
            press(key)
            expect(rows[row]).to_be_focused()
        press("/")
        expect(view.locator("#q")).to_be_focused()
        view.keyboard.type("jku? boats")
        assert view.input_value("#q") == "jku? boats"
        press("Escape")
        press("?")
        expect(view.locator("body > footer")).to_be_in_viewport()
        press("u")
        view.wait_for_url(reader.base)
        _tabs_to(reader, "nav a[href$=memory]")
        press("Enter")
        view.wait_for_url("**/memory")
        view.locator(".rows a", has_text="harbour").focus()
        press("Enter")
        view.wait_for_url("**/entry/*")
        _tabs_to(reader, "form[action$='do/edit'] textarea")
        press("Control+A")
        view.keyboard.type("The boats lie in the west harbour.")
        press("Tab")
        press("Enter")
        expect(view.locator("h1")).to_contain_text("west harbour")
        assert full.entry("west harbour")


def _tabs_to(reader: Window, what: str) -> None:
    for _ in range(60):
        reader.page.keyboard.press("Tab")
        if reader.page.evaluate("what => document.activeElement.matches(what)", what):
            return
    pytest.fail(f"Tab never comes to {what}.")


@pytest.mark.browser
def test_nothing_moves_for_whoever_wants_no_motion(chromium: Browser, page: Served) -> None:
    moves = "[...document.querySelectorAll('*')].some(each => parseFloat(getComputedStyle(each).transitionDuration))"
    with reading(chromium, page, reduced_motion="reduce") as reader:
        assert not reader.goes("memory").evaluate(moves)
    with reading(chromium, page) as reader:
        assert reader.goes("memory").evaluate(moves)


@pytest.mark.browser
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_times_are_the_readers(chromium: Browser, page: Served, zone: str) -> None:
    with reading(chromium, page, timezone_id=zone) as reader:
        view = reader.goes("timeline")
        shown = view.locator("article time").first
        when = datetime.fromisoformat(shown.get_attribute("datetime") or "")
        there = when.astimezone(ZoneInfo(zone))
        assert f"{there:%H:%M}" in shown.inner_text()
        assert f"{there.day} {there:%B %Y}" in view.locator(".day h2").first.inner_text()


@pytest.mark.browser
def test_a_page_left_open_shows_news_and_keeps_what_is_typed(
    chromium: Browser, page: Served, full: Memory
) -> None:
    with reading(chromium, page) as reader:
        view = reader.goes("memory")
        view.evaluate("window.same = true")
        _ours(full, "memory", "add", "The tug leaves at seven.")
        expect(view.locator("main")).to_contain_text("The tug leaves at seven.")
        assert view.evaluate("window.same")
        view = reader.goes(full.entry("boats"))
        form = reader.form("edit", is_written=True).locator("textarea")
        form.fill("Half a sen")
        asked: list[str] = []
        view.on("request", lambda request: asked.append(request.url))
        _ours(full, "memory", "add", "The tug leaves at eight.")
        expect(view.locator("#news")).to_be_visible()
        for _ in range(2):
            with view.expect_response("**/head"):
                pass
        assert sum("search" in url for url in asked) == 1, "what is new is asked once"
        assert form.input_value() == "Half a sen"
        form.press_sequentially("tence")
        assert form.input_value().startswith("Half a sen")
        assert "tence" in form.input_value()
        view.route("**/head", lambda _: None)
        asked.clear()
        view.wait_for_timeout(3000)
        assert len(asked) <= 1, "a server that hangs is asked no second time"
