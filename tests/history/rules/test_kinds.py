"""Each kind of file has rules of its own; and whatever stands twice or is renamed, nothing is lost,
nothing doubled, nothing comes back, whichever side is ours."""

from clawgit.core.markdown.decoding import has_conflict_markers
from clawgit.history.rules.memory import Joined, merge_memory
from clawgit.soul.rules.changelog import END, START
from tests.each import for_each


def merged(path: str, base: str, ours: str, theirs: str) -> str:
    """The result, which is the same from either side and no conflict."""
    joined = merge_memory(path, base.encode(), ours.encode(), theirs.encode())
    assert merge_memory(path, base.encode(), theirs.encode(), ours.encode()) == joined
    assert not joined.conflict
    return (joined.data or b"").decode()


def correction(ident: str, time: str, status: str = "open", embedded: str = "no") -> str:
    return (
        f"## {ident} · {time}\n\n- Trigger: {ident} was wrong.\n"
        f"- Re-embedded: {embedded}\n- Status: {status}\n"
    )


TITLE = "# CORRECTIONS.md\n\n"
OLD = correction("mold23", "2026-02-01T10:00:00+00:00")


def test_fields_of_one_section_join_and_the_decision_wins() -> None:
    answered = OLD.replace("open", "confirmed")
    embedded = OLD.replace("Re-embedded: no", "Re-embedded: yes")
    both = answered.replace("Re-embedded: no", "Re-embedded: yes")
    assert TITLE + both == merged("CORRECTIONS.md", TITLE + OLD, TITLE + answered, TITLE + embedded)
    routed = OLD.replace("open", "routed")
    assert TITLE + answered == merged(
        "CORRECTIONS.md", TITLE + OLD, TITLE + answered, TITLE + routed
    )


def test_two_machines_that_note_the_same_a_moment_apart_note_it_once() -> None:
    earlier, later = (
        f"{TITLE}## vavzcm · 2026-03-02T07:00:0{second}+00:00\n\n- A: 9:30. (MEMORY.md:4)\n"
        "- B: 10:00. (MEMORY.md:5)\n- Outcome: flagged for the operator\n"
        for second in "05"
    )
    once = merged("CONFLICTS.md", TITLE, earlier, later)
    assert once in (earlier, later)
    settled = later.replace("flagged for the operator", "A stays")
    assert merged("CONFLICTS.md", earlier, settled, later) == settled


def test_a_section_that_was_archived_goes_and_a_changed_one_stays_whole() -> None:
    changed = OLD.replace("open", "confirmed")
    more = correction("mnew23", "2026-02-05T10:00:00+00:00")
    assert TITLE + more == merged("CORRECTIONS.md", TITLE + OLD, TITLE, TITLE + OLD + "\n" + more)
    assert TITLE + changed == merged("CORRECTIONS.md", TITLE + OLD, TITLE, TITLE + changed)


@for_each("mark", ["## {}:00 - talk\n\n- At {}.\n", "- {}:00 At the desk.\n"])
def test_a_daily_log_joins_in_time_order(mark: str) -> None:
    joint = "\n" if mark.startswith("#") else ""
    notes = {hour: mark.replace("{}", hour) for hour in ("08", "09", "10", "11", "12")}
    base, ours, theirs, want = (
        "# 2026-02-14\n\n" + joint.join(notes[hour] for hour in hours.split())
        for hours in ("08", "08 09 11", "08 10 12", "08 09 10 11 12")
    )
    path = "memory/2026-02-14.md"
    assert want == merged(path, base, ours, theirs)
    assert "01:00" in merged(path, base, ours.replace("11:00", "01:00"), theirs)


SOUL = "# Soul\n\n## Tone\n\n- Be kind.\n- Be brief.\n\n## Limits\n\n- Never lie.\n"


@for_each("path", ["SOUL.md", "IDENTITY.md", "agents/ben/SOUL.md", "CONFIG.md"])
def test_a_true_conflict_of_the_soul_stays_one(path: str) -> None:
    ours, theirs = (SOUL.replace("brief", word).encode() for word in ("short", "long"))
    for mine, other in ((ours, theirs), (theirs, ours)):
        joined = merge_memory(path, SOUL.encode(), mine, other)
        assert joined.conflict
        assert joined.data
        assert has_conflict_markers(joined.data)
        upper, _, lower = joined.data.partition(b"=======")
        line = {ours: b"- Be short.", theirs: b"- Be long."}
        assert line[mine] in upper
        assert line[other] in lower
        assert b"- Never lie." in lower
    assert merge_memory(path, SOUL.encode(), None, ours) == Joined(ours, conflict=True)


