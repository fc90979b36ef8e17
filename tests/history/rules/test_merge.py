import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.history.rules.align import cut
from clawgit.history.rules.merge import Merged, MergedFile, merge, merge_files
from clawgit.history.rules.weaving import MergeConflict
from tests.each import for_each
from tests.long_form import LONG_FORM
from tests.strategies import ANY_TEXT, Versions, versions

BASE = """\
# Memory

## Facts

- The sky is blue.
- Water is wet.

## Preferences

- Tea before noon.

Prose about preferences.
"""


def edited(*changes: tuple[str, str], text: str = BASE) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def lines_of(text: str) -> Counter[str]:
    """What a text says, line by line: without line ends, blank lines, rules, and claw comments,
    which merge apart."""
    visible = re.sub(r"[ \t]*<!-- claw:[^<>]*-->", "", text.removeprefix("\ufeff"))
    return Counter(line.rstrip("\r") for line in visible.split("\n") if line.strip("- \r\t\ufeff"))


@for_each(
    "old, mine, other",
    [
        ("- The sky is blue.", "- The sky is grey.", "- The sky is red."),
        ("Prose about preferences.", "Prose about likes.", "Something else."),
        ("## Facts", "## Truths", "## Lies"),
    ],
)
def test_two_changes_of_one_unit_are_a_conflict(old: str, mine: str, other: str) -> None:
    ours, theirs = edited((old, mine)), edited((old, other))
    merged = merge(BASE, ours, theirs)
    assert ours == merged.text
    [conflict] = merged.conflicts
    assert (old, mine, other) == conflict[1:4]
    assert mine == ours.split("\n")[conflict.line - 1]
    both = merge(BASE, ours, theirs, keep_both=True)
    assert both.text.index(mine) < both.text.index(other)
    assert merged.conflicts == both.conflicts


@for_each("keep_both", [False, True])
def test_changed_against_removed_is_a_conflict_and_changed_is_what_stays(keep_both: bool) -> None:
    changed = edited(("Water is wet", "Water is very wet"))
    removed = edited(("- Water is wet.\n", ""))
    conflict = MergeConflict("Facts", "- Water is wet.", "- Water is very wet.", None, 6)
    assert Merged(changed, (conflict,)) == merge(BASE, changed, removed, keep_both=keep_both)
    conflict = MergeConflict("Facts", "- Water is wet.", None, "- Water is very wet.", 5)
    expected = changed if keep_both else removed
    assert Merged(expected, (conflict,)) == merge(BASE, removed, changed, keep_both=keep_both)


def test_an_id_is_the_same_entry_however_reworded_and_moved() -> None:
    base = edited(("is blue.", "is blue. <!-- claw:k1 n=1 -->"))
    ours = edited(
        ("- The sky is blue. <!-- claw:k1 n=1 -->\n", ""),
        ("noon.\n", "noon.\n- Look up! <!-- claw:k1 n=1 -->\n"),
        text=base,
    )
    theirs = edited(("n=1", "n=2"), text=base)
    assert Merged(ours.replace("n=1", "n=2"), ()) == merge(base, ours, theirs)
    assert [*merge(base, theirs, ours).conflicts] == []
    assert merge(base, theirs, ours).text.count("Look up! <!-- claw:k1 n=2 -->") == 1


def test_comment_and_visible_text_are_two_parts() -> None:
    ours = edited(("is blue.", "is blue. <!-- claw:k1 n=2 -->"))
    theirs = edited(("sky is blue.", "sky is deep blue.\n  Mostly."))
    want = edited(("sky is blue.", "sky is deep blue.\n  Mostly. <!-- claw:k1 n=2 -->"))
    assert Merged(want, ()) == merge(BASE, ours, theirs)
    assert Merged(want, ()) == merge(BASE, theirs, ours)


def test_what_was_removed_stays_removed_when_the_other_side_moved_it() -> None:
    moved = edited(("- Water is wet.\n", ""), ("noon.\n", "noon.\n- Water is wet.\n"))
    removed = edited(("- Water is wet.\n", ""))
    assert Merged(removed, ()) == merge(BASE, moved, removed)
    assert Merged(removed, ()) == merge(BASE, removed, moved)


def test_a_heading_stays_over_what_the_other_side_wrote_under_it() -> None:
    base, more = BASE + "\n## New\n\n- n\n", BASE + "\n## New\n\n- n\n- m\n"
    assert Merged(BASE + "\n## New\n\n- m\n", ()) == merge(base, more, BASE)
    assert Merged(BASE + "\n## New\n\n- m\n", ()) == merge(base, BASE, more)


@for_each("end, newline", [("", "\n"), ("\n", "\r\n"), ("\n\n", "\n")])
def test_appends_of_both_sides_stand_on_lines_of_their_own(end: str, newline: str) -> None:
    base = f"- a{end.replace(chr(10), newline)}"
    ours, theirs = (f"{base.rstrip()}{newline}- {line}{newline}" for line in "bc")
    assert Merged(newline.join(["- a", "- b", "- c", ""]), ()) == merge(base, ours, theirs)


