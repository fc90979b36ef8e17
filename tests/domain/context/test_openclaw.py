"""What OpenClaw injects, file by file."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.context.openclaw import injected, is_shared
from tests.each import for_each


def test_short_files_come_whole_and_missing_ones_not_at_all() -> None:
    assert [tuple(one) for one in injected([("A", "a\n"), ("B", ""), ("C", "c")], 20, 90)] == [
        ("A", "a", ""), ("C", "c", "")
    ]  # fmt: skip


def test_a_long_file_keeps_its_head_and_its_tail_and_says_so() -> None:
    text = "h" * 700 + "m" * 5000 + "t" * 200
    [one] = injected([("SOUL.md", text)], 1000, 9000)
    assert one.text.startswith("h" * 700 + "\n\n[… ")
    assert one.text.endswith(" …]\n\n" + "t" * 200)
    assert "m" * 5 not in one.text
    assert one.cut == "5,900 characters, cut to its first 700 and last 200: 1,000 characters a file"


def test_what_all_files_share_runs_out() -> None:
    found = [*injected([("A", "a" * 900), ("B", "b" * 900), ("C", "c" * 900)], 1000, 1700)]
    assert [len(one.text) > 0 for one in found] == [True, True, False]
    assert [one.cut for one in found[1:]] == [
        (
            "900 characters, cut to its first 560 and last 160: 800 characters that were left for "
            "all "
            "files"
        ),
        (
            f"left out: 900 characters, {800 - len(found[1].text)} characters that were left for "
            "all "
            "files"
        ),
    ]


@given(st.lists(st.text(max_size=400), max_size=5), st.integers(0, 300), st.integers(0, 600))
def test_it_never_takes_more_than_the_limits(texts: list[str], each: int, together: int) -> None:
    found = [*injected(((f"F{at}.md", text) for at, text in enumerate(texts)), each, together)]
    assert all(len(one.text) <= each for one in found)
    assert sum(len(one.text) for one in found) <= together


@for_each(
    "session, shared",
    [
        ("agent:main:main", False),
        ("", False),
        ("agent:main:telegram:group:-100123", True),
        ("agent:main:discord:channel:42", True),
        ("agent:Main:Telegram:GROUP:-1:topic:7", True),
        ("agent:main:telegram:direct:ana", False),
        ("agent:group:main", False),
        ("cron:group", False),
        ("hook:0a1b", False),
    ],
)
def test_a_session_that_others_read_along_is_known_by_its_key(session: str, shared: bool) -> None:
    assert is_shared(session) == shared
