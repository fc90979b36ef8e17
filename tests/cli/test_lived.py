"""The screens of a workspace that somebody has lived in for a week."""

from collections.abc import Iterator

import pytest

from tests.cli.lived import WORDS, answer, doubled, live, screen_of
from tests.conftest import Git, move_in

COLUMNS = 80

SCREENFUL = 24
LISTS = {"context", "digest", "memory list"}
"""Those that may fill more than a screen: lists and texts that were asked for."""


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """What each command prints after that week."""
    folder = tmp_path_factory.mktemp("lived")
    with pytest.MonkeyPatch.context() as patch:
        move_in(folder / "home", patch)
        patch.setenv("COLUMNS", str(COLUMNS))
        ws = Git(folder / "ws")
        ws.root.mkdir()
        patch.chdir(ws.root)
        live(ws)
        yield {path: screen_of(path) for path in WORDS}


def test_only_a_list_fills_more_than_a_screen(screens: dict[str, str]) -> None:
    long = {path for path, text in screens.items() if len(text.splitlines()) > SCREENFUL}
    assert long <= LISTS


def test_a_sentence_stands_once_on_a_screen_of_hits(screens: dict[str, str]) -> None:
    assert doubled(screens["memory search"]) == []
    words = " ".join(screens["memory search"].split())
    assert words.count("Ana prepares the demo for the museum") == 1


def test_a_digest_tells_what_is_not_settled_and_no_more(screens: dict[str, str]) -> None:
    """What was only quoted settles nothing yet; the id of an entry is none of its words."""
    assert "### Corrected by the operator" not in screens["digest"]
    _, _, asked = screens["digest"].partition("### Waiting for the operator")
    rows = asked.partition("###")[0]
    assert "“”" not in rows
    assert "or “The rollers for the large Heidelberg press cost" in " ".join(rows.split())


def test_a_digest_at_a_terminal_has_no_signs_of_markdown_s_own(screens: dict[str, str]) -> None:
    assert "[decision" in screens["digest"]
    assert "\\[" not in screens["digest"]


def test_a_command_that_has_nothing_to_do_says_so(screens: dict[str, str]) -> None:
    silent = {path for path, text in screens.items() if not text.strip()}
    assert silent == set()


def test_an_undo_of_many_files_names_the_first(ws: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ws.root)
    ws.write("CONFIG.md", "# Config\n")
    ws.commit_all("adopted")
    for day in range(10, 29):
        ws.write(f"memory/2026-01-{day}.md", "# Day\n\n- Met a guest.\n")
    answer("snapshot")
    said = " ".join(answer("undo").split())
    assert said.startswith("Undid: memory/2026-01-10.md new")
    assert "memory/2026-01-28.md" not in said