@for_each(
    "ours, theirs",
    [
        (("- Be kind.\n- Be brief.", "- Shout."), ("- Be kind.\n- Be brief.", "- Whisper.")),
        (("## Tone\n\n- Be kind.\n- Be brief.\n\n", ""), ("Be brief", "Be short")),
        ((SOUL, "A pirate.\n"), (SOUL, "A monk.\n")),
        (("## Tone", "## Voice"), ("## Tone", "## Manners")),
    ],
)
def test_what_both_changed_in_one_section_is_never_decided(
    ours: tuple[str, str], theirs: tuple[str, str]
) -> None:
    sides = [SOUL.replace(*edit).encode() for edit in (ours, theirs)]
    for mine, other in (sides, sides[::-1]):
        joined = merge_memory("SOUL.md", SOUL.encode(), mine, other)
        assert joined.conflict
        assert joined.data
        assert has_conflict_markers(joined.data)
        for line in (*mine.splitlines(), *other.splitlines()):
            assert line in joined.data.splitlines() or line in SOUL.encode().splitlines()


def change(day: int, name: str) -> str:
    return f"### 2026-02-0{day} 10:00 UTC · {name} · agent\n\n- **Summary:** {name}"


def changelog(*changes: str, above: str = "# Mine\n") -> str:
    body = "\n\n".join(changes)
    return f"{above}\n{START}\n\n{body}\n\n{END}\n"


def test_a_changelog_keeps_what_its_author_wrote_and_the_longer_derived_part() -> None:
    base = changelog(change(1, "kkkkkkkk"))
    ours = changelog(change(3, "lllllllm"), change(1, "kkkkkkkk"), above="# Mine, ours\n")
    longer = [change(3, "lllllllk"), change(2, "mmmmmmmm"), change(1, "kkkkkkkk")]
    want = changelog(*longer, above="# Mine, ours\n")
    assert want == merged("CHANGELOG.md", base, ours, changelog(*longer))


NOTE = "# Memory\n\n- Ana drinks tea. <!-- claw:kana22 {} -->\n"


@for_each(
    "base, ours, theirs, want",
    [
        ("c=.9", "c=.8 n=3", "c=.95 n=2", "c=.95 n=3"),
        ("last=2026-02-01", "last=2026-02-03", "last=2026-02-02", "last=2026-02-03"),
        ("c=.9", "c=.9 ev=chat:1", "c=.9 ev=chat:2", "c=.9 ev=chat:1 ev=chat:2"),
        ("c=.9 ev=chat:1", "c=.9", "c=.9 n=2 ev=chat:1", "c=.9 n=2"),
        ("c=.9", "c=.9 status=archived", "c=.9 status=corrected", "c=.9 status=corrected"),
    ],
)
def test_facts_of_an_entry_are_joined(base: str, ours: str, theirs: str, want: str) -> None:
    texts = (NOTE.format(facts) for facts in (base, ours, theirs))
    assert NOTE.format(want) == merged("MEMORY.md", *texts)


def test_both_texts_stay_disputed_and_a_correction_wins() -> None:
    base = NOTE.format("c=.9")
    coffee, milk = (base.replace("tea", word) for word in ("coffee", "milk"))
    text = merged("MEMORY.md", base, coffee, milk)
    assert text.count("status=disputed") == 2
    assert text.count("by=kana22") == 1
    right = base.replace("tea.", "milk. #correction")
    text = merged("MEMORY.md", base, coffee, right)
    assert "milk. #correction <!-- claw:kana22 c=.9 -->" in text
    assert text.count("status=corrected by=kana22") == 1


@for_each("guess, told", [("coffee", "milk"), ("milk", "coffee")])
def test_of_two_texts_each_keeps_its_own_facts(guess: str, told: str) -> None:
    base = NOTE.format("c=.6 src=inferred")
    sides = base.replace("tea", guess), NOTE.format("c=.95").replace("tea", told)
    facts = {line.split()[3]: line for line in merged("MEMORY.md", base, *sides).splitlines()[2:]}
    assert " c=.6 src=inferred " in facts[f"{guess}."]
    assert " c=.95 status=disputed" in facts[f"{told}."]


