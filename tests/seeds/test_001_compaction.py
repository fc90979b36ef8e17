"""The memory of an agent in files: “上下文压缩(Compaction)”."""

import json

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git


def turn(number: int) -> list[dict[str, str]]:
    minute = f"2026-02-14T09:{number:02}:00Z"
    return [
        {"role": "user", "text": f"We decided to paint barn {number} in red oxide.", "time": minute},
        {"role": "assistant", "text": f"Barn {number} it is. " + "Rain on the roof. " * 40, "time": minute},
    ]  # fmt: skip


@pytest.fixture
def talk(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    monkeypatch.setenv("CLAWGIT_NOW", "2026-02-14T17:00:00+00:00")
    monkeypatch.chdir(ws.root)
    assert run(["init", "--no-openclaw"]) == 0
    lines = [json.dumps(each) for number in range(1, 9) for each in turn(number)]
    (ws.root.parent / "talk.jsonl").write_text("\n".join(lines) + "\n")
    return ws


def compact(talk: Git, *more: str) -> str:
    file = str(talk.root.parent / "talk.jsonl")
    assert run(["session", "compact", file, "--keep", "2", *more]) == 0
    notes = sorted((talk.root / "memory/summaries").glob("*.md"))
    return "".join(note.read_text() for note in notes)


def test_it_sums_up_the_first_turns_keeps_the_last_whole_and_saves_the_summary(
    talk: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = compact(talk)
    printed = capsys.readouterr()
    assert "barn 3 in red oxide" in kept
    assert "barn 8" not in kept
    assert "Rain on the roof" not in kept
    assert "barn 8 in red oxide" in printed.out
    assert "summary: memory/summaries/2026-02-14-" in printed.err
    assert "sum up a session" in talk("log", "-1", "--format=%s")


def test_a_later_compaction_of_the_session_takes_the_place_of_the_summary(talk: Git) -> None:
    before = compact(talk)
    with (talk.root.parent / "talk.jsonl").open("a") as file:
        for number in range(9, 13):
            file.writelines(f"{json.dumps(each)}\n" for each in turn(number))
    after = compact(talk)
    assert len([*(talk.root / "memory/summaries").glob("*.md")]) == 1
    assert before != after
    assert "barn 9 in red oxide" in after


def test_only_printed_where_that_is_asked_for(talk: Git) -> None:
    head = talk("rev-parse", "HEAD")
    assert compact(talk, "--dry-run") == ""
    assert talk("rev-parse", "HEAD") == head
