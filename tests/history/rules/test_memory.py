"""What every merge of memory must hold, over random versions and random orders of meeting."""

from hypothesis import assume, given
from hypothesis import strategies as st

from clawgit.core.markdown.comment import DISPUTED
from clawgit.core.markdown.entry import new_problems
from clawgit.history.rules.memory import merge_memory
from tests.history.rules.machines import (
    EDITS,
    PATH,
    Commit,
    Entries,
    edited,
    memories,
    merged,
    met,
    said,
    written,
)
from tests.strategies import ANY_TEXT, Versions, versions

Said = dict[str, tuple[str, str]]


@st.composite
def triples(draw: st.DrawFn) -> Versions:
    memory = draw(memories())
    return written(memory), edited(memory, draw(EDITS), "a"), edited(memory, draw(EDITS), "b")


@given(triples())
def test_nothing_that_a_side_wrote_is_lost_and_nothing_comes_back(texts: Versions) -> None:
    base, ours, theirs = map(said, texts)
    result = said(merged(*texts))
    texts_left = {text for text, _ in result.values()}
    for side, other in ((ours, theirs), (theirs, ours)):
        for ident, (text, _) in side.items():
            if ident not in base or base[ident][0] != text:
                assert text in texts_left
        for ident, (text, _) in base.items():
            if ident not in side and other.get(ident, ("",))[0] in (text, ""):
                assert ident not in result


@given(triples() | versions() | st.tuples(ANY_TEXT, ANY_TEXT, ANY_TEXT))
def test_it_is_the_same_from_either_side_and_done_after_one_time(texts: Versions) -> None:
    base, ours, theirs = (text.replace("\0", "0").encode("utf-8", "replace") for text in texts)
    for path in (PATH, "memory/2026-02-14.md", "notes/any.md"):
        once = merge_memory(path, base, ours, theirs)
        assert once == merge_memory(path, base, theirs, ours)
        assert not once.conflict


FIELDS = st.lists(
    st.builds(
        "- {}: {}".format,
        *map(st.sampled_from, (["Name", "City", "10:30"], ["ash tree", "big oak", "dry elm"])),
    ),
    max_size=4,
).map("\n".join)


@given(FIELDS, FIELDS, FIELDS)
def test_no_value_of_a_label_is_lost_from_either_side(base: str, ours: str, theirs: str) -> None:
    once = merged(base, ours, theirs)
    assert once == merged(base, theirs, ours)
    was, here, there, now = (set(text.splitlines()) for text in (base, ours, theirs, once))
    assert (here | there) - was <= now
    assert now <= here | there


@given(triples())
def test_a_merge_is_valid_and_merging_again_changes_nothing(texts: Versions) -> None:
    base, ours, theirs = texts
    once = merged(base, ours, theirs)
    assert new_problems(PATH, base.encode(), once.encode()) == ()
    # What two settle differently is disputed as before, so that a third decision counts.
    assume(not settled_apart(*map(said, texts)))
    assert said(merged(base, once, theirs)) == said(once)
    assert said(merged(base, ours, once)) == said(once)


def settled_apart(base: Said, ours: Said, theirs: Said) -> bool:
    """Whether the sides have settled a dispute each in its own way."""
    for ident, (_, status) in base.items():
        versions = {status, *(side[ident][1] for side in (ours, theirs) if ident in side)}
        if status == DISPUTED and len(versions) > 2:
            return True
    return False


@given(st.data(), memories())
def test_machines_agree_in_whatever_order_they_meet(data: st.DataObject, memory: Entries) -> None:
    start = Commit(written(memory))
    names = "abcde"[: data.draw(st.integers(3, 5))]
    tips = [Commit(edited(memory, data.draw(EDITS), name), (start,)) for name in names]
    results = []
    for _ in range(2):
        now = list(tips)
        pairs = st.tuples(*[st.integers(0, len(names) - 1)] * 2)
        for here, there in data.draw(st.lists(pairs, max_size=6)):
            now[here] = met(now[here], now[there])
        # At last everybody pulls from everybody, and once more round.
        for _ in range(2):
            for at in range(len(now)):
                now[at] = met(now[at], now[at - 1])
        assert len({tip.text for tip in now[-2:]}) == 1
        results.append(said(now[-1].text))
    assert results[0] == results[1]


@given(triples())
def test_only_what_both_changed_is_written_anew(texts: Versions) -> None:
    base, ours, theirs = texts
    known = {line for text in texts for line in text.splitlines()}
    written_anew = [line for line in merged(base, ours, theirs).splitlines() if line not in known]
    for line in written_anew:
        ident = line.partition("claw:")[2].partition(" ")[0]
        rows = [[row for row in text.splitlines() if f"claw:{ident}" in row] for text in texts]
        assert len({found[0] if found else "" for found in rows}) > 2 or "by=" in line