def units_of(text: str) -> Counter[tuple[str, str]]:
    return Counter((unit.id, unit.visible.replace("\r", "")) for unit in cut(text)[1:-1])


@given(versions(tight=False))
def test_keeping_both_loses_nothing(texts: Versions) -> None:
    base, ours, theirs = map(units_of, texts)
    kept = base - (base - ours) - (base - theirs)
    added = (ours - base) | (theirs - base)
    assert not (kept + added) - units_of(merge(*texts, keep_both=True).text)


@given(versions() | st.tuples(ANY_TEXT, ANY_TEXT, ANY_TEXT))
def test_keeping_both_loses_no_line_of_any_text(texts: Versions) -> None:
    """Here a line may be a block in one text and run into another block in the next, so lines are
    not counted."""
    base, ours, theirs = map(lines_of, texts)
    needed = (base - (base - ours) - (base - theirs)) | (ours - base) | (theirs - base)
    assert {*needed} <= {*lines_of(merge(*texts, keep_both=True).text)}


def test_files_that_are_not_there() -> None:
    old, new = b"- a\n", b"- a\n- b\n"
    assert MergedFile(None, ()) == merge_files(old, None, old) == merge_files(old, old, None)
    assert MergedFile(None, ()) == merge_files(old, None, None)
    assert MergedFile(b"- a\n- b\n- c\n", ()) == merge_files(None, new, b"- a\n- c\n")
    assert MergedFile(new, ()) == merge_files(None, None, new) == merge_files(None, new, None)
    conflict = MergeConflict("", "- a\n", None, "- a\n- b\n", 1)
    assert MergedFile(None, (conflict,)) == merge_files(old, None, new)
    assert MergedFile(new, (conflict,)) == merge_files(old, None, new, keep_both=True)
    for keep_both in (False, True):
        assert merge_files(old, new, None, keep_both=keep_both).data == new


def test_binary_files_merge_as_a_whole() -> None:
    assert MergedFile(b"\0new", ()) == merge_files(b"\0old", b"\0old", b"\0new")
    merged = merge_files(b"\0old", b"\0ours", b"theirs")
    assert (merged.data, len(merged.conflicts)) == (b"\0ours", 1)
    assert merge_files(b"\0old", b"\0ours", b"theirs", keep_both=True).data == b"theirs"


@pytest.mark.parametrize("size", [2_000, pytest.param(20_000, marks=LONG_FORM)])
@pytest.mark.parametrize("scattered", [True, False])
def test_a_long_list_is_merged(scattered: bool, size: int) -> None:
    """`scattered`: one side is written anew, line by line."""
    lines = [
        f"- Fact {n} of the long list, asked for and told at length, see {n * 7 % 1000}.\n"
        for n in range(size)
    ]
    theirs = [*lines[:50], "- new\n", *lines[51:]]
    ours = (
        [f"- {n * 17 % 9973} {n * 31 % 9967}\n" for n in range(size)] if scattered else lines[500:]
    )
    merged = merge("".join(lines), "".join(ours), "".join(theirs), keep_both=True)
    assert "- new\n" in merged.text


ADDED = st.lists(
    st.sampled_from(
        [f"- {who} append {n} of this storm" for who in ("foreign", "ours") for n in range(4)]
    ),
    unique=True,
)


@given(ADDED, ADDED, ADDED, st.booleans())
def test_a_line_that_no_side_has_twice_stands_once(
    old: list[str], mine: list[str], other: list[str], again: bool
) -> None:
    """Lines that read alike are taken for each other's rewording; two wrong guesses must not write
    one twice."""
    base, ours, theirs = (
        "# Memory\n\n- Kept.\n" + "".join(f"{line}\n" for line in part)
        for part in (old, mine, other)
    )
    merged = lines_of(merge(base, ours, theirs, keep_both=True, again=again).text)
    assert [line for line, count in merged.items() if count > 1] == []


@given(ADDED, ADDED, st.integers(0, 3), st.sampled_from(["", "## New\n\n", "# Another\n\n"]))
def test_what_is_merged_again_stands_once_under_whichever_heading(
    old: list[str], added: list[str], at: int, heading: str
) -> None:
    """Ours holds what theirs added, or a part of it, and a heading of ours between."""
    added = [line for line in added if line not in old]
    base = "# Memory\n\n- Kept.\n" + "".join(f"{line}\n" for line in old)
    theirs = base + "".join(f"{line}\n" for line in added)
    ours = f"{base}\n{heading}- Ours alone.\n" + "".join(f"{line}\n" for line in added[:at])
    merged = merge(base, ours, theirs, keep_both=True, again=True).text
    assert lines_of(merged) == lines_of(ours) | lines_of(theirs)
    assert merge(base, merged, theirs, keep_both=True, again=True).text == merged
