"""No pattern takes the square of a text's length: whoever sends a text decides what is in it."""

from collections.abc import Callable
from functools import partial
from time import process_time

from clawgit.core.markdown.entry import entries
from clawgit.core.markdown.excerpt import label_of
from clawgit.core.markdown.tag_table import comments_in
from clawgit.memory.rules.contradicting import unframed
from clawgit.memory.rules.overlaps import may_merge
from clawgit.talk.rules.deciding import Decision, decide
from clawgit.talk.rules.passages import _is_open, own
from clawgit.talk.rules.session_note import in_line
from tests.each import for_each

Reads = Callable[[str], object]


def decided(message: str, turn: str = "", entry: str = "Tea is at 8.") -> Decision:
    held = [*entries(f"- Tea {entry}", "MEMORY.md")]
    return decide(f"Tea {message}", turn, held, called=True, corrects=1.0)


@for_each("reads, sign", [
        (label_of, "."), (unframed, " #x"), (unframed, "“"), (in_line, "\\"),
        (partial(may_merge, "Tea"), "\n"), (_is_open, "("),
        (comments_in, "<!--"), (decided, "not 1 "), (own, "\t"), (own, "<a@b>"), (own, "14:00\nx\n"),
        (own, "12.03.26, 14:02: "),
        (lambda text: decided("No.", text), "tea 1 "), (lambda text: decided("No.", "", text), "1."),
    ])  # fmt: skip
def test_a_text_four_times_as_long_takes_about_four_times_as_long(reads: Reads, sign: str) -> None:
    reads("warm")
    short, long = (_seconds(reads, (sign * size)[:size]) for size in (5_000, 20_000))
    assert long < 8 * short + 0.05


def _seconds(reads: Reads, text: str) -> float:
    began = process_time()
    reads(text)
    return process_time() - began
