"""The screens of a workspace that somebody has lived in for a week."""

from collections.abc import Iterator

import pytest

from tests.cli.lived import each, live, screen_of, too_wide
from tests.conftest import Git, move_in

COLUMNS = 80

FOR_PROGRAMS = {
    "chat export",
    "completion",
    "connect event",
    "schedule install",
    "session compact",
    "session prune",
}
"""Their answer is for a program, and nothing in it is broken."""

SCREENFUL = 24
LISTS = {
    "agent",
    "agent edit",
    "context",
    "digest",
    "help",
    "memory",
    "memory list",
    "memory organize",
    "soul changelog",
}
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
        yield {path: screen_of(path) for path in each()}


def test_no_line_runs_over_the_terminal(screens: dict[str, str]) -> None:
    wide = {path: too_wide(text, COLUMNS) for path, text in screens.items()}
    assert {path for path, lines in wide.items() if lines} <= FOR_PROGRAMS


def test_only_a_list_fills_more_than_a_screen(screens: dict[str, str]) -> None:
    long = {path for path, text in screens.items() if len(text.splitlines()) > SCREENFUL}
    assert long - FOR_PROGRAMS <= LISTS
