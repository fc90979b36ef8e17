"""`clawgit workspace`, `memory search --agent` and `digest`, as one call each."""

import json
from pathlib import Path

import pytest

from clawgit.front.cli.root import run
from tests.fleet import agent, allow

NOW = "2026-02-14T09:00:00+00:00"


class _Told:
    """What a call says on standard output, as text or as JSON."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> str:
        run([*map(str, arguments)])
        return self._capsys.readouterr().out

    def json(self, *arguments: object) -> dict[str, object]:
        found: dict[str, object] = json.loads(self(*arguments, "--json", "--now", NOW))
        return found


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> _Told:
    monkeypatch.setenv("CLAWGIT_SEARCH_MODE", "core")
    return _Told(capsys)


@pytest.fixture
def two(tmp_path: Path, told: _Told) -> tuple[Path, Path]:
    first, second = (
        agent(tmp_path / "first").root,
        agent(tmp_path / "second", "The harbor opens at six.").root,
    )
    for root in (first, second):
        told("workspace", "add", root.name, root)
    return first, second


def test_the_list_needs_no_workspace(
    told: _Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "no agents yet" in told("workspace", "list")


def test_another_agents_memory_is_refused_with_exit_1_and_opens_where_it_is_allowed(
    told: _Told, two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ask = ("-C", two[0], "memory", "search", "when does the harbor open", "--agent", "second")
    refused = told.json(*ask)
    assert refused["error"]["kind"] == "not_allowed"  # type: ignore[index]
    assert run([*map(str, ask)]) == 1
    capsys.readouterr()
    allow(agent(two[0], begun=False), f"allow_paths: ['{two[1]}']")
    found = told.json(*ask)["results"]
    assert [(hit["agent"], hit["citation"]) for hit in found] == [  # type: ignore[attr-defined]
        ("second", "second:MEMORY.md#L3-L3")
    ]
    assert told("-C", two[0], "memory", "get", "second:MEMORY.md", "--from", "3").startswith(
        "- The harbor"
    )
    assert "second:MEMORY.md:3" in told(*ask)
