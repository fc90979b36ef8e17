"""What is a rule, and which questions ask for permission, in six languages and more."""

from clawgit.search.rules.question import asks_permission
from clawgit.talk.rules.house_rules import forbids, is_rule
from tests.each import for_each

_HEADINGS = [
    "CRITICAL", "House rules", "NEVER", "Red lines", "Boundaries", "Wichtige Regeln", "Verboten",
    "Reglas", "Prohibido", "禁止事项", "规则", "ルール", "禁止", "규칙", "절대 금지",
]  # fmt: skip
_ORDINARY = ["Facts", "Status", "Tools", "Ablauf", "Hechos", "日程", "予定", "일정", "Firewalls"]


@for_each("title", _HEADINGS)
def test_a_line_below_a_heading_of_rules_is_one(title: str) -> None:
    assert is_rule("- Ask Dana before a deploy.", ["Agents", title])


@for_each("title", _ORDINARY)
def test_a_line_below_another_heading_is_none(title: str) -> None:
    assert not is_rule("- Ask Dana before a deploy.", [title])


@for_each(
    "text, is_one",
    [
        ("- 📌 Only Ines talks to the press.", True),
        ("- CRITICAL: never push on Fridays.", True),
        ("- Rules of chess were explained.", False),
    ],
)
def test_a_pinned_line_is_a_rule_under_any_heading(text: str, is_one: bool) -> None:
    assert is_rule(text, ["Notes"]) is is_one


@for_each(
    "question",
    [
        "May I push to main?",
        "Darf ich die Rechnung bezahlen?",
        "¿Puedo publicar el artículo?",
        "我可以把代码推送到主分支吗？",
        "本番にデプロイしてもいいですか",
        "메일을 삭제해도 되나요?",
    ],
)
def test_a_question_for_permission(question: str) -> None:
    assert asks_permission(question)


@for_each(
    "question",
    [
        "What happened in May? I forgot.",
        "Where can I find the key?",
        "Wann war der Termin, und wo kann ich parken?",
    ],
)
def test_other_questions_do_not(question: str) -> None:
    assert not asks_permission(question)


# Prohibitions, as against negations that only contrast.


@for_each(
    "text", ["- Never send half-baked replies.", "- **Money.** Don't spend any without a yes."]
)
def test_a_prohibition_denies_within_its_first_words(text: str) -> None:
    assert forbids(text)


@for_each(
    "text",
    [
        "- Be kind.",
        "Come back with answers, not questions.",
        "- **Have opinions.** An assistant with no personality is a search engine.",
    ],
)
def test_a_contrast_is_no_prohibition(text: str) -> None:
    assert not forbids(text)