def test_what_one_side_wrote_in_a_section_that_the_other_removed_is_not_decided() -> None:
    gone = SOUL.replace("## Tone\n\n- Be kind.\n- Be brief.\n\n", "")
    more = SOUL.replace("- Be brief.\n", "- Be brief.\n- Be bold.\n")
    for mine, other in ((gone, more), (more, gone)):
        assert merge_memory("SOUL.md", SOUL.encode(), mine.encode(), other.encode()).conflict
    theirs = SOUL.replace("- Never lie.\n", "- Never lie.\n- Never steal.\n")
    assert merged("SOUL.md", SOUL, gone, theirs) == gone + "- Never steal.\n"


NOTES = "notes/w.md"
WEEK = "# Week\n\n## Mon\n\n- standup\n- report\n\n## Tue\n\n- standup\n- call Ann\n"
DAYS = "# Week\n\n## Mon\n\n- ok\n- ok\n- fact\n\n## Tue\n\n- ok\n\n## Wed\n\n- call Ann\n"


def test_a_line_that_both_kept_stays_though_its_twin_was_removed_and_the_title_renamed() -> None:
    less = WEEK.replace("- standup\n- report", "- report")
    text = merged(NOTES, WEEK, less.replace("# Week", "# This week"), f"{less}- t\n")
    assert "## Tue\n\n- standup\n- call Ann\n- t\n" in text
    assert text.count("standup") == 1


def test_a_removed_section_does_not_come_back_with_a_renamed_title() -> None:
    ours = DAYS.replace("## Tue\n\n- ok\n\n", "")
    theirs = DAYS.replace("# Week", "# This week").replace("- ok\n- ok\n", "- ok\n")
    assert "## Tue" not in merged(NOTES, DAYS, ours, theirs)


def test_a_heading_of_a_log_stays_while_the_other_side_writes_under_it() -> None:
    base = "# Log\n\nHand-written.\n\n## Notes\n\nold\n"
    text = merged("CORRECTIONS.md", base, f"{base}\nnew of ours\n", "# Log\n\nHand-written.\n")
    assert text.index("## Notes") < text.index("new of ours")


def test_a_line_of_the_soul_that_one_moved_and_one_reworded_is_a_conflict() -> None:
    base = "# S\n\n## Do\n\n- share notes with anyone\n- z\n\n## Never\n\n- two\n"
    moved = base.replace("- share notes with anyone\n", "") + "- share notes with anyone\n"
    reworded = base.replace("with anyone", "with anyone at all")
    for sides in ((moved, reworded), (reworded, moved)):
        assert merge_memory("SOUL.md", *(text.encode() for text in (base, *sides))).conflict


def test_a_line_that_both_add_stands_once_under_a_heading_that_one_renamed() -> None:
    ours = WEEK.replace("- call Ann\n", "- call Ann\n- both say so\n")
    text = merged(NOTES, WEEK, ours, ours.replace("## Tue", "## Tuesday"))
    assert text == ours.replace("## Tue", "## Tuesday")
    theirs = WEEK.replace("## Tue", "## Tuesday").replace("- call", "- both say so\n- call")
    assert merged(NOTES, WEEK, ours, theirs).count("both say so") == 1


def test_where_both_drop_one_of_two_equal_lines_the_other_stands() -> None:
    base = "# M\n\n- a\n  - n\n\n## P\n\n- ok\n- ok\n- ships\n"
    ours = base.replace("- ok\n- ok\n", "- ok\n")
    theirs = ours.replace("# M\n\n", "# M\n\n- a\n  - n\n")
    assert merged(NOTES, base, ours, theirs) == theirs


def test_a_line_stays_under_its_heading_though_a_section_of_that_name_comes_above() -> None:
    base = "# M\n\n- a\n\n## Tue\n\n- b\n\n## Work\n"
    theirs = base.replace("- a\n", "- a\n\n## Work\n\n- new\n")
    assert merged(NOTES, base, f"{base}\n- c\n", theirs) == f"{theirs}\n- c\n"


def test_a_line_goes_under_no_title_that_was_another_ones() -> None:
    """Ours renamed the first section, has a new one of its old name, and removed an empty one."""
    base = "# M\n\n## Facts\n\n- b\n- c\n\n## People\n\n## Mon\n\n- d\n"
    ours = "# M\n\n## Facts again\n\n- b\n- c\n\n## Mon\n\n- d\n\n## Facts\n\n- e\n"
    text = merged(NOTES, base, ours, base.replace("## People\n", "## People\n\n- p\n"))
    assert "## People\n\n- p\n" in text
