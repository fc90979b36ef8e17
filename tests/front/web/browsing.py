"""A real browser that looks at the page, and writes down whatever should not happen there."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    expect,
)
from playwright.sync_api import sync_playwright as playwright

from tests.front.web.conftest import CHROMIUM
from tests.front.web.serving import Page as Served

_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_REPORT = (
    "document.addEventListener('securitypolicyviolation',"
    " event => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))"
)
_PATIENCE = 30_000
"""Milliseconds: a busy machine is no fault of the page."""

_REFUSED = re.compile(r"Failed to load resource: the server responded with a status of (?:4\d\d)")
"""What a browser says of each answer that is an error page."""

# A page is laid out well if it needs no scrolling sideways and no two of its words, fields or
# pictures share a place. What lies in another one is no second thing.
_FAULTS = """() => {
  const found = [], over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) found.push(`scrolls ${over} px sideways`);
  const shown = each => each.checkVisibility() && !each.closest("svg") && getComputedStyle(each).clipPath === "none";
  const seats = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (!text.data.trim() || !shown(text.parentElement) || text.parentElement.closest("select, textarea")) continue;
    range.selectNodeContents(text);
    let cut = text.parentElement;
    while (cut && getComputedStyle(cut).overflowY === "visible") cut = cut.parentElement;
    const end = cut ? cut.getBoundingClientRect().bottom - 4 : Infinity;
    for (const box of range.getClientRects()) if (box.top < end) seats.push([box, text.parentElement, text.data.trim().slice(0, 40)]);
  }
  for (const each of document.querySelectorAll("input:not([type=hidden]), select, textarea, button, meter, svg"))
    if (each.checkVisibility()) seats.push([each.getBoundingClientRect(), each, each.outerHTML.slice(0, 60)]);
  seats.sort((a, b) => a[0].top - b[0].top);
  seats.forEach(([a, one, said], at) => {
    if (a.right > innerWidth + 1 || a.left < -1) found.push(`beyond the edge: ${said}`);
    for (let next = at + 1; next < seats.length && seats[next][0].top < a.bottom; next++) {
      const [b, other, too] = seats[next];
      if (one.contains(other) || other.contains(one)) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Lines of a paragraph share the air between them.
      if (wide > 2 && high > Math.min(a.height, b.height) / 2) found.push(`overlap: ${said} / ${too}`);
    }
  });
  return found.slice(0, 9);
}"""


class Window:
    """A browser of its own."""

    def __init__(self, context: BrowserContext, home: str) -> None:
        self.faults, self.base, self._home = list[str](), "", home
        context.set_default_timeout(_PATIENCE)
        context.add_init_script(_REPORT)
        self.page = context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        context.on("request", self._asked)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not _REFUSED.match(message.text):
            self.faults.append(f"console: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith(self._home):
            self.faults.append(f"left: {request.url}")

    def goes(self, view: str, status: int = 200) -> Page:
        answer = self.page.goto(self.base + view)
        assert answer is not None
        assert answer.status == status, self.page.inner_text("body")
        return self.page

    def unlocks(self, served: Served, back: str = "") -> "Window":
        """Makes this browser the operator's."""
        earlier = served.terminal.codes()
        self.goes(f"unlock?back={back}")
        self.page.fill("[name=code]", served.terminal.code(earlier + 1))
        self.page.click("main button")
        expect(self.page.locator("footer")).to_contain_text("You are the operator")
        return self

    def form(self, deed: str, *, is_written: bool = False) -> Locator:
        """The first form of a deed; the first with a field to write in, if asked for."""
        field = ":has(textarea)" if is_written else ""
        return self.page.locator(f"form[action$='do/{deed}']{field}").first

    def does(self, deed: str, text: str = "") -> str:
        """Fills in a form of this page and sends it; the line that says what was done."""
        form = self.form(deed, is_written=bool(text))
        if text:
            form.locator("textarea").fill(text)
        form.locator("button").click()
        expect(self.page.locator(".notice[role=status]")).to_be_visible()
        return self.page.inner_text(".notice[role=status]")

    def layout(self) -> list[str]:
        faults: list[str] = self.page.evaluate(_FAULTS)
        return faults


@contextmanager
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=_PATIENCE)
    with playwright() as engine:
        yield engine.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)


@contextmanager
def window(chromium: Browser, home: str, **options: Any) -> Iterator[Window]:
    """A window that shows what begins with `home`, in which nothing happens that should not."""
    context = chromium.new_context(**options)
    try:
        made = Window(context, home)
        yield made
        assert made.faults == []
        assert made.page.title() != "taken"
    finally:
        context.close()


@contextmanager
def reading(chromium: Browser, served: Served, **options: Any) -> Iterator[Window]:
    """A window that came in by a new address."""
    with window(chromium, f"http://127.0.0.1:{served.port}/", **options) as made:
        made.page.goto(served.terminal.address())
        made.base = made.page.url
        yield made


def axe(page: Page, script: Path) -> list[str]:
    """What axe-core finds that is serious or critical. It is put in from outside of the page, where
    the policy of the page does not hold.
    """
    session = page.context.new_cdp_session(page)
    session.send("Runtime.evaluate", {"expression": script.read_text("utf-8")})
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{fault['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
