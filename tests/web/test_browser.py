"""The page in a real headless Chromium. The short form runs in the suite where a browser is; the
long one, marked `browser`, by `make test-browser`.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import move_in
from tests.web.browsing import Window, axe, browser, window
from tests.web.memory import HOSTILE, Memory, remembered, waiting
from tests.web.serving import Page as Served
from tests.web.serving import served

AXE = os.environ.get("CLAWGIT_TEST_AXE", "")
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
    with window(chromium, page, viewport={"width": 390, "height": 800}) as reader:
        view = reader.goes("memory")
        assert HOSTILE[0] in view.inner_text("main")
        for where in ("", "soul", "memory"):
            reader.goes(where)
            assert reader.layout() == [], where
        reader.unlocks("memory")
        view.get_by_text("The barge is called Gull.").click()
        view.locator("form[action$='do/edit'] textarea").fill("The barge is called Tern.")
        view.keyboard.press("Tab")
        view.keyboard.press("Enter")
        expect(view.locator("h1")).to_contain_text("Tern")
        assert "operator" in memory.git("log", "-1")
        assert "Taken back" in reader.does("undo")
        assert "Gull" in (memory.root / "MEMORY.md").read_text()
        reader.goes("timeline")
        _ours(memory, "memory", "add", "The ferry leaves at six.")
        expect(view.locator("main")).to_contain_text("The ferry leaves at six.")


@pytest.mark.browser
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_every_view_is_well_laid_out_and_open_to_all(
    chromium: Browser, page: Served, full: Memory, colours: str
) -> None:
    with window(chromium, page) as reader:
        reader.page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        reader.unlocks()
        faults = [fault for view in _views(full) for fault in _faults(reader, *view)]
        assert not faults, "\n".join(faults)


def _faults(reader: Window, view: str, status: int) -> Iterator[str]:
    reader.goes(view, status)
    for wide in WIDTHS:
        reader.page.set_viewport_size({"width": wide, "height": 900})
        yield from (f"{view} at {wide}: {fault}" for fault in reader.layout())
    yield from (f"{view}: {fault}" for fault in axe(reader.page, Path(AXE)))
