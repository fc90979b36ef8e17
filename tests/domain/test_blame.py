import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.domain.blame import BlamedLine, blame
from tests.domain.strategies import ANY_TEXT, versions


def origins(*texts: str) -> list[tuple[str, str, str]]:
    """Text, key and first key of each line of the last of some versions, oldest first and named v1, v2 …"""
    named = [(f"v{n}", text) for n, text in enumerate(texts, 1)]
    return [(line.text, line.key, line.first_key) for line in blame(reversed(named))]


def test_lines_are_counted_from_one() -> None:
    assert blame([("v1", "# A\n\n- b\n")]) == (
        BlamedLine(1, "# A", "v1", "v1"),
        BlamedLine(2, "", "v1", "v1"),
        BlamedLine(3, "- b", "v1", "v1"),
    )
    assert blame([]) == ()
    assert blame([("v1", "")]) == ()


def test_each_line_belongs_to_the_version_that_brought_it() -> None:
    assert origins("- tea\n", "- tea\n- milk\n", "- sugar\n- tea\n- milk\n") == [
        ("- sugar", "v3", "v3"),
        ("- tea", "v1", "v1"),
        ("- milk", "v2", "v2"),
    ]


def test_a_reworded_line_keeps_its_first_version() -> None:
    """What makes an operator's principle theirs after an agent has put it in other words, twice."""
    assert origins(
        "# Soul\n",
        "# Soul\n- Ask before deleting files.\n",
        "# Soul\n- Always ask before deleting any files.\n",
        "# Soul\n- Always ask your human before deleting any files.\n- Smile.\n",
    ) == [
        ("# Soul", "v1", "v1"),
        ("- Always ask your human before deleting any files.", "v4", "v2"),
        ("- Smile.", "v4", "v4"),
    ]


def test_letters_tell_what_words_do_not() -> None:
    assert origins("- Ask before deleting files.\n", "- Asking before a file is deleted.\n")[0][1:] == ("v2", "v1")


def test_other_words_in_its_place_are_another_line() -> None:
    assert origins("- The cat is called Momo.\n", "- Ask before deleting files.\n")[0][1:] == ("v2", "v2")


def test_a_line_that_was_moved_is_the_same_line() -> None:
    assert [
        one[1:] for one in origins("- tea one\n- milk two\n- sugar three\n", "- sugar three\n- tea one\n- milk two\n")
    ] == [("v1", "v1")] * 3


def test_a_line_that_comes_back_keeps_its_first_version() -> None:
    there, gone = "# Soul\n- Ask before deleting files.\n", "# Soul\n"
    assert origins(there, gone, there)[1] == ("- Ask before deleting files.", "v3", "v1")
    assert origins(there, "", there) == [("# Soul", "v3", "v1"), ("- Ask before deleting files.", "v3", "v1")]


def test_a_line_that_comes_back_reworded_is_followed_beyond_its_return() -> None:
    first = "- Ask before deleting files.\n"
    second = "- Ask before deleting any files.\n"
    assert origins(first, second, "- Smile.\n", second)[0][1:] == ("v4", "v1")


def test_two_equal_lines_come_back_to_two() -> None:
    twice = "- same words\n- same words\n"
    assert [one[1:] for one in origins("- same words\n", "x\n", twice)] == [("v3", "v1"), ("v3", "v3")]


def test_rules_and_blanks_do_not_come_back() -> None:
    assert origins("a\n---\n", "other\n", "b\n\n---\n")[2] == ("---", "v3", "v3")


def test_line_ends_are_no_change() -> None:
    assert origins("- tea\n- milk\n", "- tea\r\n- milk\r\n") == [("- tea", "v1", "v1"), ("- milk", "v1", "v1")]


def test_versions_are_asked_for_only_while_a_line_is_open() -> None:
    asked = []

    def walk() -> Iterator[tuple[str, str]]:
        for name, text in (("v3", "---\n"), ("v2", "words\n"), ("v1", "---\n")):
            asked.append(name)
            yield name, text

    assert blame(walk())[0].key == "v3"
    assert asked == ["v3", "v2"]


@settings(max_examples=80)
@given(st.lists(ANY_TEXT | versions().map(lambda texts: texts[1]), min_size=1, max_size=5))
def test_any_versions_can_be_blamed(texts: list[str]) -> None:
    found = blame((str(n), text) for n, text in enumerate(texts))
    lines = texts[0].replace("\r\n", "\n").split("\n")
    assert [line.text for line in found] == (lines if lines[-1] else lines[:-1])
    assert all(int(line.key) <= int(line.first_key) for line in found)
    for line in found:
        assert line.text in texts[int(line.key)].replace("\r\n", "\n").split("\n")


def test_a_text_that_never_changed_is_as_old_as_it_can_be() -> None:
    assert {line.key for line in blame((str(n), "- a\n\n- b\n") for n in range(9))} == {"8"}


@pytest.mark.parametrize("kind", ["appended", "reworded", "flapping"])
def test_five_hundred_versions_of_a_hundred_lines_take_a_moment(kind: str) -> None:
    """A loose bound: it takes a tenth of a second, and would take minutes if each line were compared with each."""
    lines = [f"- Principle {n} says what to do about matter {n * 7 % 97}." for n in range(100)]
    texts = []
    for n in range(500):
        now = lines[: 20 + n * 80 // 500] if kind == "appended" else list(lines)
        if kind == "reworded":
            now[n % 100] = f"- Principle {n % 100} says what to do about matter {n} now."
            lines = now
        if kind == "flapping" and n % 2:
            del now[10:90]
        texts.append("\n".join(now))
    began = time.perf_counter()
    found = blame((str(500 - n), text) for n, text in enumerate(reversed(texts)))
    assert len(found) == len(texts[-1].split("\n"))
    assert time.perf_counter() - began < 1.5
