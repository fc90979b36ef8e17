"""A file without forgotten words: entries go whole, other lines keep what else they say."""

from clawgit.history.rules.needle import Matcher, needle_of
from clawgit.history.rules.wiping import standings, wiped, wiped_bytes
from tests.each import for_each

WORDS = "the safe is behind the mirror"
MATCHER = Matcher([needle_of(WORDS)])


@for_each(
    "path, before, after",
    [
        ("MEMORY.md", f"- a\n- {WORDS} #x <!-- claw:abcdef -->\n- b\n", "- a\n- b\n"),
        (
            "MEMORY.md",
            f"- a\n- see: {WORDS}, they say\n  and more\n\n  yet more\n- b\n",
            "- a\n- b\n",
        ),
        ("memory/d.md", f"- a\n  - {WORDS}\n    - deep\n  - b\n", "- a\n  - b\n"),
        ("memory/d.md", f"# About {WORDS}\n\n- a\n", "# About [forgotten]\n\n- a\n"),
        ("memory/d.md", f"```\n- {WORDS}\n```\n", "```\n- [forgotten]\n```\n"),
        ("tool.py", f"x = '{WORDS}'\r\n", "x = '[forgotten]'\r\n"),
        ("MEMORY.md", "- the safe is open\n", "- the safe is open\n"),
    ],
)
def test_what_goes_and_what_stays(path: str, before: str, after: str) -> None:
    assert wiped(path, before, MATCHER) == after
    assert wiped(path, after, MATCHER) == after


def test_the_lines_are_told_before() -> None:
    text = f"# x\n\n- a\n- {WORDS}\n\nIt says {WORDS}.\n".encode()
    told = [(line.line, line.goes) for line in standings("MEMORY.md", text, MATCHER)]
    assert told == [(4, True), (6, False)]


def test_wide_text_stays_wide_and_what_is_no_text_is_emptied() -> None:
    wide = f"\ufeffa {WORDS} b".encode("utf-16-le")
    assert wiped_bytes("x.txt", wide, MATCHER).decode("utf-16-le") == "\ufeffa [forgotten] b"
    assert wiped_bytes("x.db", b"\x00\xff\x01" + WORDS.encode() + b"\x00\x02\x03", MATCHER) == b""
    assert wiped_bytes("x.db", b"\x00\xff\x01", MATCHER) == b"\x00\xff\x01"


def test_bytes_that_are_not_utf8_stay_as_they_are() -> None:
    data = b"\xe9 " + WORDS.encode() + b" \xff"
    assert wiped_bytes("x.txt", data, MATCHER) == b"\xe9 [forgotten] \xff"
