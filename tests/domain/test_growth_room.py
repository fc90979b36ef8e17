"""A principle's place in the soul, and room that is made by saying twice-said once."""

from datetime import UTC, datetime

import pytest

from clawgit.domain.growth import Growth, Sign, growths
from clawgit.domain.growth_room import lines, merged, merges, reinforced, said_already, with_principle, with_wording
from clawgit.domain.guard import Protected, SoulRules
from clawgit.domain.tokens import estimate_tokens
from tests.agents.souls import SOUL

RULES = SoulRules(estimate_tokens)
THEN = datetime(2026, 2, 13, tzinfo=UTC)


def growth(rule: str, kind: str = "ordered") -> Growth:
    return growths([Sign(kind, rule, THEN, "chat:main/1", rule)])[0]


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        ("Ask before deleting files.", "Ask before sending mail.", "Ask before deleting files and sending mail."),
        ("Never delete logs.", "Never delete mails.", "Never delete logs or mails."),
        ("Be brief.", "Always be brief.", "Always be brief."),
        ("Be brief.", "be brief!", "Be brief."),
        ("Be kind.", "Be brief.", ""),
        ("Do not use emojis.", "Never guess.", ""),
        ("**Ask before deleting.**", "**Ask before sending.**", ""),
    ],
)
def test_two_principles_are_one_where_one_line_says_all_of_both(one: str, other: str, text: str) -> None:
    assert merged(one, other) == text


def test_a_merge_stays_in_its_section_and_leaves_the_rest_byte_for_byte() -> None:
    soul = SOUL.replace("- Calm when", "- Ask before deleting files.\n- Ask before sending mail.\n- Calm when")
    (merge,) = merges(soul, RULES)
    assert merge.after == soul.replace(
        "- Ask before deleting files.\n- Ask before sending mail.\n", "- Ask before deleting files and sending mail.\n"
    )
    apart = SOUL.replace("- Calm", "- Ask before deleting files.\n- Calm").replace(
        "- Be kind", "- Ask before sending mail.\n- Be kind"
    )
    assert merges(apart, RULES) == ()


@pytest.mark.parametrize(
    ("rule", "behind"),
    [
        ("Ask before you delete files.", "- Prefer what can be undone."),
        ("Never guess.", "- Prefer what can be undone."),
        ("Do not use emojis.", "- Calm when it burns."),
        ("Run the tests before you push.", "- Finish what you begin."),
    ],
)
def test_a_principle_goes_to_its_like(rule: str, behind: str) -> None:
    assert with_principle(SOUL, growth(rule)) == SOUL.replace(f"{behind}\n", f"{behind}\n- {rule}\n")


def test_a_skill_goes_to_the_skills_with_the_day_of_its_proof() -> None:
    proven = growth("Deployed the blog to Netlify", "proven")
    assert with_principle(SOUL, proven) == f"{SOUL}\n- Deployed the blog to Netlify (2026-02-13).\n"
    bare = "# Me\n\n- Be kind.\n"
    assert with_principle(bare, proven) == f"{bare}\n## Skills\n\n- Deployed the blog to Netlify (2026-02-13).\n"


def test_a_soul_without_sections_and_one_with_others_has_a_place_too() -> None:
    assert with_principle("- Be kind.\r\n", growth("Never guess.")) == "- Be kind.\r\n- Never guess.\r\n"
    odd = "# A\n\n## One\n\ntext\n\n## Two\n\n* a b\n* c d\n"
    assert with_principle(odd, growth("Never guess.")) == f"{odd}- Never guess.\n"


def test_new_words_keep_marker_and_line_end() -> None:
    soul = "# A\r\n\r\n* Be kind.\r\n* Be brief.  \r\n"
    brief = lines(soul)[1]
    assert with_wording(soul, brief, "Always be brief.") == soul.replace("Be brief.", "Always be brief.")


def test_a_principle_is_reinforced_where_it_can_bind_more() -> None:
    assert reinforced("Show the diff first.") == "Always show the diff first."
    bound = ("Always ask first.", "Never guess.", "**Ask** first.", "名前。", "You may use emojis.")
    assert not any(map(reinforced, (*bound, "Never send a mail without showing the draft.")))


def test_of_two_lines_that_say_the_same_in_other_words_one_goes_and_never_a_protected_one() -> None:
    soul = SOUL.replace("- Calm", "- Never use emojis.\n- Calm").replace(
        "- Be kind", "- Do not use any emojis.\n- Be kind"
    )
    short, long = (next(line for line in lines(soul) if line.text.startswith(word)) for word in ("Never use", "Do not"))
    kept = [Protected(line.raw, "c1", THEN) for line in (short, long)]
    assert [merge.text for merge in merges(soul, RULES)] == [long.text]
    (merge,) = merges(soul, RULES, kept[:1])
    assert merge.after == soul.replace("- Do not use any emojis.\n", "")
    assert merges(soul, RULES, kept) == ()


@pytest.mark.parametrize(
    ("line", "rule", "holds"),
    [
        ("Do not use emojis.", "Stop using emojis in mails.", True),
        ("Ask before deleting files and sending mail.", "Ask before sending mail.", True),
        ("Never delete logs or mails.", "Never delete mails.", True),
        ("Check the invoices and the backups.", "Do not check the backups.", False),
        ("Do not use emojis in mails.", "Do not use emojis.", False),
        ("Short when short will do.", "Answer shorter.", False),
    ],
)
def test_a_principle_that_says_more_says_it_already(line: str, rule: str, *, holds: bool) -> None:
    assert (said_already(f"# Soul\n\n- {line}\n", growth(rule)) is not None) is holds
