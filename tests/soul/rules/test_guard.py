"""The guard of the soul."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.tokens import estimate_tokens
from clawgit.git.rules.authority import Protected
from clawgit.soul.rules.guard import GuardVerdict, SoulEdit, SoulRules, contradicts, judge, weakened
from clawgit.talk.rules.corrections import Correction
from tests.each import for_each
from tests.strategies import ANY_TEXT

ASK = "- Ask before deleting files."
SOUL = f"""\
# SOUL.md: who you are

You begin every session blank.

## Core truths

- Be kind.
- Be brief.
{ASK}
- Say what you think.

## Boundaries

- Never share private data.
- Speak as yourself.
- Read twice.
- Answer once.
"""
THEN = datetime(2026, 2, 14, tzinfo=UTC)
SHIELD = (Protected(ASK, "kkkkkkkk", THEN),)
LATER = Correction(
    "llllllll",
    THEN + timedelta(days=1),
    correct="You need not ask before deleting files.",
    status="confirmed",
)
RULES = SoulRules(max_tokens=10_000)


def edit(after: str | None, before: str | None = SOUL, **fields: object) -> SoulEdit:
    return SoulEdit("SOUL.md", before, after, **fields)  # type: ignore[arg-type]


def refused(made: SoulEdit, rules: SoulRules = RULES) -> list[str]:
    """What is refused, and what of the operator's waits for him."""
    verdict = judge(made, rules)
    theirs = [found.rule for found in verdict.warnings if found.rule == "protected"]
    assert not theirs or verdict.hold or verdict.refusals
    return [found.rule for found in verdict.refusals] + theirs


def reworded(line: str, *, old: str = ASK) -> SoulEdit:
    return edit(SOUL.replace(old, line), protected=SHIELD)


def test_a_small_edit_passes_and_no_edit_says_nothing() -> None:
    assert judge(edit(SOUL.replace("Be brief.", "Be brief and clear.")), RULES) == GuardVerdict()
    assert judge(edit(SOUL), RULES._replace(policy="locked")) == GuardVerdict()


def test_a_soul_that_is_too_long_may_only_shrink() -> None:
    size = estimate_tokens(SOUL)
    rules = RULES._replace(max_tokens=size - 1)
    assert refused(edit(SOUL + "- More.\n"), rules) == ["size"]
    assert refused(edit(SOUL.replace("- Be brief.\n", "")), rules) == []
    assert refused(edit(SOUL.replace("Be brief.", "Be terse.")), rules) == ["size"]
    (found,) = judge(edit(SOUL + "- More.\n"), rules).refusals
    more = estimate_tokens(SOUL + "- More.\n")
    told = f"SOUL.md would have {more} tokens, more than soul_max_tokens ({size - 1})"
    assert found.message == told


def test_too_large_a_share_of_the_lines_is_refused_and_one_line_never_is() -> None:
    much = SOUL
    for word in ("Never share private data", "Speak as yourself", "Read twice", "Answer once"):
        much = much.replace(word, word.upper() + "!")
    (found,) = judge(edit(much), RULES).refusals
    assert (found.rule, found.message) == ("share", "this changes 4 lines of 12, more than 25%")
    assert refused(edit("- b\n", "- a\n")) == []


def test_limits_are_for_the_soul_and_not_for_what_comes_back_from_history() -> None:
    blank = "# IDENTITY.md\n\n- **Name:**\n- **Creature:**\n- **Vibe:**\n"
    filled = "# IDENTITY.md\n\n- **Name:** Pip\n- **Creature:** fox\n- **Vibe:**"
    made = SoulEdit("IDENTITY.md", blank, filled)
    assert judge(made, RULES._replace(max_tokens=1)) == GuardVerdict()
    both = SOUL.replace("Be brief.", "Be terse.").replace("Read twice.", "Read thrice.")
    assert refused(edit(both, restores=True), RULES._replace(max_tokens=1)) == []
    assert refused(edit(both.replace(ASK, ""), restores=True, protected=SHIELD)) == ["protected"]


def test_an_agent_may_write_a_first_soul_and_take_none_away() -> None:
    assert refused(edit(SOUL, None)) == []
    assert refused(edit(SOUL, None), RULES._replace(max_tokens=10)) == ["size"]
    assert refused(edit(None)) == ["deleted"]
    assert refused(edit(" \n")) == ["deleted"]
    assert refused(edit(SOUL.replace(ASK, ""), None, protected=SHIELD)) == ["protected"]


def test_the_policy_lets_an_agent_edit_propose_or_neither() -> None:
    small = edit(SOUL.replace("Be brief.", "Be terse."))
    review, locked = (
        judge(small, RULES._replace(policy=policy)) for policy in ("review", "locked")
    )
    assert (review.refusals, review.hold) == ((), True)
    assert ([found.rule for found in review.warnings], locked.hold) == (["policy"], False)
    assert [found.rule for found in locked.refusals] == ["policy"]


@for_each(
    "line",
    [
        "",
        "- Ask before deleting.",
        "- Ask after deleting files.",
        "- Usually ask before deleting files.",
        "- Ask before deleting files, unless in a hurry.",
        "- Ask before deleting files if possible.",
        "- Never ask before deleting files.",
        "- Don't ask before deleting files.",
        "- Ask before deleting large files.",
        "- Old rule: ask before deleting files.",
        "- Files ask before deleting.",
        "- ~~Ask before deleting files.~~",
        "<!-- Ask before deleting files. -->",
        "```\n- Ask before deleting files.\n```",
    ],
)
def test_an_agent_may_not_drop_or_weaken_a_protected_line(line: str) -> None:
    (found,) = weakened(reworded(line))
    told = "“Ask before deleting files.” comes from correction kkkkkkkk and is dropped or reworded"
    assert found.message == told
    assert "CORRECTIONS.md#<id>" in found.hint


