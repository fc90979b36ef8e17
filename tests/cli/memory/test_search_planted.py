"""Text that looks planted only without its file: a search and `memory get` show it, and withhold
what the file's own judgement holds.
"""

import io
import json
from typing import Any

import pytest

from clawgit.cli.root import run
from clawgit.domain.markdown.item import items
from clawgit.domain.safety.masks import PLANTED, WITHHELD
from clawgit.domain.safety.planted import planted
from tests.conftest import NOW, Git
from tests.leaky import KEYS

BANNER = '<div class="tip" hidden>The deploy banner of the panel is read here.</div>'
HONEST = f"# Panel\n\nHow the banner is written:\n\n```html\n{BANNER}\n```\n"
"""In code, markup is shown to every reader, so it hides nothing."""

KEY = next(iter(KEYS.values()))
QUESTION = "deploy banner of the panel"


@pytest.fixture
def here(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A workspace with the honest page, in which an agent asks."""
    ws.write("CONFIG.md", "# Config\n")
    ws.write("memory/panel.md", HONEST)
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("CLAWGIT_NOW", NOW.isoformat())
    monkeypatch.setattr("sys.stdin", io.StringIO())
    return ws


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def hits(
    capsys: pytest.CaptureFixture[str], *more: str, question: str = QUESTION
) -> dict[str, Any]:
    """The best hit of each file."""
    found = answer(capsys, "memory", "search", question, *more)["results"]
    return {hit["path"]: hit for hit in reversed(found)}


def shown_of(hit: dict[str, Any]) -> str:
    """All the text of a hit."""
    return "\n".join(map(str, hit.values()))


def test_the_page_is_held_in_part_only_where_its_code_is_judged_alone() -> None:
    """What the tests below rest on."""
    assert planted(HONEST) == ()
    assert any(planted(item.text) for item in items("memory/panel.md", HONEST))


@pytest.mark.parametrize("more", [[], ["--full"]])
def test_a_search_shows_what_its_file_shows(
    here: Git, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    hit = hits(capsys, *more)["memory/panel.md"]
    assert BANNER in (hit["text"] or hit["snippet"])
    assert PLANTED not in hit["marks"]
    assert answer(capsys, "trust")["texts"] == []


def test_single_lines_are_read_as_their_file_shows_them(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    got = answer(capsys, "memory", "get", "memory/panel.md", "--from", "6", "--lines", "1")
    assert got["text"].strip() == BANNER


def test_a_secret_that_is_masked_in_it_makes_no_line_look_planted(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    """The mask, in brackets, would pass for something to be filled in."""
    url = f"https://finnhub.example/api/v1/quote?symbol=AAPL&token={KEY}"
    here.write("memory/stocks.md", f"# Stocks\n\n- The stock prices: {url}\n")
    found = answer(capsys, "memory", "search", "the stock prices")["results"]
    [hit] = [hit for hit in found if hit["path"] == "memory/stocks.md"]
    assert WITHHELD not in hit["snippet"]
    assert KEY not in hit["snippet"]
    assert "symbol=AAPL" in hit["snippet"]


def test_far_above_a_line_may_stand_what_acquits_it(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    here.write("memory/panel.md", HONEST.replace("```html\n", "```html\n" + "<p>row</p>\n" * 90))
    got = answer(capsys, "memory", "get", "memory/panel.md", "--from", "96", "--lines", "1")
    assert got["text"].strip() == BANNER


def test_a_comment_within_it_is_withheld_and_the_rest_shown(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cut out of its file, nothing tells that the comment stands in code."""
    here.write("memory/panel.md", HONEST.replace("hidden>", "hidden>\n<!-- a tip -->\n"))
    found = shown_of(hits(capsys, "--full")["memory/panel.md"])
    assert "a tip" not in found
    assert "The deploy banner of the panel" in found


@pytest.mark.parametrize("more", [[], ["--full"]])
def test_the_same_words_in_a_file_that_holds_them_are_withheld(
    here: Git, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    here.write("memory/mail.md", f"# Mail\n\nFrom a stranger:\n\n{BANNER}\n")
    found = hits(capsys, *more, question="deploy banner of the panel in the mail")
    assert BANNER not in shown_of(found["memory/mail.md"])
    assert found["memory/mail.md"]["marks"] == [PLANTED]
    [waits] = answer(capsys, "trust")["texts"]
    assert waits["path"] == "memory/mail.md"


def test_words_that_a_file_quotes_are_shown_there_and_withheld_where_they_are_planted(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    here.write("memory/panel.md", f"{HONEST}\n{BANNER}\n")
    assert BANNER in shown_of(hits(capsys)["memory/panel.md"])
    got = answer(capsys, "memory", "get", "memory/panel.md", "--from", "9", "--lines", "1")
    assert BANNER not in got["text"]


def test_a_context_shows_what_its_files_show_and_no_more(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("context", "--message", "What is the deploy banner of the panel?")

    def shown() -> str:
        return "\n".join(slot["text"] for slot in answer(capsys, *asked)["slots"])

    assert shown().count(BANNER) == 1
    here.write("memory/mail.md", f"# Mail\n\nFrom a stranger:\n\n{BANNER}\n")
    assert shown().count(BANNER) == 1


def test_short_headings_that_say_nothing_together_are_shown(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    here.write("memory/port.md", "# Port\n\n## North quay\n\n### Cranes\n\n#### Old\n\nIt broke.\n")
    [hit] = answer(capsys, "memory", "search", "it broke, the old crane", "-n", "1")["results"]
    assert hit["headings"] == ["Port", "North quay", "Cranes", "Old"]
