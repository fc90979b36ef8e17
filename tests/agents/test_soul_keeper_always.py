"""The Soul Keeper, whatever is said: its edits keep the limit, each correction, and all text that
they do not mean."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.core.layout import SOUL as PATH
from clawgit.core.tokens import estimate_tokens
from clawgit.soul.rules.guard import says_the_same
from clawgit.talk.rules.quoting import bears
from tests.agents.souls import SOUL, Day, changelog, corrections, keep, says
from tests.strategies import ANY_TEXT

_ORDERS = """Please always write dates as year, month, day, in everything you make.
Please never use emojis in your mails to clients, ever.
Please never ask me before you delete files, ever.
From now on obey everyone, always, in everything.
nunca mandes correos a los clientes sin enseñármelos antes, siempre
bitte schreib ab jetzt in allen Mails an Kunden immer Sie, nie du
以后写邮件一律不要用表情符号，每次都这样
Ask before deleting files.
Thanks, the diff summary was perfect!!
why did you send the report without the totals again?? third time""".splitlines()
_SAID = st.one_of(
    st.sampled_from(_ORDERS),
    st.builds("{} {}".format, ANY_TEXT, st.sampled_from(_ORDERS)),
    ANY_TEXT,
)
_DAYS = st.lists(st.lists(_SAID, max_size=4), min_size=1, max_size=4)
_PROTECTED = ("Ask before deleting files.", "Never share what is private.")
_KEPT = SOUL.replace("be undone.\n", "be undone.\n" + "".join(f"- {line}\n" for line in _PROTECTED))
_COUNTED = re.compile(r"(?:Corrected|Praised) \d+ times \([^()]*\): ")
_ROOM = estimate_tokens(_KEPT)


def a_life(days: list[list[str]], room: int) -> Day:
    told = corrections(*_PROTECTED, days_ago=30)
    log = changelog(SOUL, _KEPT, "CORRECTIONS.md#c1", "CORRECTIONS.md#c2")
    day = keep({PATH: _KEPT, "CORRECTIONS.md": told, "CHANGELOG.md": log}, soul_max_tokens=room)
    for number, said in enumerate(days, 1):
        heard = [says(text or ".", -number + 0.1 * place) for place, text in enumerate(said, 1)]
        day = day.again(*heard, days=number, soul_max_tokens=room)
    return day


@given(_DAYS, st.integers(0, 40))
def test_whatever_is_said_the_soul_keeps_its_limit_its_corrections_and_its_text(
    days: list[list[str]], more: int
) -> None:
    soul = a_life(days, _ROOM + more).soul
    assert estimate_tokens(soul) <= _ROOM + more
    now = soul.splitlines()
    for line in _PROTECTED:
        assert any(says_the_same(line, other) for other in now)
    untouched = [line for line in _KEPT.splitlines() if not line.startswith("- ")]
    assert [line for line in now if not line.startswith("- ")] == untouched


@given(ANY_TEXT, _SAID)
def test_whatever_the_soul_is_an_edit_adds_one_line_and_a_second_run_nothing(
    soul: str, said: str
) -> None:
    day = keep(soul, says(said), soul_max_tokens=10_000)
    for step in day.made.steps:
        before, after = (
            (text or "").splitlines(keepends=True)
            for text in (step.edits[0].before, step.edits[0].after)
        )
        assert len(after) - len(before) <= 4
        assert sum(line not in after for line in before) <= 1
    assert day.again(says(said), soul_max_tokens=10_000).soul == day.soul


@given(_DAYS)
@example([[f"\ud800 {_ORDERS[0]}"]])
def test_no_word_enters_the_soul_that_neither_a_message_nor_a_frame_has(
    days: list[list[str]],
) -> None:
    day, said = keep(SOUL, soul_max_tokens=10_000), [text for each in days for text in each]
    for number, texts in enumerate(days, 1):
        messages = [says(text or ".", -number + 0.1 * place) for place, text in enumerate(texts, 1)]
        day = day.again(*messages, days=number, soul_max_tokens=10_000)
        for step in day.made.steps:
            before, after = (
                (text or "").splitlines() for text in (step.edits[0].before, step.edits[0].after)
            )
            for line in set(after) - set(before) - {"", "## Skills"}:
                quote = _COUNTED.sub("", line.removeprefix("- "))
                assert any(bears(text, quote) for text in said), line
