"""Where a new entry goes: the day's note, the notebook, or the pages that tell the agent how to
work."""

from datetime import datetime, timedelta, timezone

from clawgit.memory.rules.fact import worded
from clawgit.workspace.rules.routing import Target, route
from tests.each import for_each

NOW = datetime(2026, 2, 14, 9, 5, tzinfo=timezone(timedelta(hours=1)))


def path_of(text: str, tag: str = "") -> str:
    return route(*worded(text, tag), NOW).path


@for_each(
    "text, path",
    [
        ("Don’t forget to water the plants", "memory/2026-02-14.md"),
        ("TODO ask Ana about lunch", "memory/2026-02-14.md"),
        ("Recuerda la llave del sótano", "memory/2026-02-14.md"),
        ("Based in Berlin, married to Ana", "MEMORY.md"),
        ("Remember that Ana prefers tea", "MEMORY.md"),
        ("Ana is allergic to nuts", "MEMORY.md"),
        ("Remember this: we decided to use REST", "MEMORY.md"),
        ("How to restart the shop: make up", "MEMORY.md"),
        ("教训:先问再做", "AGENTS.md"),
        ("We decided: a lesson learned stays a lesson", "MEMORY.md"),
        ("The lessons are on Friday", "MEMORY.md"),
    ],
)
def test_the_words_say_where(text: str, path: str) -> None:
    assert path_of(text) == path


@for_each(
    "tag, path",
    [
        ("event", "memory/2026-02-14.md"),
        ("decision", "MEMORY.md"),
        ("skill", "AGENTS.md"),
        ("knowledge", "AGENTS.md"),
    ],
)
def test_a_tag_that_is_told_outweighs_the_words(tag: str, path: str) -> None:
    assert path_of("Lesson learned: ask first", tag) == path


def test_who_says_where_is_obeyed() -> None:
    assert route("Lesson learned: ask first #skill", "skill", NOW, "MEMORY.md").path == "MEMORY.md"
    assert route("Ana prefers tea", "knowledge", NOW, "TOOLS.md") == Target(
        "TOOLS.md", "Lessons", "Tools"
    )


@for_each(
    "text, heading",
    [
        ("Note to self: rotate the staging certificate", "09:05 - rotate the staging certificate"),
        ("Remember this", "09:05 - note"),
        ("Met Ana. Then lunch.", "09:05 - Met Ana…"),
    ],
)
def test_a_note_of_the_day_stands_under_its_time_and_subject(text: str, heading: str) -> None:
    assert route(text, "event", NOW) == Target("memory/2026-02-14.md", heading, "2026-02-14")
