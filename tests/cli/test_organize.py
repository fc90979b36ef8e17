"""`memory organize` and `memory decay`, and the searches beside them, as they are typed."""

import json
from typing import Any

import pytest

from clawgit.cli.root import run
from tests.conftest import Git


@pytest.fixture
def here(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("CLAWGIT_NOW", "2026-03-20T09:00:00+00:00")
    monkeypatch.setenv("CLAWGIT_SEARCH_MODE", "core")
    ws.write("CONFIG.md", "# Config\n")
    ws.write(
        "memory/2026-03-01.md",
        "- [ ] Renew the zeppelin certificate\n- Billing uses PostgreSQL. #decision\n",
    )
    return ws


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run([*arguments]) == 0
    return capsys.readouterr().out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(said(capsys, *arguments, "--json"))


def test_it_shows_first_and_does_then(here: Git, capsys: pytest.CaptureFixture[str]) -> None:
    head = here.head()
    shown = said(capsys, "memory", "organize", "--dry-run")
    assert (
        "added       memory/structured/tasks.md  Renew the zeppelin certificate #knowledge\n"
        in shown
    )
    assert here.head() == head
    done = answer(capsys, "memory", "organize")
    assert (done["outcome"], done["commit"]) == ("done", here.head())
    assert done["changed"] == [
        "memory/INDEX.md",
        "memory/structured/general.md",
        "memory/structured/tasks.md",
    ]
    assert answer(capsys, "memory", "organize")["outcome"] == "nothing"
    assert answer(capsys, "memory", "decay", "--dry-run")["commit"] is None
    assert answer(capsys, "memory", "decay")["commit"] == here.head()
    assert said(capsys, "memory", "decay").startswith("nothing to do\n")
    [lesson] = answer(capsys, "memory", "search", "zeppelin", "--tag", "lessons")["results"]
    assert lesson["snippet"].startswith("Of 2026-March, 1 task ran out: certificate, renew")
    assert answer(capsys, "memory", "lessons", "extract", "--dry-run")["notes"] == [
        "No agent of OpenClaw lives here, so there are no transcripts to learn from."
    ]


def test_a_search_takes_a_kind_and_tells_what_it_read(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "memory", "organize")
    said(capsys, "memory", "decay")
    paths = [
        hit["path"]
        for hit in answer(capsys, "memory", "search", "zeppelin", "--archived", "--top", "9")[
            "results"
        ]
    ]
    assert "memory/structured/tasks.md" not in paths
    only = answer(capsys, "memory", "search", "zeppelin", "--category", "lessons")
    assert [hit["path"] for hit in only["results"]] == ["memory/lessons.md"]
    assert (
        run(["memory", "search", "which lessons about the zeppelin", "--smart", "--verbose"]) == 0
    )
    heard = capsys.readouterr()
    assert heard.out.startswith("memory/lessons.md:")
    assert (
        "understood from the question: category lessons, by rules; core: sqlite fts5; " in heard.err
    )
