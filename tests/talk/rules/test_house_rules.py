"""What is a rule, and which questions ask for permission, in six languages and more."""

from clawgit.search.rules.question import asks_permission
from clawgit.talk.rules.house_rules import forbids, is_rule
from tests.each import for_each

_HEADINGS = [
    "CRITICAL", "House rules", "NEVER", "Red lines", "Boundaries", "Wichtige Regeln", "Verboten",
    "Reglas", "Prohibido", "禁止事项", "规则", "ルール", "禁止", "규칙", "절대 금지",
]  # fmt: skip
_ORDINARY = ["Facts", "Status", "Tools", "Ablauf", "Hechos", "日程", "予定", "일정", "Firewalls"]


ASK = "- Ask Dana before a deploy."


@for_each(
    "text, above, is_one",
    [
        *((ASK, ["Agents", title], True) for title in _HEADINGS),
        *((ASK, [title], False) for title in _ORDINARY),
        # a pinned line under any heading
        ("- 📌 Only Ines talks to the press.", ["Notes"], True),
        ("- CRITICAL: never push on Fridays.", ["Notes"], True),
        ("- Rules of chess were explained.", ["Notes"], False),
    ],
)
def test_a_rule_stands_below_a_heading_of_rules_or_is_pinned(
    text: str, above: list[str], is_one: bool
) -> None:
    assert is_rule(text, above) is is_one


@for_each(
    "question, asks",
    [
        ("May I push to main?", True),
        ("Darf ich die Rechnung bezahlen?", True),
        ("¿Puedo publicar el artículo?", True),
        ("我可以把代码推送到主分支吗？", True),
        ("本番にデプロイしてもいいですか", True),
        ("메일을 삭제해도 되나요?", True),
        ("What happened in May? I forgot.", False),
        ("Where can I find the key?", False),
        ("Wann war der Termin, und wo kann ich parken?", False),
    ],
)
def test_a_question_for_permission(question: str, asks: bool) -> None:
    assert asks_permission(question) is asks


# Prohibitions, as against negations that only contrast.


@for_each(
    "text, is_one",
    [
        ("- Never send half-baked replies.", True),
        ("- **Money.** Don't spend any without a yes.", True),
        ("- Be kind.", False),
        ("Come back with answers, not questions.", False),
        ("- **Have opinions.** An assistant with no personality is a search engine.", False),
    ],
)
def test_a_prohibition_denies_within_its_first_words_and_a_contrast_is_none(
    text: str, is_one: bool
) -> None:
    assert forbids(text) is is_one
