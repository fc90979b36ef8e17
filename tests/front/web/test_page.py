"""The page, served at a terminal: who comes in, what is seen, what a form does."""

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from clawgit.front.cli.root import run
from clawgit.front.web.app import OutdatedError, do
from clawgit.front.web.asking import ITEMS, Asker, seal
from clawgit.front.web.sessions import Session, Sessions
from clawgit.front.web.wording import Line, told
from clawgit.git.rules.word_diff import DiffPiece as Span
from tests.conftest import NOW, Git
from tests.each import for_each
from tests.front.web.serving import Page, begun, ordered, served
from tests.run.fleet.lab import Lab, lab, mold, server

SCRIPT = "<script>document.title='taken'</script>"
VIEWS = ["", "timeline", "soul", "memory", "search?q=boats", "decide", "context?q=boats"]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A workspace with hostile memory; what the tests change is another entry each."""
    with begun(tmp_path_factory.mktemp("page")) as git:
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


def soon(look: Callable[[], object], wanted: object) -> bool:
    """Whether it is so once the answers that the page keeps are asked for anew."""
    end = time.monotonic() + 10
    while (seen := look()) != wanted and time.monotonic() < end:
        time.sleep(0.05)
    return seen == wanted


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


def test_who_only_has_the_address_may_read_and_a_form_must_be_of_this_session(
    page: Page, root: Path
) -> None:
    before = Git(root).head()
    status, where = page.does(page.entry("crane"), "remove")
    assert (status, where.partition("?")[0]) == (303, f"{page.base}unlock")
    form = page.form(page.sees("unlock"), "unlock")
    assert page.asks(f"{page.base}unlock", form | {"code": "1"})[0] == 403
    page.unlocks()
    assert page.does(page.entry("crane"), "remove", key="other")[0] == 403
    assert page.asks(f"{page.base}do/undo", {})[0] == 403
    assert page.asks(f"{page.base}do/nothing", {})[0] == 403
    assert Git(root).head() == before
    assert "crane" in page.sees("memory")


def test_the_operator_rewords_and_takes_it_back_on_the_spot(page: Page, root: Path) -> None:
    page.unlocks()
    status, where = page.does(page.entry("Gull"), "edit", text="The barge is called Tern.")
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
    view = page.entry("boats")
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
    assert ">Fleet</a>" not in text
    assert "No database is named" in page.asks(f"{page.base}fleet")[1]


def test_what_is_new_is_counted_until_it_was_seen(page: Page, root: Path) -> None:
    news = '<a href="[^"]*timeline">([^<]*)</a></p>\n<main'
    assert not re.findall(news, page.sees("memory"))
    for word in ("bow", "stern", "keel"):
        ordered(root, "memory", "add", f"The {word} is oak.")
    assert soon(lambda: re.findall(news, page.sees("memory")), ["3 new changes"])
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


def test_a_page_that_is_open_where_git_is_damaged_fills_no_log(page: Page, root: Path) -> None:
    head = root / ".git/HEAD"
    whole = head.read_bytes()
    assert page.asks(f"{page.base}head")[0] == 200
    head.write_text("nonsense\n")
    is_told = soon(lambda: page.asks(f"{page.base}head")[0], 400)
    head.write_bytes(whole)
    assert is_told
    assert soon(lambda: page.asks(f"{page.base}head")[0], 200)
    assert not [*Path(os.environ["HOME"]).rglob("crash.log")]


def test_a_page_for_reading_has_no_form_that_changes_anything(root: Path) -> None:
    with served(root, "--read-only") as page:
        page.comes_in()
        assert 'method="post"' not in page.sees(page.entry("crane"))
        assert page.asks(f"{page.base}unlock")[0] == 403


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
    told = json.loads(ordered(root, "page", "--out", str(day), "--of", "today", "--json"))
    assert (told["file"], "500 changes" in told["holds"]) == (str(day), True)
    assert "The crane lifts nine tons." in day.read_text()
    with pytest.raises(AssertionError):
        ordered(root, "page", "--out", str(root / "p.html"))
    assert not (root / "p.html").exists()


# The fleet on the page, where there is one.


__all__ = ["lab", "mold", "server"]


def test_the_fleet_is_on_the_page(lab: Lab, ws: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["init", str(ws.root)]) == 0
    lab.add("coder")
    lab.query("UPDATE due SET trouble = 'It hangs <b>here</b>.'")
    monkeypatch.setenv("CLAWGIT_FLEET", lab.address.plain)
    with served(ws.root) as page:
        page.comes_in()
        text = page.sees("fleet")
        assert ">Fleet</a>" in page.sees("")
        assert "It hangs &lt;b&gt;here" in text
        lab.work_off()
        assert "It hangs" not in page.sees("fleet")


# What a form does to what is no longer as it was shown.


def test_what_was_changed_a_moment_ago_is_seen_before_a_form_does_anything() -> None:
    """Answers are kept; a form must not be judged by one of those."""
    said, done = {"id": "c1", "words": "Nine."}, list[list[str]]()

    def run(words: Sequence[str], as_operator: bool) -> str:
        if as_operator:
            done.append(list(words))
            return "{}"
        return json.dumps({"corrections": [said]})

    ask = Asker(run, mark=lambda: None)
    form = {"id": "c1", "seal": seal(ITEMS["correction"](ask, "c1"))}
    said["words"] = "Ten."
    with pytest.raises(OutdatedError):
        do(ask, "accept", form)
    assert not done
    said["words"] = "Nine."
    do(ask, "accept", form)
    assert done == [["corrections", "settle", "--accept", "--", "c1"]]


def test_a_form_of_yesterday_counts_although_confidence_has_decayed() -> None:
    shown = {"key": "k", "text": "Nine.", "confidence": 0.91}
    assert seal(shown | {"confidence": 0.9}) == seal(shown)
    assert seal(shown | {"text": "Ten."}) != seal(shown)


# Changes as sentences.


HEAD = "diff --git a/M.md b/M.md\n--- a/M.md\n+++ b/M.md\n@@ -1 +1 @@"


def lines(*rows: str) -> tuple[Line, ...]:
    patch = "\n".join([HEAD, *rows])
    [file] = told([{"path": "M.md", "status": "modified", "patch": patch}])
    return file.lines


def test_a_reworded_line_tells_the_words_that_went_and_came() -> None:
    spans = ("same", "Tea at "), ("dropped", "four"), ("added", "five"), ("same", ".")
    assert lines("-- Tea at four. <!-- claw:a b -->", "+- Tea at five. <!-- claw:a c -->") == (
        Line("reworded", tuple(Span(*span) for span in spans)),
    )


@for_each(
    "rows, kinds",
    [
        (["+- New."], ["added"]),
        (["-- Old one."], ["removed"]),
        (["-- The boat is red.", "+- Mira likes tea."], ["removed", "added"]),
        (["-- a b c d", "-- e f g h", "+- e f g i", "+- a b c e"], ["reworded", "reworded"]),
        (["-- One. <!-- claw:a n=1 -->", "+- One. <!-- claw:a n=2 -->"], []),
        (["-- One two.", "\\ No newline at end of file", "+- One two three."], ["reworded"]),
        (["+", "+  "], []),
        (["--- a rule", "+++ a ruler"], ["reworded"]),
    ],
)
def test_lines_are_paired_with_what_they_were(rows: list[str], kinds: list[str]) -> None:
    assert [line.kind for line in lines(*rows)] == kinds


# Who may look at the page, and who may change something there.


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now

    def goes_on(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_an_address_and_a_session_end(clock: Clock) -> None:
    sessions = Sessions(clock)
    late, session = sessions.new_address(), sessions.enter(sessions.new_address())
    assert session is not None
    clock.goes_on(minutes=16)
    assert sessions.enter(late) is None
    clock.goes_on(hours=11)
    assert sessions.find(session.key)
    clock.goes_on(hours=11)
    assert sessions.find(session.key, is_used=False), "a page that is only open"
    clock.goes_on(hours=2)
    assert sessions.find(session.key) is None


def test_who_shared_the_session_that_was_unlocked_is_not_the_operator(clock: Clock) -> None:
    sessions = Sessions(clock)
    shared = _session(sessions)
    code = str(sessions.new_code(shared))
    opened = sessions.unlock(shared, code)
    assert opened is not None
    assert {shared.key, shared.form_key}.isdisjoint({opened.key, opened.form_key})
    assert (shared.is_operator, opened.is_operator) == (False, True)
    assert sessions.find(opened.key) is opened
    assert sessions.unlock(shared, code) is None


def test_a_code_ends_after_a_while_after_a_few_tries_and_with_the_next(clock: Clock) -> None:
    sessions = Sessions(clock)
    late, guessed, replaced = (_session(sessions) for _ in range(3))
    code = str(sessions.new_code(guessed))
    for _ in range(5):
        assert sessions.unlock(guessed, "1") is None
    assert sessions.unlock(guessed, code) is None
    code = str(sessions.new_code(replaced))
    while sessions.new_code(replaced) == code:
        pass
    assert sessions.unlock(replaced, code) is None
    assert sessions.unlock(replaced, "") is None
    code = str(sessions.new_code(late))
    clock.goes_on(minutes=6)
    assert sessions.unlock(late, code) is None


def _session(sessions: Sessions) -> Session:
    made = sessions.enter(sessions.new_address())
    assert made is not None
    return made