@for_each(
    "line",
    ["* **Ask** before deleting files", "- Ask before deleting files. <!-- claw:m7k2q9 n=2 -->"],
)
def test_a_wording_that_keeps_all_of_it_passes(line: str) -> None:
    assert refused(reworded(line)) == []


def test_a_protected_line_may_move_but_not_under_a_heading_that_turns_it_round() -> None:
    without = SOUL.replace(f"{ASK}\n", "")
    assert refused(edit(without.replace("- Read", f"{ASK}\n- Read"), protected=SHIELD)) == []
    never = SOUL.replace("## Boundaries", "## Never")
    moved = never.replace(f"{ASK}\n", "").replace("- Read", f"{ASK}\n- Read")
    (found,) = weakened(edit(moved, never, protected=SHIELD))
    assert found.message.endswith("and is moved under “Never”")


def test_other_languages_are_left_as_they_are_or_asked_about() -> None:
    for old, new in (
        ("删除文件之前先询问。", "删除文件之前最好先询问。"),
        ("Pregunta antes de borrar.", "Pregunta siempre antes de borrar."),
        ("Спрашивай перед удалением.", "Спрашивай иногда перед удалением."),
    ):
        soul = SOUL.replace(ASK, f"- {old}")
        shield = (Protected(f"- {old}", "kkkkkkkk", THEN),)
        assert refused(edit(soul.replace(old, new), soul, protected=shield)) == ["protected"]
        assert refused(edit(soul.replace(f"- {old}", f"* **{old}**"), soul, protected=shield)) == []


@for_each(
    "correction, evidence, outcome",
    [
        (LATER, LATER.evidence, []),
        (LATER, "memory/2026-02-15.md#L3", ["protected"]),
        (LATER, "CORRECTIONS.md#zzzzzzzz", ["protected"]),
        (LATER._replace(status="open"), LATER.evidence, ["protected"]),
        (LATER._replace(time=THEN), LATER.evidence, ["protected"]),
        (LATER._replace(time=None), LATER.evidence, ["protected"]),
        (LATER._replace(correct="Billing uses PostgreSQL."), LATER.evidence, ["protected"]),
        (LATER._replace(correct="Never delete files without asking."), LATER.evidence,
            ["protected"]),
    ],
)  # fmt: skip
def test_only_a_newer_certain_correction_that_contradicts_it_lets_a_line_go(
    correction: Correction, evidence: str, outcome: list[str]
) -> None:
    dropped = edit(SOUL.replace(f"{ASK}\n", ""), protected=SHIELD, evidence=(evidence,))
    assert refused(dropped._replace(corrections=(correction,))) == outcome


@for_each(
    "correct, was, line, expected",
    [
        ("Answer in French.", "", "- Answer in English.", False),
        ("Answer in French.", "m7k2q9 Answer in English.", "- Answer in English.", True),
        ("Send mail on Sundays.", "", "- Never send mail on Sundays.", True),
        ("Never send mail on Sundays.", "", "- Never send mail on Sundays.", False),
        ("You no longer need to ask before deleting files.", "", ASK, True),
        ("Do not talk.", "", ASK, False),
        ("", "", ASK, False),
        ("Not that.", "", "-", False),
    ],
)
def test_what_contradicts_a_line(correct: str, was: str, line: str, expected: bool) -> None:
    assert contradicts(LATER._replace(correct=correct, was=was), line) is expected


WORDS = st.sampled_from(
    ["ask", "before", "deleting", "files", "share", "data", "never", "kind", "read", "mails"]
)
SENTENCE = st.lists(WORDS, min_size=2, max_size=5).map(" ".join)
LINES = st.lists(SENTENCE, min_size=4, max_size=9, unique=True)


@given(
    st.none() | ANY_TEXT,
    st.none() | ANY_TEXT,
    ANY_TEXT,
    st.sampled_from(["evolve", "review", "locked"]),
)
def test_it_never_fails_and_never_refuses_the_operator(
    before: str | None, after: str | None, line: str, policy: str
) -> None:
    rules = SoulRules(policy, max_tokens=3)
    for old, new in ((before, after), (f"{before}\n{line}", after), (before, f"{after}\n{line}")):
        cited = edit(new, old, protected=(Protected(line, "k", THEN),))._replace(
            evidence=(line, "CORRECTIONS.md#llllllll"),
            corrections=(LATER._replace(correct=line),),
        )
        verdict = judge(cited._replace(operator=True), rules)
        assert (verdict.refusals, verdict.hold) == ((), False)
        judge(cited, rules)


@given(LINES, st.data())
def test_dropping_a_protected_line_without_evidence_never_is(
    lines: list[str], data: st.DataObject
) -> None:
    gone = data.draw(st.integers(0, len(lines) - 1))
    rest = [line for number, line in enumerate(lines) if number != gone]
    before, after = ("\n".join(f"- {line}" for line in some) for some in (lines, rest))
    made = edit(after, before, protected=(Protected(f"- {lines[gone]}", "k", THEN),))
    assert {"protected", "deleted"} & set(refused(made))
