"""The Dockerfile of the runner, by rules of our own; `make test-dist` has hadolint look at it
too."""

import re
import shlex
from pathlib import Path

REPO = Path(__file__).parents[1]


def steps() -> list[tuple[str, str]]:
    """Instructions with their text, continued lines joined and comments left out."""
    lines = [
        line for line in (REPO / "Dockerfile").read_text().splitlines() if not line.startswith("#")
    ]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [
        (word, " ".join(rest.split()))
        for line in joined.splitlines()
        if line
        for word, _, rest in [line.partition(" ")]
    ]


def said(instruction: str) -> list[str]:
    return [rest for word, rest in steps() if word == instruction]


def test_its_images_have_a_version_and_it_runs_as_nobody_special() -> None:
    assert [re.search(r":\d+\.\d+", image) is not None for image in said("FROM")] == [True, True]
    assert said("USER")[-1] not in ("root", "0")
    assert [word for word, _ in steps()][-2:] == ["ENTRYPOINT", "CMD"]
    assert all(rest.startswith("[") for word in ("ENTRYPOINT", "CMD") for rest in said(word))


def test_what_it_copies_is_there_and_let_through() -> None:
    copied = [name for rest in said("COPY") for name in shlex.split(rest)[:-1]]
    passing = {
        line[1:]
        for line in (REPO / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    assert {*copied} == passing
    assert [name for name in copied if not (REPO / name).exists()] == []
