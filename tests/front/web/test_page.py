"""The page, served at a terminal: who comes in, what is seen, what a form does."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.conftest import Git, move_in
from tests.each import for_each
from tests.front.web.serving import Page, ordered, served

SCRIPT = "<script>document.title='taken'</script>"
VIEWS = ["", "timeline", "soul", "memory", "search?q=boats", "decide", "context?q=boats"]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, molds: Path, homes: Path) -> Iterator[Path]:
    """A workspace with hostile memory; what the tests change is another entry each."""
    del homes
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        move_in(folder / "home", patch)
        git = Git(folder / "ws")
        (folder / "ws").mkdir()
        git("init", "-q")
        ordered(git.root, "init", str(git.root))
        git.write("memory/sightings.md", "".join(f"- Sail {n} was seen.\n" for n in range(150)))
        ordered(git.root, "snapshot")
        for line in LINES:
            ordered(git.root, "memory", "add", line)
        yield git.root


LINES = (
    "The boats lie in the north harbour.",
    "The crane lifts nine tons.",
    "The barge is called Gull.",
    f"A note says {SCRIPT} and [a link](javascript:alert(1)) and ![x](http://example.org/x.png).",
    "Reversed: \u202eabc, and hidden: a\u200bb, and wide: 漢字 עברית 🦞.",
    "word " * 400,
)


@pytest.fixture(scope="module")
def running(root: Path) -> Iterator[Page]:
    with served(root) as page:
        yield page


@pytest.fixture
def page(running: Page) -> Page:
    return Page(running.port, running.terminal).comes_in()


def test_an_address_is_spent_by_the_first_who_opens_it(running: Page) -> None:
    path = urlsplit(running.terminal.address()).path
    browser = Page(running.port, running.terminal)
    status, _, headers = browser.asks(path)
    assert (status, headers["Referrer-Policy"]) == (303, "no-referrer")
    assert headers["Cache-Control"] == "no-store"
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert f"Path={headers['Location']}" in cookie
    assert browser.asks(path)[0] == 403
    assert browser.asks(headers["Location"])[0] == 403
    assert browser.asks("/in/guessed")[0] == 403


@for_each("view", VIEWS)
def test_each_view_is_shown_and_lets_nothing_of_the_memory_act(page: Page, view: str) -> None:
    status, text, headers = page.asks(page.base + view)
    assert status == 200, text
    assert "default-src 'none'; script-src 'self'" in headers["Content-Security-Policy"]
    assert SCRIPT not in text
    assert "\u202e" not in text
    assert "\u200b" not in text
    assert 'href="javascript' not in text
    assert "<img" not in text
    assert not re.search(r" (?:style|on\w+)=", text)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "localhost"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
    ],
)
def test_what_comes_from_elsewhere_is_refused(
    page: Page, headers: dict[str, str], status: int
) -> None:
    assert page.asks(page.base, **headers)[0] == status
    assert page.asks(f"{page.base}do/undo", {}, **headers)[0] == status


def test_a_form_must_be_one_of_this_session(page: Page) -> None:
    page.unlocks()
    assert page.does(_entry(page, "crane"), "remove", key="other")[0] == 403
    assert page.asks(f"{page.base}do/undo", {})[0] == 403
    assert page.asks(f"{page.base}do/nothing", {})[0] == 403
    assert "crane" in page.sees("memory")


def test_who_only_has_the_address_may_read(page: Page, root: Path) -> None:
    before = Git(root).head()
    status, where = page.does(_entry(page, "crane"), "remove")
    assert (status, where.partition("?")[0]) == (303, f"{page.base}unlock")
    form = page.form(page.sees("unlock"), "unlock")
    assert page.asks(f"{page.base}unlock", form | {"code": "1"})[0] == 403
    assert Git(root).head() == before


def test_the_operator_rewords_and_takes_it_back_on_the_spot(page: Page, root: Path) -> None:
    page.unlocks()
    status, where = page.does(_entry(page, "Gull"), "edit", text="The barge is called Tern.")
    assert (status, where.startswith(f"{page.base}entry/")) == (303, True)
    git = Git(root)
    assert "Author: " in git("log", "-1")
    assert "operator" in git("log", "-1", "--format=%an %B").lower()
    assert "Tern" in (root / "MEMORY.md").read_text()
    # The script of another window may ask first; what was done is told to the one that follows.
    assert page.asks(where, **{"sec-fetch-mode": "cors"})[0] == 200
    status, _ = page.does(where.removeprefix(page.base), "undo")
    assert status == 303
    assert "Gull" in (root / "MEMORY.md").read_text()


def test_a_form_of_an_old_state_is_refused_and_loses_no_word(page: Page, root: Path) -> None:
    page.unlocks()
    view = _entry(page, "boats")
    form = page.form(page.sees(view), "edit")
    text = (root / "MEMORY.md").read_text()
    (root / "MEMORY.md").write_text(text.replace("north harbour", "south harbour"))
    ordered(root, "snapshot", "-m", "moved")
    status, told, _ = page.asks(
        f"{page.base}do/edit", form | {"text": "The boats lie in the west harbour."}
    )
    assert (status, "west harbour" in told, "south harbour" in told) == (409, True, True)
    assert "west harbour" not in (root / "MEMORY.md").read_text()


def test_entries_are_read_to_the_last_one(page: Page) -> None:
    view, seen = "memory?file=memory/sightings.md", []
    while view:
        text = page.sees(view)
        seen += re.findall(r"Sail (\d+) was seen", text)
        view = "".join(re.findall(r'rel="next" href="[^"]*/(memory[^"]*)"', text))
        view = unescape(view)
    assert seen == [str(n) for n in range(150)]
    assert "Sail 77 " in page.sees("memory?q=sail+77")
    assert "Sail 78 " not in page.sees("memory?q=sail+77")
    assert "crane" not in page.sees("memory?until=2000-01-01")


def test_today_says_in_words_who_changed_what(page: Page) -> None:
    text = page.sees("")
    assert re.search(r"Since yesterday: \d+ changes, .*by the agent", text)
    assert re.search(r"No .*conflicts.*settings to accept\.", text)
    assert "No runner is at work" in text


def test_what_is_new_is_counted_until_it_was_seen(page: Page, root: Path) -> None:
    news = '<a href="[^"]*timeline">([^<]*)</a></p>\n<main'
    assert not re.findall(news, page.sees("memory"))
    for word in ("bow", "stern", "keel"):
        ordered(root, "memory", "add", f"The {word} is oak.")
    time.sleep(1.1)
    assert re.findall(news, page.sees("memory")) == ["3 new changes"]
    assert re.findall(news, page.sees("search")) == ["3 new changes"]
    page.sees("timeline")
    assert not re.findall(news, page.sees("memory"))


def test_a_search_tells_what_it_did_not_find(page: Page) -> None:
    assert re.search(
        r'href="[^"]*/entry/\w+">The boats lie', page.sees("search?q=where+are+the+boats")
    )
    text = page.sees("search?q=xylophones+on+Mars")
    assert "Nothing in the memory answers this" in text or "The nearest:" in text
    assert "no text has: " in text


def test_too_much_is_refused(page: Page) -> None:
    assert page.asks(f"{page.base}do/edit", {"text": "x" * 300_000})[0] == 413
    assert page.asks(f"{page.base}no/such/page")[0] == 404
    assert page.asks(f"{page.base}static/..%2fapp.py")[0] == 404
    assert page.asks(f"{page.base}change/--help")[0] == 400
    assert page.asks(f"{page.base}memory?status=nonsense")[0] == 400


def test_a_page_for_reading_has_no_form_that_changes_anything(root: Path) -> None:
    with served(root, "--read-only") as page:
        page.comes_in()
        assert 'method="post"' not in page.sees(_entry(page, "crane"))
        assert page.asks(f"{page.base}unlock")[0] == 403


def test_what_an_agent_starts_is_for_reading(root: Path) -> None:
    argv = [sys.executable, "-m", "clawgit", "-C", str(root), "page"]
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        address = urlsplit(it.stdout.readline().strip())
        page: Any = Page(address.port or 0, None)  # type: ignore[arg-type]
        _, _, headers = page.asks(address.path)
        page.cookie, page.base = headers["Set-Cookie"].partition(";")[0], headers["Location"]
        assert page.asks(f"{page.base}unlock")[0] == 403
        assert 'method="post"' not in page.sees("decide")
        it.terminate()


def test_a_file_of_the_page_is_its_owners_and_asks_nobody(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    ordered(root, "page", "--out", str(file))
    text = file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert "default-src 'none'; style-src 'sha256-" in text
    assert SCRIPT not in text
    assert not re.search(r'(?:src|href)="(?!#)', text)
    assert {*re.findall(r'href="#([^"]*)"', text)} <= {*re.findall(r' id="([^"]*)"', text)}
    assert "<form" not in text
    assert "at most the newest 500 changes, 2,000 entries, 200 versions" in text
    assert re.search(r"and \d+ more lines", text)
    day = tmp_path / "day.html"
    ordered(root, "page", "--out", str(day), "--of", "today")
    assert "The crane lifts nine tons." in day.read_text()
    with pytest.raises(AssertionError):
        ordered(root, "page", "--out", str(root / "p.html"))
    assert not (root / "p.html").exists()


def _entry(page: Page, word: str) -> str:
    """The address of the entry that has a word."""
    rows = re.findall(r'href="[^"]*/(entry/\w+)">([^<]*)<', page.sees("memory"))
    return str(next(where for where, text in rows if word in text))
