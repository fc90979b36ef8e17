"""The memory of an agent in files: “上下文压缩(Compaction)”."""

import json

import pytest

from tests.seeds.conftest import Agent


def turn(number: int) -> list[dict[str, str]]:
    minute = f"2026-02-14T09:{number:02}:00Z"
    return [
        {"role": "user", "text": f"We decided to paint barn {number} in red oxide.", "time": minute},
        {"role": "assistant", "text": f"Barn {number} it is. " + "Rain on the roof. " * 40, "time": minute},
    ]  # fmt: skip


@pytest.fixture
def talk(adopted: Agent) -> Agent:
    lines = [json.dumps(each) for number in range(1, 9) for each in turn(number)]
    (adopted.root.parent / "talk.jsonl").write_text("\n".join(lines) + "\n")
    return adopted


def compact(talk: Agent, *more: str) -> tuple[str, str]:
    """What it prints, and all the summaries that are kept then."""
    said = talk("session", "compact", str(talk.root.parent / "talk.jsonl"), "--keep", "2", *more)
    notes = sorted((talk.root / "memory/summaries").glob("*.md"))
    return said, "".join(note.read_text() for note in notes)


def test_it_sums_up_the_first_turns_keeps_the_last_whole_and_saves_the_summary(talk: Agent) -> None:
    """Only printed where that is asked for; a later summary takes the place of the one before."""
    head = talk.git.head()
    assert compact(talk, "--dry-run")[1] == ""
    assert talk.git.head() == head
    printed, kept = compact(talk)
    assert "barn 3 in red oxide" in kept
    assert "barn 8" not in kept
    assert "Rain on the roof" not in kept
    assert "barn 8 in red oxide" in printed
    assert "sum up a session" in talk.git("log", "-1", "--format=%s")
    with (talk.root.parent / "talk.jsonl").open("a") as file:
        for number in range(9, 13):
            file.writelines(f"{json.dumps(each)}\n" for each in turn(number))
    _, after = compact(talk)
    assert len([*(talk.root / "memory/summaries").glob("*.md")]) == 1
    assert after != kept
    assert "barn 9 in red oxide" in after
