"""What an editor's stale save brings back into a notebook is what stands in the topic files."""

from functools import cache

from clawgit.core.markdown.comment import split
from clawgit.core.markdown.entry import entries
from clawgit.memory.rules.tidy import Tidied, tidy
from tests.each import for_each

FULL = "# Memory\n\n## Knowledge\n\n" + "".join(
    f"- Harbor ships crate {number} on day {number % 28 + 1}. "
    f"<!-- claw:aa{number:04} c=.6 last=2026-01-01 src=inferred -->\n"
    for number in range(260)
)


def tidied(text: str, topics: dict[str, str]) -> Tidied:
    return tidy(text, topics)


@cache
def shortened() -> Tidied:
    return tidied(FULL, {})


def without_ids(text: str) -> str:
    return "".join(split(line).visible for line in text.splitlines(keepends=True))


@for_each("as_saved", [str, without_ids, lambda text: text.replace("\n", "\r\n")])
def test_the_entries_that_come_back_are_in_no_file_twice(as_saved: object) -> None:
    assert callable(as_saved)
    first = shortened()
    moved = [*first.files.values()]
    assert len(first.moved) > 5
    again = tidied(as_saved(FULL), dict(first.files))
    texts = "\n".join([again.text, *(dict(first.files) | dict(again.files)).values()])
    kept = [split(entry.raw).visible.strip() for entry in entries(texts)]
    crates = [line for line in kept if "crate" in line]
    assert len(crates) == len(set(crates)) == 260
    assert {link for link in first.text.splitlines() if "→" in link} <= set(again.text.splitlines())
    assert moved == [again.files.get(path, text) for path, text in first.files.items()]


def test_an_entry_that_was_changed_in_the_editor_stays_and_is_not_doubled() -> None:
    first = shortened()
    gone = first.moved[0].text
    changed = gone.replace("ships", "loses")
    again = tidied(FULL.replace(gone, changed), dict(first.files))
    assert changed in again.text
    assert all(changed not in text for text in again.files.values())
