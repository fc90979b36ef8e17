# ruff: noqa: INP001 - a script
"""Pictures of the page: the views of the demo's day, in a real browser, as the operator sees them.

`python docs/make_page.py [NAME …]` plays docs/demo.sh, serves its workspace with `clawgit page` at
a terminal, unlocks it with the code that appears there, and writes docs/page/*.webp: light, dark
and at the width of a phone. It needs Debian's chromium, or the one that CHROMIUM names, and
Playwright. To add a picture, add a row to VIEWS.
"""

import base64
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

if not __package__:  # run by its path
    sys.path.insert(0, str(Path(__file__).parents[1]))
from docs.make_screens import typed

FOLDER = Path(__file__).parent / "page"
DEMO = Path(__file__).parent / "demo.sh"
SCRATCH = Path(tempfile.gettempdir()) / "clawgit-page"
"""Always the same folder: its name may be in the pictures. If it is there already, that is an
error.
"""

NOW = "2026-02-16T09:00:00+01:00"
"""The morning on which the demo ends."""

_QUALITY, _SCALE = 60, 1.5


class Look(NamedTuple):
    """How a picture is taken: the end of its name, the size of the window, the colours."""

    suffix: str
    wide: int
    high: int
    colours: str


LOOKS = (
    Look("", 860, 720, "light"),
    Look("-dark", 860, 720, "dark"),
    Look("-phone", 390, 720, "light"),
)

VIEWS: dict[str, str] = {
    "today": "",
    "timeline": "timeline",
    "soul": "soul",
    "memory": "memory",
    "entry": "memory?tag=correction",
    "search": "search?q=what+do+we+cache+with&explain=on",
    "decide": "decide",
    "context": "context?q=What+do+we+cache+with%3F",
}
"""Name of a picture → where it is taken. `entry` is the first one that is listed there."""


class Terminal:
    """A terminal on which `clawgit page` runs. What it shows is waited for."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._text = descriptor, ""

    def new_address(self) -> str:
        os.write(self._descriptor, b"\n")
        return self.shows(r"(http://\S+)\r\n")

    def shows(self, pattern: str) -> str:
        """The first match from here on, which is then behind us."""
        while not (found := re.search(pattern, self._text)):
            self._text += os.read(self._descriptor, 65536).decode()
        self._text = self._text[found.end() :]
        return found[1]


@contextmanager
def _demo() -> Iterator[Path]:
    """The folder of the demo, played where the operator sits."""
    SCRATCH.mkdir()
    try:
        env = {**_environment(SCRATCH), "CLAWGIT_DEMO": str(SCRATCH / "demo")}
        said, code = typed(f"sh '{DEMO}'", SCRATCH, env)
        if code:
            raise SystemExit(said)
        yield SCRATCH / "demo"
    finally:
        shutil.rmtree(SCRATCH)


@contextmanager
def _served(home: Path) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    page = subprocess.Popen(
        ["clawgit", "page", "--no-open", "--now", NOW],
        cwd=home / ".openclaw" / "workspace", env=_environment(home), stdin=theirs, stdout=theirs,
        stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    try:
        terminal = Terminal(ours)
        terminal.shows(r"(http://\S+)\r\n")
        yield terminal
    finally:
        page.terminate()
        page.wait()
        os.close(ours)


def _environment(home: Path) -> dict[str, str]:
    """As for a new user: nothing of the caller's settings."""
    return {
        "HOME": str(home),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def _browser_of(browser: Browser, look: Look, terminal: Terminal) -> BrowserContext:
    """A browser that came in by an address of its own, and was unlocked."""
    context = browser.new_context(
        viewport={"width": look.wide, "height": look.high}, color_scheme=look.colours,
        timezone_id="Europe/Berlin", locale="en-GB", device_scale_factor=_SCALE,
    )  # fmt: skip
    page = context.new_page()
    page.goto(terminal.new_address())
    page.goto(page.url + "unlock")
    page.fill("input[name=code]", terminal.shows(r"there: (\d{4} \d{4})"))
    page.press("input[name=code]", "Enter")
    page.wait_for_url(re.compile(r"/$"))
    return context


def _pictures(page: Page, names: list[str]) -> Iterator[tuple[str, bytes]]:
    base = page.url
    for name in names:
        answer = page.goto(base + VIEWS[name])
        if not answer or not answer.ok:
            raise SystemExit(f"{name}: {page.inner_text('main')}")
        if name == "entry":
            page.click(".rows a")
            page.wait_for_url(re.compile("/entry/"))
        yield name, _picture(page)


def _picture(page: Page) -> bytes:
    """What the window shows. Playwright itself writes no WebP, which is a third of a PNG."""
    wire = page.context.new_cdp_session(page)
    taken = wire.send("Page.captureScreenshot", {"format": "webp", "quality": _QUALITY})
    return base64.b64decode(taken["data"])


def main() -> int:
    """Writes the pictures that are named, or all."""
    names = sys.argv[1:] or [*VIEWS]
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not chromium:
        raise SystemExit("The pictures need chromium: apt install chromium, or CHROMIUM=PATH.")
    FOLDER.mkdir(exist_ok=True)
    with _demo() as demo, _served(demo / "home") as terminal, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        for look in LOOKS:
            context = _browser_of(browser, look, terminal)
            for name, picture in _pictures(context.pages[0], names):
                (FOLDER / f"{name}{look.suffix}.webp").write_bytes(picture)
            context.close()
    sizes = [file.stat().st_size for file in FOLDER.iterdir()]
    print(f"{len(sizes)} pictures, {sum(sizes):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
